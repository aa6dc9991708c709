"""Kana in letters: modified Hepburn, with long vowels as the kana writes them (こう is kou, コー is koo)."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from studium.languages.japanese.kana import SMALL_TSU, VOWEL_MARK, N, hiragana
from studium.languages.japanese.spoken import spoken

_VOWELS = "aiueo"


@dataclass(frozen=True)
class Syllable:
    """A beat of kana and its letters; what they are can depend on the beats around it."""

    kana: str
    romaji: str


def hepburn(kana: str, *, particle: bool = False) -> str:
    """The kana in letters; a particle is written as it is spoken: は wa, へ e."""
    return joined(syllables(spoken(kana, particle=particle)))


def joined(beats: list[Syllable]) -> str:
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
    table = files("studium.languages.japanese").joinpath("tables", "hepburn.tsv").read_text("utf-8").split()
    return dict(zip(table[::2], table[1::2], strict=True))
