"""Reads a Kobo's `.annot` files: the annotations of one book as XML."""

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from studium.concepts.quotes.book import DraftBook, DraftQuote, LineRemark
from studium.concepts.quotes.markdown import QuoteCollector
from studium.concepts.quotes.markdown_blocks import MarkdownBlock, parse_blocks
from studium.concepts.quotes.markers import marker_pattern, strip_quote_marks
from studium.core.documents.markup.inline_text import inline_text
from studium.core.documents.markup.page_builder import UnreadableDocument
from studium.core.documents.markup.parsing import parse_xml

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


_TOP = 2000


def is_annotations(text: str) -> bool:
    """Whether a text is a file of annotations, whatever its name."""
    return "<annotationSet" in text[:_TOP]


def read_annotations(text: str) -> DraftBook:
    """The book of a file of annotations; bookmarks, which quote nothing, are left out."""
    try:
        root = parse_xml(text.encode())
    except UnreadableDocument as refused:
        return DraftBook(remarks=[LineRemark("broken_xml", refused.remark.message, refused.remark.line)])
    book = DraftBook(_said(root, "publication/title"), _said(root, "publication/creator"))
    for annotation in root.iter("annotation"):
        if text := _said(annotation, "target/fragment/text"):
            line = annotation.sourceline or 1
            book.drafts.append(DraftQuote(text, line, note=_said(annotation, "content/text")))
    return book


def _said(element: "Element", path: str) -> str:
    found = element.find(path)
    return "" if found is None else inline_text(found)


@cache
def _by() -> re.Pattern[str]:
    return re.compile(
        rf"(?:{marker_pattern('written_by')}\s+|{marker_pattern('author_fields')}\s*:\s*)(\S.*)", re.IGNORECASE
    )


def is_plain_text(text: str) -> bool:
    """Whether a text names its book at the top, or has only paragraphs in quotation marks."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return _byline(lines) is not None or any(strip_quote_marks(line) != line for line in lines)


def read_plain_text(text: str, path: Path) -> DraftBook:
    """The book of a plain text."""
    lines = text.split("\n")
    filled = [at for at, line in enumerate(lines) if line.strip()]
    author = _byline([lines[at].strip() for at in filled])
    author_of_file, _, title_of_file = path.stem.rpartition(" - ")
    book = DraftBook(title_of_file.strip(), author_of_file.strip(), text=text)
    collector = QuoteCollector()
    if author is not None:
        book.title = re.sub(
            rf"^{marker_pattern('title_fields')}\s*:\s*", "", lines[filled[0]].strip(), flags=re.IGNORECASE
        )
        book.author = author
        _take_all(collector, parse_blocks(lines, filled[1] + 2))
    else:
        for piece in parse_blocks(lines):
            if strip_quote_marks(piece.words) != piece.words or collector.drafts:
                collector.add_block(piece)
    book.drafts = collector.drafts
    return book


def _take_all(collector: QuoteCollector, pieces: list[MarkdownBlock]) -> None:
    chapter = re.compile(rf"(?:{marker_pattern('section_fields')}|part|parte|teil|partie)\b.{{0,80}}", re.IGNORECASE)
    for piece in pieces:
        if piece.kind == "text" and chapter.fullmatch(piece.words):
            collector.start_section(piece.words)
        elif piece.kind != "heading":
            collector.add_block(piece)
        else:
            collector.start_section(piece.words)


def _byline(lines: list[str]) -> str | None:
    """The author on the second line: `by Henry David Thoreau`."""
    match = _by().fullmatch(lines[1]) if lines[2:] else None
    return match[1].strip() if match else None
