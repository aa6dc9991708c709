"""Japanese pronunciation, pitch accent and speech with pyopenjtalk."""

import io
import re
import wave
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from types import ModuleType

from studium.core.domain.errors import BadInput
from studium.core.extras import needs_extra
from studium.vocabulary.japanese.kana import hiragana

SPOKEN_LIMIT = 500
_DEVOICED = "’"
# We have asked Sudachi already, and pyopenjtalk uses a deprecated call.
_WITHOUT_SUDACHI = {"use_sudachi_kanji_yomi": False}


@dataclass(frozen=True, slots=True)
class PronouncedWord:
    """A word as cut by pyopenjtalk: its reading in katakana, its accent, and whether it joins the word before."""

    written: str
    reading: str
    pronunciation: str
    accent: int
    is_chained: bool
    is_counted: bool


def pronounce(sentence: str) -> list[PronouncedWord]:
    """Return the pronunciation of a sentence."""
    return [
        PronouncedWord(
            found["string"],
            found["read"],
            found["pron"].replace(_DEVOICED, ""),
            found["acc"],
            found["chain_flag"] == 1,
            found["pos_group1"] == "数" or found["pos_group2"] == "助数詞",
        )
        for found in _openjtalk().run_frontend(sentence, revert_long_vowels=True, **_WITHOUT_SUDACHI)
    ]


def synthesise(text: str) -> bytes:
    """Speak a text as a WAV file: mono, 16 bit, 48 kHz."""
    if not text.strip() or len(text) > SPOKEN_LIMIT:
        raise BadInput(f"Text to speak must have 1–{SPOKEN_LIMIT} characters; this has {len(text.strip())}.")
    samples, rate = _openjtalk().tts(text, **_WITHOUT_SUDACHI)
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes(samples.clip(-32768, 32767).astype("<i2").tobytes())
    return file.getvalue()


@cache
def _openjtalk() -> ModuleType:
    with needs_extra("japanese", "Speaking Japanese"):
        return import_module("pyopenjtalk")


_MORA = re.compile(r".[ぁぃぅぇぉゃゅょゎ]?")


def morae(reading: str) -> tuple[str, ...]:
    """Split a reading into morae: きょ, う."""
    return tuple(_MORA.findall(hiragana(reading)))


@lru_cache(20_000)
def pitch_accent(lemma: str, reading: str) -> int | None:
    """Return the mora after which the voice falls, 0 if it does not fall, `None` if unknown."""
    for written in (lemma, reading):
        found = pronounce(written) if written else []
        if "".join(hiragana(piece.reading) for piece in found) == hiragana(reading) and _is_one_phrase(found):
            return found[0].accent
    return None


def pitch_pattern(reading: str, nucleus: int) -> tuple[tuple[str, bool], ...]:
    """Return each mora, and whether it is high."""
    return tuple((mora, _is_high(place, nucleus)) for place, mora in enumerate(morae(reading), 1))


def _is_high(place: int, nucleus: int) -> bool:
    if place == 1:
        return nucleus == 1
    return nucleus == 0 or place <= nucleus


def _is_one_phrase(found: list[PronouncedWord]) -> bool:
    return bool(found) and all(piece.is_chained for piece in found[1:])
