"""Transcribes words: romaji, parts, furigana and ruby."""

from dataclasses import dataclass
from functools import cache

from studium.core.text.word_lists import load_text
from studium.vocabulary.domain import Part
from studium.vocabulary.japanese.alignment import AlignedCharacter, KanjiReadings, align
from studium.vocabulary.japanese.kana import SMALL_TSU, VOWEL_MARK, N, has_kanji, hiragana, normalise_kana

_AS_PARTICLE = str.maketrans("はへ", "わえ")


def as_spoken(reading: str, *, written: str = "", particle: bool = False) -> str:
    """Replace は and へ by わ and え where they are particles.

    At the end of a word with kanji, は is always the particle: 実は.
    """
    kana = normalise_kana(reading)
    if particle:
        return kana.translate(_AS_PARTICLE)
    if "は" not in kana and "へ" not in kana:
        return kana
    if has_kanji(written):
        return f"{kana[:-1]}わ" if written.endswith("は") and kana.endswith("は") else kana
    return next((said for phrase in _phrases() if (said := _said(kana, phrase))), kana)


def _said(kana: str, phrase: str) -> str | None:
    """Return the kana as spoken if it matches a phrase, else `None`."""
    fixed = phrase.strip("~")
    said = fixed.translate(_AS_PARTICLE)
    if kana == fixed:
        return said
    if phrase.startswith("~") and kana.endswith(fixed):
        return kana.removesuffix(fixed) + said
    if phrase.endswith("~") and kana.startswith(fixed):
        return said + kana.removeprefix(fixed)
    return None


@cache
def _phrases() -> tuple[str, ...]:
    lines = load_text("studium.vocabulary.japanese", "tables/spoken.txt").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


_VOWELS = "aiueo"


@dataclass(frozen=True)
class Syllable:
    """A syllable in kana and in letters, which may depend on its neighbours."""

    kana: str
    romaji: str


def join_syllables(beats: list[Syllable]) -> str:
    """Join the letters of syllables, with an apostrophe between ん and a vowel (しんよう: shin'you)."""
    letters = ""
    for before, beat in zip([None, *beats], beats, strict=False):
        runs_on = before is not None and before.kana == N and beat.romaji[:1] in (*_VOWELS, "y")
        letters += f"'{beat.romaji}" if runs_on else beat.romaji
    return letters


def syllables(kana: str) -> list[Syllable]:
    """Split kana into syllables with their letters; other characters stay."""
    beats = _beats(hiragana(kana))
    letters = _letters()
    found: list[Syllable] = []
    for position, beat in enumerate(beats):
        before = found[-1].romaji if found else ""
        if beat == SMALL_TSU:
            romaji = _doubled(beats[position + 1 :])
        elif beat == VOWEL_MARK:
            romaji = before[-1:] if before[-1:] in _VOWELS else ""
        else:
            romaji = letters.get(beat, beat)
        found.append(Syllable(beat, romaji))
    return found


def _beats(kana: str) -> list[str]:
    letters = _letters()
    beats: list[str] = []
    start = 0
    while start < len(kana):
        length = 2 if kana[start : start + 2] in letters else 1
        beats.append(kana[start : start + length])
        start += length
    return beats


def _doubled(following: list[str]) -> str:
    """Return the consonant that っ doubles, or an apostrophe if none follows, as in あっ."""
    beat = next((beat for beat in following if beat != SMALL_TSU), "")
    consonant = _letters().get(beat, "")[:1]
    if not consonant or consonant in _VOWELS:
        return "" if following[:1] == [SMALL_TSU] else "'"
    return "t" if consonant == "c" else consonant


@cache
def _letters() -> dict[str, str]:
    table = load_text("studium.vocabulary.japanese", "tables/hepburn.tsv").split()
    return dict(zip(table[::2], table[1::2], strict=True))


def romaji(written: str, reading: str, *, particle: bool = False) -> str:
    """Write a word in letters, as spoken: 実は is jitsuwa."""
    return join_syllables(syllables(as_spoken(reading, written=written, particle=particle)))


def word_parts(written: str, reading: str, kanji: KanjiReadings, *, particle: bool = False) -> tuple[Part, ...]:
    """Split a word into parts with their letters; っ takes the consonant of the next part (学校: gak, kou).

    A kana with its small kana and vowel mark is one part: パーティー is パー and ティー.
    """
    aligned = align(written, reading, kanji)
    beats = syllables(as_spoken("".join(sign.kana for sign in aligned), written=written, particle=particle))
    found: list[Part] = []
    at = end = 0
    for sign in aligned:
        end += len(sign.kana)
        mine = []
        while beats and at < end:
            mine.append(beats.pop(0))
            at += len(mine[-1].kana)
        if letters := join_syllables(mine):
            found.append(Part(kanji=sign.written, romaji=(letters,)))
    return tuple(found)


def furigana(written: str, reading: str, kanji: KanjiReadings) -> str:
    """Write a word for Anki's `furigana` filter: ` 学[がっ] 校[こう]`, with a space before kanji."""
    return "".join(
        f" {sign.written}[{sign.kana}]" if _needs_kana(sign) else sign.written
        for sign in align(written, reading, kanji)
    )


def ruby(written: str, reading: str, kanji: KanjiReadings) -> tuple[tuple[str, str], ...]:
    """Split a word into characters, each with the kana above it, if it needs any."""
    return tuple((sign.written, sign.kana if _needs_kana(sign) else "") for sign in align(written, reading, kanji))


def _needs_kana(sign: AlignedCharacter) -> bool:
    return sign.how != "kana" and bool(sign.kana) and sign.kana != sign.written
