"""Plain texts of highlights, as a Kobo writes them: the title, who it is by, then one highlight a paragraph."""

import re
from functools import cache
from pathlib import Path

from studium.readers.quotes.book import Draftbook
from studium.readers.quotes.collecting import Collector
from studium.readers.quotes.marks import unwrapped
from studium.readers.quotes.outline import Piece, outline
from studium.readers.quotes.wording import any_of


@cache
def _by() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of('written_by')}\s+|{any_of('author_fields')}\s*:\s*)(\S.*)", re.IGNORECASE)


def is_plain(text: str) -> bool:
    """Whether a text says on top what book it is of, or holds nothing but paragraphs in quotation marks."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return _byline(lines) is not None or any(unwrapped(line) != line for line in lines)


def read_plain(text: str, path: Path) -> Draftbook:
    """The book of a plain text."""
    lines = text.split("\n")
    filled = [at for at, line in enumerate(lines) if line.strip()]
    author = _byline([lines[at].strip() for at in filled])
    author_of_file, _, title_of_file = path.stem.rpartition(" - ")
    book = Draftbook(title_of_file.strip(), author_of_file.strip(), text=text)
    collector = Collector()
    if author is not None:
        book.title = re.sub(rf"^{any_of('title_fields')}\s*:\s*", "", lines[filled[0]].strip(), flags=re.IGNORECASE)
        book.author = author
        _take_all(collector, outline(lines, filled[1] + 2))
    else:
        for piece in outline(lines):
            if unwrapped(piece.words) != piece.words or collector.drafts:
                collector.take(piece)
    book.drafts = collector.drafts
    return book


def _take_all(collector: Collector, pieces: list[Piece]) -> None:
    chapter = re.compile(rf"(?:{any_of('section_fields')}|part|parte|teil|partie)\b.{{0,80}}", re.IGNORECASE)
    for piece in pieces:
        if piece.kind == "text" and chapter.fullmatch(piece.words):
            collector.enter(piece.words)
        elif piece.kind != "heading":
            collector.take(piece)
        else:
            collector.enter(piece.words)


def _byline(lines: list[str]) -> str | None:
    """The author on the second line: `by Henry David Thoreau`."""
    match = _by().fullmatch(lines[1]) if lines[2:] else None
    return match[1].strip() if match else None
