"""Plain text: paragraphs parted by blank lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from studium.domain.document import Block, Document, Picture, content_id
from studium.domain.locating import Span
from studium.readers.files import read_text, shown
from studium.readers.lines import source_lines
from studium.readers.reading import Reading


@dataclass(frozen=True)
class TextPage:
    """A plain text, which has no pages: one page without a number."""

    text: str
    number: None = None

    def blocks(self) -> Sequence[Block]:
        """The paragraphs."""
        runs = groupby(source_lines(self.text), key=lambda line: line.blank)
        paragraphs = (list(lines) for blank, lines in runs if not blank)
        return [Block(Span(lines[0].start, lines[-1].end)) for lines in paragraphs]

    def pictures(self) -> Sequence[Picture]:
        """None: a plain text shows nothing."""
        return ()


def read(path: Path, *, max_bytes: int) -> Reading:
    """Read a plain text."""
    file = read_text(path, max_bytes=max_bytes)
    if file.text is None:
        return Reading(None, file.findings)
    return Reading(Document(shown(path), "text", content_id(file.text), (TextPage(file.text),)))
