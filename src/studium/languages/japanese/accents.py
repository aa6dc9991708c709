"""Pitch accent: where the voice falls in a word, and how each of its beats is pitched."""

import re
from functools import lru_cache

from studium.languages.japanese.kana import hiragana
from studium.languages.japanese.speaking import Piece, pieces

_BEAT = re.compile(r".[ぁぃぅぇぉゃゅょゎ]?")


def beats(reading: str) -> tuple[str, ...]:
    """The beats (morae) of a reading: きょ, う."""
    return tuple(_BEAT.findall(hiragana(reading)))


@lru_cache(20_000)
def accent(lemma: str, reading: str) -> int | None:
    """The beat after which the voice falls, 0 if it does not fall at all; nothing if this is not known."""
    for written in (lemma, reading):
        found = pieces(written) if written else []
        if "".join(hiragana(piece.reading) for piece in found) == hiragana(reading) and _is_one_phrase(found):
            return found[0].accent
    return None


def melody(reading: str, nucleus: int) -> tuple[tuple[str, bool], ...]:
    """Each beat, and whether it is high."""
    return tuple((beat, _is_high(place, nucleus)) for place, beat in enumerate(beats(reading), 1))


def _is_high(place: int, nucleus: int) -> bool:
    if place == 1:
        return nucleus == 1
    return nucleus == 0 or place <= nucleus


def _is_one_phrase(found: list[Piece]) -> bool:
    return bool(found) and all(piece.is_chained for piece in found[1:])
