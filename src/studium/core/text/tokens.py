"""The words of a text in any script, with their positions; and the characters of each script."""

import re
from functools import cache
from typing import Literal, NamedTuple

from studium.core.text.locate import ELISIONS, UNSPACED

HIRAGANA = "\u3041-\u3096\u309d-\u309f"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
KANA = HIRAGANA + KATAKANA
HAN = "\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
CYRILLIC = "\u0400-\u052f"
LATIN = "A-Za-z\xaa\xba\xc0-\xd6\xd8-\xf6\xf8-\u024f\u1e00-\u1eff"
GREEK = "\u0370-\u03ff\u1f00-\u1fff"
ARABIC = "\u0620-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc"
HEBREW = "\u05d0-\u05ea\ufb1d-\ufb4f"
THAI = "\u0e01-\u0e4e"
DEVANAGARI = "\u0904-\u097f"
MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f"
    "\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a4d\u0b82\u0bbe-\u0bcd\u0c3e-\u0c4d\u0d3e-\u0d4d"
)
"""Marks that belong to the letter before them: accents, vowel points, vowel signs of India."""


def has_signs(text: str, script: str) -> bool:
    """Whether a text has a character of a script (`CYRILLIC`, `KANA + HAN`)."""
    return bool(_signs(script).search(text))


def share_of_signs(text: str, script: str, *others: str) -> float:
    """The share of one script among several in a text, from 0 to 1; 0 if it has none of them."""
    here = len(_signs(script).findall(text))
    whole = here + sum(len(_signs(other).findall(text)) for other in others)
    return here / whole if whole else 0.0


@cache
def _signs(script: str) -> re.Pattern[str]:
    return re.compile(f"[{script}]")


Unspaced = Literal["signs", "runs", "whole"]
"""How scripts without spaces are split: by character, by runs of Han, katakana or hiragana, or not at all."""
Elided = Literal["kept", "split", "dropped"]
"""What happens to `l'` in `l'eau`: it stays part of the word, becomes a separate word, or is dropped."""

_APOSTROPHE = "['\u2019]"
_APOSTROPHES = ("'", "\u2019")
_HYPHEN = "[-\u2010\u2011]"
_PLAIN = r"[^\W_]+"
_MARKED = rf"{_PLAIN}(?:[{MARKS}]+[^\W_]*)*"
_SPACED = rf"[^\W_{UNSPACED}]+(?:[{MARKS}]+[^\W_{UNSPACED}]*)*"
# Most texts have none of these and take half the time.
_SPECIAL = re.compile(f"[{UNSPACED}{MARKS}]")
_RUNS = rf"[{HAN}]+|[{KATAKANA}]+|[{HIRAGANA}]+|[{UNSPACED}]"
_NUMBER = r"\d+(?:[.,]\d+)+(?![^\W_])"
_SYMBOLS = r"(?:\+\+|#+)(?!\w)"
_ELIDED = rf"\b(?i:{ELISIONS}){_APOSTROPHE}(?=[^\W\d_])"


class Token(NamedTuple):
    """A word and its position."""

    text: str
    start: int
    end: int


def split_words(  # noqa: PLR0913 - each is one way in which texts are read
    text: str,
    *,
    unspaced: Unspaced = "signs",
    apostrophes: bool = True,
    hyphens: bool = False,
    elided: Elided = "kept",
    numbers: bool = False,
    symbols: bool = False,
    marks: str = "",
) -> list[str]:
    """The words of a text, in order and as written.

    With `apostrophes` `don't` is one word, with `hyphens` `well-known`, with `numbers` `3.5`, with `symbols` `C++` and
    `C#`; each of the `marks` (`.;:`) is a word of its own.
    """
    is_plain = not _SPECIAL.search(text)
    splits = elided != "kept" and _has_apostrophe(text)
    pattern = _pattern(unspaced, is_plain, apostrophes, hyphens, splits, numbers, symbols, marks)
    words: list[str] = pattern.findall(text)
    return [word for word in words if not word.endswith(_APOSTROPHES)] if splits and elided == "dropped" else words


def find_words(  # noqa: PLR0913 - likewise
    text: str,
    *,
    unspaced: Unspaced = "signs",
    apostrophes: bool = True,
    hyphens: bool = False,
    elided: Elided = "kept",
    numbers: bool = False,
    symbols: bool = False,
    marks: str = "",
) -> list[Token]:
    """The words of a text with their positions; the parameters are those of `split_words`."""
    is_plain = not _SPECIAL.search(text)
    splits = elided != "kept" and _has_apostrophe(text)
    pattern = _pattern(unspaced, is_plain, apostrophes, hyphens, splits, numbers, symbols, marks)
    tokens = [Token(found[0], found.start(), found.end()) for found in pattern.finditer(text)]
    dropped = splits and elided == "dropped"
    return [token for token in tokens if not token.text.endswith(_APOSTROPHES)] if dropped else tokens


def count_words(text: str) -> int:
    """How many words a text has; in scripts without spaces every two characters count as one."""
    runs = _UNSPACED_RUN.findall(text)
    spaced = split_words(_UNSPACED_RUN.sub(" ", text) if runs else text, hyphens=True)
    return len(spaced) + sum(max(1, len(run) // 2) for run in runs)


def split_sign_pairs(run: str) -> list[str]:
    """The overlapping pairs of characters of a run, as search compares scripts without spaces."""
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _has_apostrophe(text: str) -> bool:
    return any(sign in text for sign in _APOSTROPHES)


@cache
def _pattern(  # noqa: PLR0913, PLR0917 - likewise
    unspaced: Unspaced,
    is_plain: bool,
    apostrophes: bool,
    hyphens: bool,
    elided: bool,
    numbers: bool,
    symbols: bool,
    marks: str,
) -> re.Pattern[str]:
    word = _PLAIN if is_plain else _MARKED if unspaced == "whole" else _SPACED
    if joints := [joint for joint, wanted in ((_APOSTROPHE, apostrophes), (_HYPHEN, hyphens)) if wanted]:
        word += rf"(?:(?:{'|'.join(joints)}){word})*"
    if symbols:
        word += rf"(?:{_SYMBOLS})?"
    alternatives = [word]
    if unspaced != "whole" and not is_plain:
        alternatives.insert(0, f"[{UNSPACED}]" if unspaced == "signs" else _RUNS)
    if elided:
        alternatives.insert(0, _ELIDED)
    if numbers:
        alternatives.insert(0, _NUMBER)
    if marks:
        alternatives.append(f"[{re.escape(marks)}]")
    return re.compile("|".join(alternatives))


_UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
