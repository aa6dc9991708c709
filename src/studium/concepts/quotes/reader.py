"""Reads a file of quotes in any supported format; problems are in the findings."""

from dataclasses import dataclass
from pathlib import Path

from studium.concepts.quotes.apple import is_excerpts, read_excerpts
from studium.concepts.quotes.book import DraftBook, LineRemark, QuotedBook
from studium.concepts.quotes.csv_tables import is_table, read_table
from studium.concepts.quotes.html_pages import is_html, read_html
from studium.concepts.quotes.kindle import is_clippings, read_clippings
from studium.concepts.quotes.kobo import is_annotations, is_plain_text, read_annotations, read_plain_text
from studium.concepts.quotes.markdown import read_markdown
from studium.core.documents.files import decode_text, display_path, read_bytes, unreadable_finding
from studium.core.documents.markup.page_builder import UnreadableDocument
from studium.core.domain.finding import Finding, Locator, Severity

MAX_BYTES = 50_000_000

_LOOKED_FOR = (
    "Looked for: a heading such as “# Citas”, “# Quotes” or “# Highlights” with quotes under it, block quotes (“> …”), "
    "Kindle's My Clippings.txt, a CSV file with a Highlight column (Readwise, Kobo), and excerpts of Apple Books."
)


@dataclass(frozen=True)
class QuoteFile:
    """The books that a file quotes, and findings about problems."""

    books: tuple[QuotedBook, ...]
    findings: tuple[Finding, ...] = ()


def read_quotes(path: Path, *, max_bytes: int = MAX_BYTES) -> QuoteFile:
    """Read the quotes in a file; the format is recognised by the content."""
    file = read_bytes(path, max_bytes=max_bytes)
    if file.data is None:
        return QuoteFile((), file.findings)
    decoded = decode_text(file.data)
    if decoded is None:
        binary = b"\0" in file.data
        told = "is binary, not a text" if binary else "has an unknown encoding"
        return _refused(path, "binary" if binary else "encoding", f"The file {told}. Save the quotes as UTF-8 text.")
    if not decoded.text.strip():
        return _refused(path, "empty", "The file is empty. Add quotes to it or remove it.")
    guessed = () if decoded.encoding.startswith("utf") else (_guess(path, decoded.encoding),)
    text = decoded.text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    try:
        drafts, findings = _books(text, path)
    except UnreadableDocument as refused:
        return QuoteFile((), (*guessed, refused.remark.finding(path)))
    books = tuple(book for book in (draft.book() for draft in drafts) if book.quotes)
    findings = (*guessed, *findings, *(_finding(path, remark) for draft in drafts for remark in draft.remarks))
    if not books:
        missing = unreadable_finding(path, "no_quotes", f"There are no quotes in this file. {_LOOKED_FOR}")
        return QuoteFile((), (*findings, missing))
    return QuoteFile(books, findings)


def _books(text: str, path: Path) -> tuple[list[DraftBook], tuple[Finding, ...]]:
    if is_clippings(text):
        return read_clippings(text), ()
    if is_annotations(text):
        return [read_annotations(text)], ()
    if is_html(text) or is_table(text):
        return (read_html if is_html(text) else read_table)(text, path), ()
    if is_excerpts(text):
        return read_excerpts(text), ()
    book, findings = read_markdown(text, path)
    if not book.drafts and is_plain_text(text):
        return [read_plain_text(text, path)], findings
    return [book], findings


def _refused(path: Path, code: str, message: str) -> QuoteFile:
    return QuoteFile((), (unreadable_finding(path, code, message),))


def _finding(path: Path, remark: LineRemark) -> Finding:
    where = Locator(path=display_path(path), line=remark.line)
    return Finding(code=f"quotes.{remark.code}", severity=Severity.WARNING, message=remark.message, where=where)


def _guess(path: Path, encoding: str) -> Finding:
    message = f"The file is not UTF-8; it was read as {encoding}. If the text looks wrong, save it as UTF-8."
    return Finding(
        code="file.encoding", severity=Severity.INFO, message=message, where=Locator(path=display_path(path))
    )
