"""Take the marks of footnotes out of lines: small raised digits and signs behind words, and before a footnote."""

import re
from collections.abc import Sequence

from studium.core.documents.pdf.pdfium import CharacterBoxes

_SIGN = r"\d{1,2}|\*{1,3}|[†‡§¶]{1,2}|\[\d{1,2}\]"
# Behind a word or the end of a sentence; `x2` and `10-3` are formulas.
_BEHIND = re.compile(rf"(?P<word>[^\W\d_]{{3,40}})[.,;:!?)\]”\"’]{{0,2}}(?P<mark>{_SIGN})(?=[\s.,;:)\]]|$)")
_BEFORE = re.compile(rf"(?P<mark>{_SIGN})(?=\s?[A-Z“\"(])")
_WORD_AT_END = re.compile(r"(?P<word>[^\W\d_]{3,40})[.,;:!?)\]”\"’]{0,2}$")
MARK = re.compile(_SIGN)
# Units and functions, which have exponents.
_RAISED = frozenset({"sec", "mol", "inch", "feet", "foot", "mile", "miles", "meter", "metre", "meters", "metres"}) | {
    *("exp", "log", "sin", "cos", "tan", "max", "min", "det", "dim", "var", "cov", "rank", "diag", "pixel", "pixels")
}
# Of the line: how small a mark is at most, and how much higher its middle is at least.
_SMALL = 0.85
_HIGHER = 0.08


def find_marks(text: str, start: int, bottom: float, top: float, boxes: CharacterBoxes) -> list[tuple[int, int]]:
    """The places of the marks in a line whose first character has this number."""
    places = [match.span("mark") for match in _BEHIND.finditer(text) if match["word"].lower() not in _RAISED]
    marks = [place for place in places if is_raised(boxes.of_character(start + place[0])[1::2], (top, bottom))]
    if first := _BEFORE.match(text):
        # The line is measured by its first character, which is the mark.
        behind = boxes.of_character(start + first.end() + (text[first.end()] == " "))
        if is_raised(boxes.of_character(start)[1::2], behind[1::2]):
            marks.insert(0, first.span("mark"))
    return marks


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
