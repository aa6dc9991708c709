"""Read a PDF in a reader process, some pages at a time, so that the limits hold for these pages."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path

from studium.core.documents.files import display_path, unreadable_finding
from studium.core.documents.markdown import split_blocks
from studium.core.documents.pdf import reader
from studium.core.documents.plain_text import split_lines
from studium.core.documents.registry import ReadResult, limit_finding
from studium.core.domain.document import Block, Document, PageImage, PageRenderError, Picture
from studium.core.domain.errors import LimitPassed
from studium.core.domain.finding import Finding
from studium.core.process_limits import OCR_TIMES
from studium.core.reader_process import is_reader, read_apart

log = logging.getLogger(__name__)
_PAGES_AT_ONCE = 50
_CHANGED = "The PDF changed while it was being read. Run the command again."


@dataclass(frozen=True)
class _Opened:
    """What is known of a PDF once it is open; without an `id` it cannot be read, and the findings say why."""

    id: str
    page_count: int
    findings: tuple[Finding, ...]
    is_recognised: bool = False


@dataclass(frozen=True)
class _PageTexts:
    """The texts of some pages, and what was found while they were read."""

    texts: list[str]
    findings: list[Finding]


@dataclass(frozen=True)
class BoundedPage:
    """One page that was read in a reader process."""

    number: int
    text: str
    file: "_PdfFile"

    def blocks(self) -> Sequence[Block]:
        """Paragraphs, lists and tables with the headings of this page."""
        return self._blocks

    def pictures(self) -> Sequence[Picture]:
        """Images, tables and captioned figures."""
        return _pictures_apart(self.file, self.number - 1)

    @cached_property
    def _blocks(self) -> list[Block]:
        return list(split_blocks(split_lines(self.text)))


def read(path: Path, *, max_bytes: int) -> ReadResult:
    """Open a PDF and read all of its pages; a scanned one is read by OCR if the extra is installed."""
    if is_reader():
        return reader.read(path, max_bytes=max_bytes)
    try:
        return _read(path, max_bytes)
    except LimitPassed as passed:
        return ReadResult(None, (limit_finding(path, passed),))


def _read(path: Path, max_bytes: int) -> ReadResult:
    what = display_path(path)
    opened = read_apart(_open, path, max_bytes, what=what)
    if not opened.id:
        return ReadResult(None, opened.findings)
    file = _PdfFile(path, max_bytes, opened.id, OCR_TIMES if opened.is_recognised else 1)
    step = 1 if opened.is_recognised else _PAGES_AT_ONCE
    try:
        ranges = [range(start, min(start + step, opened.page_count)) for start in range(0, opened.page_count, step)]
        parts = [read_apart(_texts, file, pages, what=what, times=file.times) for pages in ranges]
    except _ChangedFileError:
        return ReadResult(None, (unreadable_finding(path, "changed", _CHANGED),))
    texts = (text for part in parts for text in part.texts)
    pages = [BoundedPage(number, text, file) for number, text in enumerate(texts, start=1)]
    found = tuple(finding for part in parts for finding in part.findings)
    document = Document(what, "pdf", opened.id, pages, partial(_paint_apart, file), page_findings=found)
    return ReadResult(document, opened.findings)


@dataclass(frozen=True)
class _PdfFile:
    """A PDF file as it was when it was first read."""

    path: Path
    max_bytes: int
    id: str
    times: int
    """How many times the usual limits reading some pages may take."""


class _ChangedFileError(Exception):
    """The file is no longer the one that was opened."""


@lru_cache(maxsize=64)
def _pictures_apart(file: _PdfFile, index: int) -> Sequence[Picture]:
    try:
        return read_apart(_pictures, file, index, what=display_path(file.path), times=file.times)
    except (LimitPassed, _ChangedFileError) as error:
        log.warning("pictures of a page were not read", extra={"page": index + 1, "why": str(error)})
        return ()


def _paint_apart(file: _PdfFile, number: int) -> PageImage:
    try:
        return read_apart(_paint, file, number, what=f"Page {number} of {display_path(file.path)}")
    except LimitPassed as passed:
        raise PageRenderError(f"{passed} Try another page.") from passed
    except _ChangedFileError as error:
        raise PageRenderError(_CHANGED) from error


# --- in the reader process


def _open(path: Path, max_bytes: int) -> _Opened:
    reading = _reading(path, max_bytes)
    if reading.document is None:
        return _Opened("", 0, reading.findings)
    is_recognised = any(finding.code == "document.ocr" for finding in reading.findings)
    return _Opened(reading.document.id, len(reading.document.pages), reading.findings, is_recognised)


def _texts(file: _PdfFile, pages: range) -> _PageTexts:
    document = _document(file)
    texts = [document.pages[index].text for index in pages]
    found = [each for each in document.page_findings if each.where and (each.where.page or 0) - 1 in pages]
    return _PageTexts(texts, found)


def _pictures(file: _PdfFile, index: int) -> Sequence[Picture]:
    return tuple(_document(file).pages[index].pictures())


def _paint(file: _PdfFile, number: int) -> PageImage:
    document = _document(file)
    if document.paint is None:
        raise PageRenderError("A PDF without pages cannot be shown.")
    return document.paint(number)


def _document(file: _PdfFile) -> Document:
    document = _reading(file.path, file.max_bytes).document
    if document is None or document.id != file.id:
        raise _ChangedFileError
    return document


def _reading(path: Path, max_bytes: int) -> ReadResult:
    try:
        status = path.stat()
        stamp = (status.st_mtime_ns, status.st_size)
    except OSError:
        stamp = (0, 0)
    return _kept_reading(path, max_bytes, stamp)


@lru_cache(maxsize=1)
def _kept_reading(path: Path, max_bytes: int, _stamp: tuple[int, int]) -> ReadResult:
    return reader.read(path, max_bytes=max_bytes)
