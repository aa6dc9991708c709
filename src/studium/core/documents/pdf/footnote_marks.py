"""Take the marks of footnotes out of lines: small raised digits and signs behind words, and before a footnote."""

import re
from collections.abc import Sequence

from studium.core.documents.pdf.pdfium import CharacterBoxes

_SIGN = r"\d{1,2}|\*{1,3}|[†‡§¶]{1,2}|\[\d{1,2}\]"
# Behind a word or the end of a sentence; `x2` and `10-3` are formulas.
_MARK = re.compile(rf"(?:{_SIGN})(?=[\s.,;:)\]]|$)")
_BEFORE = re.compile(rf"(?P<mark>{_SIGN})(?=\s?[A-Z“])")
_WORD_AT_END = re.compile(r"(?P<word>[^\W\d_]{3,40})[.,;:!?)\]”\"’]{0,2}$")
MARK = re.compile(_SIGN)
# Quick to search for: a sign first, then what is before it.
MAYBE_MARK = re.compile(r"[0-9*§¶\[](?<=[^\W\d_].|[.,;:!?)\]”\"’].)")
MAYBE_DAGGER = re.compile(r"[†‡](?<=[^\W\d_].|[.,;:!?)\]”\"’].)")
MARK_STARTS = frozenset("0123456789*†‡§¶")
# Units and functions, which have exponents.
_RAISED = frozenset({"sec", "mol", "inch", "feet", "foot", "mile", "miles", "meter", "metre", "meters", "metres"}) | {
    *("exp", "log", "sin", "cos", "tan", "max", "min", "det", "dim", "var", "cov", "rank", "diag", "pixel", "pixels")
}
# Of the line: how small a mark is at most, and how much higher its middle is at least.
_SMALL = 0.85
_HIGHER = 0.08


def find_mark(
    text: str, at: int, start: int, line: tuple[float, float], boxes: CharacterBoxes
) -> tuple[int, int] | None:
    """The place of the mark at this place of a line, given the number of its first character, its top and bottom."""
    found = _MARK.match(text, at)
    if not found or not follows_word(text[:at]) or not is_raised(boxes.of_character(start + at)[1::2], line):
        return None
    return found.span()


def find_first_mark(text: str, start: int, boxes: CharacterBoxes) -> tuple[int, int] | None:
    """The place of the mark that a footnote starts with; such a line is measured by the mark."""
    first = _BEFORE.match(text)
    if not first:
        return None
    behind = boxes.of_character(start + first.end() + (text[first.end()] == " "))
    return first.span("mark") if is_raised(boxes.of_character(start)[1::2], behind[1::2]) else None


def is_raised(mark: Sequence[float], line: Sequence[float]) -> bool:
    """Whether a character is smaller and higher than its line, given the top and bottom of both."""
    size = line[0] - line[1]
    return mark[0] - mark[1] < _SMALL * size and (sum(mark) - sum(line)) / 2 > _HIGHER * size


def follows_word(text: str) -> bool:
    """Whether a mark may stand behind a text: it ends with a word that has no exponents."""
    found = _WORD_AT_END.search(text[-60:])
    return found is not None and found["word"].lower() not in _RAISED


def without(text: str, places: Sequence[tuple[int, int]]) -> str:
    """The text without some of its parts."""
    for begin, end in reversed(places):
        text = text[:begin] + text[end:]
    return text.strip()
