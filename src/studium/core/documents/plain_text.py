"""Split texts into lines as editors do: at LF, CRLF or CR; and the page of a plain text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from studium.core.domain.document import Block, Picture
from studium.core.text.locate import Span

_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\n|\r|\Z)")


class SourceLine(NamedTuple):
    """A line without its line end, with its start and end in the text."""

    text: str
    start: int
    end: int

    @property
    def blank(self) -> bool:
        """Whether the line is blank."""
        return not self.text.strip()


def split_lines(text: str) -> list[SourceLine]:
    """All lines of a text; the text after the last line end is a line only if it is not empty."""
    found = [SourceLine(match[1], *match.span(1)) for match in _LINE.finditer(text)]
    return found if found and found[-1].text else found[:-1]


@dataclass(frozen=True)
class TextPage:
    """A plain text as one page without a number."""

    text: str
    number: None = None

    def blocks(self) -> Sequence[Block]:
        """The paragraphs."""
        runs = groupby(split_lines(self.text), key=lambda line: line.blank)
        paragraphs = (list(lines) for blank, lines in runs if not blank)
        return [Block(Span(lines[0].start, lines[-1].end)) for lines in paragraphs]

    def pictures(self) -> Sequence[Picture]:
        """None: a plain text has no visuals."""
        return ()
