"""Kana as it is spoken: the particles は and へ are said わ and え, also inside a word (こんにちは)."""

from functools import cache
from importlib.resources import files

from studium.languages.japanese.kana import has_kanji, plain

_AS_PARTICLE = str.maketrans("はへ", "わえ")


def spoken(reading: str, *, written: str = "", particle: bool = False) -> str:
    """The reading, sign for sign, with わ and え where は and へ are particles.

    No word that is written with kanji ends in a は of its own: in 実は it is the particle.
    """
    kana = plain(reading)
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
    lines = files("studium.languages.japanese").joinpath("tables", "spoken.txt").read_text("utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))
