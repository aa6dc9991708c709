"""A text as `search` compares it: case, typographic marks and line ends make no difference."""

import re
from bisect import bisect_right
from functools import lru_cache

from studium.core.text.locate import DASHES, DOUBLE_QUOTES, SINGLE_QUOTES, Span

# One sign for one sign, so that nothing moves. A phrase goes on over the end of a line.
_PLAIN = (
    dict.fromkeys(SINGLE_QUOTES, "'")
    | dict.fromkeys(DOUBLE_QUOTES, '"')
    | dict.fromkeys(DASHES, "-")
    | dict.fromkeys("\n\r\t\xa0\u2009\u202f", " ")
)
_TEXTS_KEPT = 8


class Folded:
    """A folded text that knows where each place of it stands in the text as written."""

    def __init__(self, text: str) -> None:
        self.text = _folded(text)
        # `ß` is folded to `ss`: behind each such letter everything stands further right than as written.
        self._ends: list[int] = []
        self._shifts: list[int] = [0]
        if len(self.text) != len(text):
            self._note_longer_letters(text)

    def span(self, start: int, end: int) -> Span:
        """The span as written."""
        return Span(self._written(start), self._written(end - 1) + 1)

    def _note_longer_letters(self, text: str) -> None:
        longer = {letter: len(letter.casefold()) - 1 for letter in set(text) if len(letter.casefold()) > 1}
        for found in re.finditer("[" + "".join(longer) + "]", text):
            shift = self._shifts[-1] + longer[found[0]]
            self._ends.append(found.start() + shift + 1)
            self._shifts.append(shift)

    def _written(self, offset: int) -> int:
        index = bisect_right(self._ends, offset)
        written = offset - self._shifts[index]
        if index == len(self._ends):
            return written
        next_longer = self._ends[index] - 1 - self._shifts[index + 1]
        return min(written, next_longer)


@lru_cache(maxsize=_TEXTS_KEPT)
def folded(text: str) -> Folded:
    """The folded text; one that was searched a moment ago is not folded again."""
    return Folded(text)


def fold(pattern: str) -> str:
    """A pattern, folded as the text is."""
    return _folded(pattern)


def _folded(text: str) -> str:
    for sign, plain in _PLAIN.items():
        if sign != plain:
            text = text.replace(sign, plain)
    return text.casefold()
