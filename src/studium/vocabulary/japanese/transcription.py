"""A word taken apart for a learner: its parts with their letters, and its kana set over its kanji."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from studium.vocabulary.domain import Part
from studium.vocabulary.japanese.alignment import AlignedCharacter, KanjiReadings, align
from studium.vocabulary.japanese.kana import SMALL_TSU, VOWEL_MARK, N, has_kanji, hiragana, normalise_kana

_AS_PARTICLE = str.maketrans("はへ", "わえ")


def as_spoken(reading: str, *, written: str = "", particle: bool = False) -> str:
    """The reading, sign for sign, with わ and え where は and へ are particles.

    No word that is written with kanji ends in a は of its own: in 実は it is the particle.
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
    """The kana as this phrase has it said; `None` if it is another phrase."""
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
    lines = files("studium.vocabulary.japanese").joinpath("tables", "spoken.txt").read_text("utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


_VOWELS = "aiueo"


@dataclass(frozen=True)
class Syllable:
    """A beat of kana and its letters; what they are can depend on the beats around it."""

    kana: str
    romaji: str


def hepburn(kana: str, *, particle: bool = False) -> str:
    """The kana in letters; a particle is written as it is spoken: は wa, へ e."""
    return join_syllables(syllables(as_spoken(kana, particle=particle)))


def join_syllables(beats: list[Syllable]) -> str:
    """The letters of some beats, with an apostrophe where ん would run into the vowel after it (しんよう: shin'you)."""
    letters = ""
    for before, beat in zip([None, *beats], beats, strict=False):
        runs_on = before is not None and before.kana == N and beat.romaji[:1] in (*_VOWELS, "y")
        letters += f"'{beat.romaji}" if runs_on else beat.romaji
    return letters


def syllables(kana: str) -> list[Syllable]:
    """The beats of a word in kana, each with its letters; what is no kana stands for itself."""
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
    """The consonant that っ doubles; a catch of the breath (') where no consonant follows, as in あっ."""
    beat = next((beat for beat in following if beat != SMALL_TSU), "")
    consonant = _letters().get(beat, "")[:1]
    if not consonant or consonant in _VOWELS:
        return "" if following[:1] == [SMALL_TSU] else "'"
    return "t" if consonant == "c" else consonant


@cache
def _letters() -> dict[str, str]:
    table = files("studium.vocabulary.japanese").joinpath("tables", "hepburn.tsv").read_text("utf-8").split()
    return dict(zip(table[::2], table[1::2], strict=True))


def romaji(written: str, reading: str, *, particle: bool = False) -> str:
    """A word in letters, as it is spoken: 実は is jitsuwa."""
    return join_syllables(syllables(as_spoken(reading, written=written, particle=particle)))


def word_parts(written: str, reading: str, kanji: KanjiReadings, *, particle: bool = False) -> tuple[Part, ...]:
    """The parts of a word and their letters; っ takes the consonant of the part after it (学校: gak, kou).

    A kana is a part together with its small kana and its vowel mark: パーティー is パー and ティー.
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
    """The word as Anki's `furigana` filter reads it: ` 学[がっ] 校[こう]`; the space says where the kanji begin."""
    return "".join(
        f" {sign.written}[{sign.kana}]" if _needs_kana(sign) else sign.written
        for sign in align(written, reading, kanji)
    )


def ruby(written: str, reading: str, kanji: KanjiReadings) -> tuple[tuple[str, str], ...]:
    """The word sign by sign, each with the kana to be set over it; none over what is written as it is read."""
    return tuple((sign.written, sign.kana if _needs_kana(sign) else "") for sign in align(written, reading, kanji))


def _needs_kana(sign: AlignedCharacter) -> bool:
    return sign.how != "kana" and bool(sign.kana) and sign.kana != sign.written
