"""A PDF becomes a Document whose pages are read when they are asked for."""

from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path

from studium.domain.document import Document, UnpaintablePageError
from studium.domain.finding import Finding, Locator, Severity
from studium.readers.files import read_bytes, refuse, shown
from studium.readers.pdf.page import Lay, PdfPages, Source
from studium.readers.pdf.painting import paint
from studium.readers.pdf.pdfium import Pdf
from studium.readers.pdf.pieces import Layout, layout_of
from studium.readers.pdf.recognising import can_recognise, recognise
from studium.readers.reading import Reading

# Pages are read one after the other, each with a look at two on both sides.
_AT_HAND = 8
_NO_PAGES = "The PDF has no pages. Export it again."


def read(path: Path, *, max_bytes: int) -> Reading:
    """Open a PDF; the text of a scanned one comes by recognition, if the extra for it is installed."""
    from pypdfium2 import PdfiumError

    file = read_bytes(path, max_bytes=max_bytes)
    if file.data is None:
        return Reading(None, file.findings)
    try:
        pdf = Pdf(file.data)
    except PdfiumError as error:
        return Reading(None, (_refusal(path, str(error)),))
    if pdf.page_count == 0:
        return Reading(None, (refuse(path, "no_pages", _NO_PAGES),))
    written: Lay = lru_cache(maxsize=_AT_HAND)(partial(_written, pdf))
    scanned = _is_scanned(written, pdf.page_count)
    recognised: Lay = lru_cache(maxsize=_AT_HAND)(partial(_recognised, pdf))
    pages = PdfPages(Source(pdf, recognised if scanned and can_recognise() else written))
    name = sha256(file.data).hexdigest()[:16]
    document = Document(shown(path), "pdf", name, pages, partial(paint, pdf))
    return Reading(document, (_scan_finding(path),) if scanned else ())


def _refusal(path: Path, reason: str) -> Finding:
    if "password" in reason.lower():
        return refuse(path, "encrypted", "The PDF is encrypted and needs a password. Save a copy without one.")
    return refuse(
        path, "broken", "The file is no PDF that can be opened: damaged, or cut off. Fetch or export it again."
    )


def _is_scanned(written: Lay, page_count: int) -> bool:
    """Whether there is no text on most pages, judged by the first and the middle one; if they differ, by the last."""
    first, middle = not written(0).text.strip(), not written(page_count // 2).text.strip()
    return first if first == middle else not written(page_count - 1).text.strip()


def _written(pdf: Pdf, index: int) -> Layout:
    """What a page says; a page that cannot be opened says nothing, and is said to be broken when it is looked at."""
    from pypdfium2 import PdfiumError

    try:
        with pdf.page(index) as page:
            return layout_of(page)
    except PdfiumError:
        return Layout()


def _recognised(pdf: Pdf, index: int) -> Layout:
    """What a page says, read from its image if there is no text on it."""
    layout = _written(pdf, index)
    if layout.text.strip():
        return layout
    try:
        return recognise(pdf, index)
    except UnpaintablePageError:
        return layout


def _scan_finding(path: Path) -> Finding:
    where = Locator(path=shown(path))
    if can_recognise():
        message = "The PDF is scanned: its text was recognised from images (OCR), and may have errors."
        return Finding(code="document.ocr", severity=Severity.INFO, message=message, where=where)
    message = (
        "The PDF is scanned: its pages are images without text. They can be viewed; to read their text, "
        "run `pip install 'studium[ocr]'`, or save a copy that was recognised."
    )
    return Finding(code="document.no_text", severity=Severity.WARNING, message=message, where=where)
