"""Scripts: the signs of each as the ranges of a character class, and which of them a text is written in."""

import re
from functools import cache

from studium.core.text.locate import UNSPACED

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

__all__ = [
    "ARABIC",
    "CYRILLIC",
    "DEVANAGARI",
    "GREEK",
    "HAN",
    "HANGUL",
    "HEBREW",
    "HIRAGANA",
    "KANA",
    "KATAKANA",
    "LATIN",
    "MARKS",
    "THAI",
    "UNSPACED",
    "has_signs",
    "share_of_signs",
]


def has_signs(text: str, script: str) -> bool:
    """Whether a sign of a script (`CYRILLIC`, `KANA + HAN`) stands in a text."""
    return bool(_signs(script).search(text))


def share_of_signs(text: str, script: str, *others: str) -> float:
    """How much of a text is in one script rather than in the others, from 0 to 1; 0 where it has none of them."""
    here = len(_signs(script).findall(text))
    whole = here + sum(len(_signs(other).findall(text)) for other in others)
    return here / whole if whole else 0.0


@cache
def _signs(script: str) -> re.Pattern[str]:
    return re.compile(f"[{script}]")
