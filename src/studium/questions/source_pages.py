"""The evidence of a question in its source: the text around the quote, and the page with the quote marked."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from studium.core.domain.errors import BadInput, NotFound
from studium.core.process_limits import OCR_TIMES
from studium.core.reader_process import outside_server

if TYPE_CHECKING:
    from studium.core.documents.pdf.page_images import QuoteMark
    from studium.core.documents.pdf.pdfium import Pdf
    from studium.core.domain.document import PageImage
    from studium.core.domain.finding import Evidence, Locator
    from studium.core.domain.run import Run

_LINES_AROUND = 12
_BEFORE, _AFTER = 350, 900
"""How many characters of the source are shown before and after a quote."""
_GONE = "The document may have been moved or deleted; its questions and quotes are kept."


@dataclass(frozen=True)
class MarkedPage:
    """A page with a quote: its number, the number of pages, and the boxes around the quote's lines."""

    number: int
    of: int
    marks: "tuple[QuoteMark, ...]"


def document_of(run: "Run", named: str | None = None) -> Path:
    """The path of a document of a run, by default of its only one; other files are never opened."""
    from studium.core.documents.registry import READERS

    if run.feature != "questions":
        raise BadInput(
            f"Run {run.id} is a run of {run.feature}, not of questions.", remedy="`studium runs list` lists all runs."
        )
    root = _resolve(str(run.arguments.get("root", "")))
    path = _resolve(named) if named else root
    if not path.is_file() or not (path == root or (path.is_relative_to(root) and path.suffix.lower() in READERS)):
        raise _gone()
    return path


def _resolve(named: str) -> Path:
    try:
        return Path(named).resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:  # also circular links and invalid file names
        raise _gone() from error


def _gone() -> NotFound:
    return NotFound("The run has no such document, or the file no longer exists.", remedy=_GONE)


@outside_server(lambda path, _evidence: path.name, times=OCR_TIMES)
def source_around(path: Path, evidence: "Evidence") -> str:
    """The text around a quote; empty if the document has changed and no longer contains it."""
    from studium.core.text.locate import locate

    text = _near(path, evidence.where)
    span = locate(text, evidence.quote)
    if span is None:
        return ""
    start, end = max(0, span.start - _BEFORE), min(len(text), span.end + _AFTER)
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


def _near(path: Path, where: "Locator") -> str:
    """The text of the page, or the lines before and after the place."""
    from studium.core.documents.registry import read_document
    from studium.core.domain.finding import unusable_error

    reading = read_document(path)
    if reading.document is None:
        raise unusable_error(reading.findings)
    document = reading.document
    if where.page is not None and 1 <= where.page <= len(document.pages):
        return document.pages[where.page - 1].text
    first = where.line or 1
    lines = document.lines(first - _LINES_AROUND, (where.end_line or first) + _LINES_AROUND)
    return "\n".join(line.text for line in lines)


def has_page_images(path: str) -> bool:
    """Whether the pages of a document can be shown as images."""
    return path.lower().endswith(".pdf")


@outside_server(lambda path, number: f"Page {number} of {path.name}")
def page_image(path: Path, number: int) -> "PageImage":
    """A page of a PDF as an image."""
    from studium.core.documents.pdf.page_images import page_jpeg
    from studium.core.domain.document import PageRenderError

    pdf = _open_pdf(path)
    try:
        return page_jpeg(pdf, number)
    except PageRenderError as error:
        raise NotFound(str(error), remedy="Choose another page.") from error
    finally:
        pdf.close()


@outside_server(lambda path, number, _quote: f"Page {number} of {path.name}")
def marked_page(path: Path, number: int, quote: str) -> MarkedPage:
    """A page of a PDF with the places of a quote."""
    from studium.core.documents.pdf.page_images import find_quote_marks

    pdf = _open_pdf(path)
    try:
        if not 1 <= number <= pdf.page_count:
            raise NotFound(
                f"There is no page {number}: the document has {pdf.page_count} pages.", remedy="Choose another page."
            )
        return MarkedPage(number, pdf.page_count, tuple(find_quote_marks(pdf, number - 1, quote)))
    finally:
        pdf.close()


def _open_pdf(path: Path) -> "Pdf":
    from pypdfium2 import PdfiumError

    from studium.core.documents.files import read_bytes
    from studium.core.documents.pdf.pdfium import Pdf

    if not has_page_images(path.name):
        raise BadInput(f"{path.name} has no page images.", remedy="Only PDFs have them; read its text instead.")
    file = read_bytes(path)
    if file.data is None:
        raise BadInput("; ".join(map(str, file.findings)))
    try:
        return Pdf(file.data)
    except PdfiumError as error:
        raise BadInput(f"{path.name} cannot be opened: {error}.", remedy="Download or export the PDF again.") from error
