"""Lines with their place in the text, the way editors count them: parted by LF, CRLF or CR alone."""

import re
from typing import NamedTuple

_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\n|\r|\Z)")


class SourceLine(NamedTuple):
    """A line without its line end, and where it begins and ends in the text."""

    text: str
    start: int
    end: int

    @property
    def blank(self) -> bool:
        """Whether there is nothing on it."""
        return not self.text.strip()


def source_lines(text: str) -> list[SourceLine]:
    """Every line of a text; what follows the last line end is a line only if there is something."""
    found = [SourceLine(match[1], *match.span(1)) for match in _LINE.finditer(text)]
    return found if found and found[-1].text else found[:-1]
