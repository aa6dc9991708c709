"""What can be asked about the proof of a question: the source around its quote, and the page that it stands on."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from studium.core.domain.errors import BadInput, NotFound

if TYPE_CHECKING:
    from studium.core.documents.pdf.page_images import QuoteMark
    from studium.core.documents.pdf.pdfium import Pdf
    from studium.core.domain.document import PageImage
    from studium.core.domain.finding import Evidence, Locator
    from studium.core.domain.run import Run

_LINES_AROUND = 12
_BEFORE, _AFTER = 350, 900
"""So many characters of a source are shown before and after a quote."""
_GONE = "What was asked about may have been moved or deleted; the questions and their quotes are kept."


@dataclass(frozen=True)
class MarkedPage:
    """A page that a quote stands on: its number, how many there are, and the boxes around the quote's lines."""

    number: int
    of: int
    marks: "tuple[QuoteMark, ...]"


def document_of(run: "Run", named: str | None = None) -> Path:
    """The document of a run that is named, or its only one; no other file is ever told of."""
    from studium.core.documents.registry import READERS

    if run.feature != "questions":
        raise BadInput(f"Run {run.id} made {run.feature}, no questions.", remedy="`studium runs list` shows all.")
    root = _resolved(str(run.arguments.get("root", "")))
    path = _resolved(named) if named else root
    if not path.is_file() or not (path == root or (path.is_relative_to(root) and path.suffix.lower() in READERS)):
        raise _gone()
    return path


def _resolved(named: str) -> Path:
    try:
        return Path(named).resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:  # also links in a circle, and what no file can be called
        raise _gone() from error


def _gone() -> NotFound:
    return NotFound("The run has no such document, or it is gone.", remedy=_GONE)


def source_around(path: Path, evidence: "Evidence") -> str:
    """The text around a quote; nothing where the document changed since and does not hold it any more."""
    from studium.core.text.locate import locate

    text = _near(path, evidence.where)
    span = locate(text, evidence.quote)
    if span is None:
        return ""
    start, end = max(0, span.start - _BEFORE), min(len(text), span.end + _AFTER)
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


def _near(path: Path, where: "Locator") -> str:
    """The page that a place is on, or the lines before and after it."""
    from studium.core.documents.registry import read_document

    reading = read_document(path)
    if reading.document is None:
        raise BadInput("; ".join(map(str, reading.findings)))
    document = reading.document
    if where.page is not None and 1 <= where.page <= len(document.pages):
        return document.pages[where.page - 1].text
    first = where.line or 1
    lines = document.lines(first - _LINES_AROUND, (where.end_line or first) + _LINES_AROUND)
    return "\n".join(line.text for line in lines)


def has_page_images(path: str) -> bool:
    """Whether the pages of a document can be shown as they look."""
    return path.lower().endswith(".pdf")


def page_image(path: Path, number: int) -> "PageImage":
    """A page of a PDF as it looks."""
    from studium.core.documents.pdf.page_images import page_jpeg
    from studium.core.domain.document import PageRenderError

    pdf = _opened(path)
    try:
        return page_jpeg(pdf, number)
    except PageRenderError as error:
        raise NotFound(str(error), remedy="Ask for another page.") from error
    finally:
        pdf.close()


def marked_page(path: Path, number: int, quote: str) -> MarkedPage:
    """Where a quote stands on a page of a PDF."""
    from studium.core.documents.pdf.page_images import find_quote_marks

    pdf = _opened(path)
    try:
        if not 1 <= number <= pdf.page_count:
            raise NotFound(f"There is no page {number}: the document has {pdf.page_count}.", remedy="Ask for another.")
        return MarkedPage(number, pdf.page_count, tuple(find_quote_marks(pdf, number - 1, quote)))
    finally:
        pdf.close()


def _opened(path: Path) -> "Pdf":
    from pypdfium2 import PdfiumError

    from studium.core.documents.files import read_bytes
    from studium.core.documents.pdf.pdfium import Pdf

    if not has_page_images(path.name):
        raise BadInput(f"{path.name} has no pages that could be shown.", remedy="Only PDFs have; read its text.")
    file = read_bytes(path)
    if file.data is None:
        raise BadInput("; ".join(map(str, file.findings)))
    try:
        return Pdf(file.data)
    except PdfiumError as error:
        raise BadInput(f"{path.name} cannot be opened: {error}.", remedy="Fetch or export the PDF again.") from error
