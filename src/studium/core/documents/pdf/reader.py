"""Read a PDF page by page on demand, with OCR for scanned pages if it is installed."""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache, partial
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, overload

from studium.core.documents.files import display_path, read_bytes, unreadable_finding
from studium.core.documents.markdown import split_blocks
from studium.core.documents.pdf.code_blocks import is_typewritten
from studium.core.documents.pdf.figures import PageGraphics, find_pictures, read_graphics
from studium.core.documents.pdf.headers_footers import remove_headers_footers
from studium.core.documents.pdf.layout import (
    MAX_CHARACTERS,
    PageLayout,
    TextPiece,
    body_size,
    read_layout,
    sort_in_reading_order,
)
from studium.core.documents.pdf.page_images import page_jpeg, render_page
from studium.core.documents.pdf.paragraphs import build_text
from studium.core.documents.pdf.pdfium import Pdf
from studium.core.documents.pdf.stream_limits import bound_streams
from studium.core.documents.plain_text import split_lines
from studium.core.documents.registry import ReadResult, fault_finding
from studium.core.domain.document import Block, Document, PageRenderError, Picture
from studium.core.domain.finding import Finding, Locator, Severity

log = logging.getLogger(__name__)
_LONGEST_SIDE = 2000
# Lines are found in a smaller image, which takes a third of the time, and read in the large one.
_SETTINGS = {
    "Global.log_level": "critical",
    "Global.use_cls": False,
    "Det.limit_type": "max",
    "Det.limit_side_len": 1280,
}
_ONE_AT_A_TIME = threading.Lock()


def is_ocr_available() -> bool:
    """Whether the `ocr` extra is installed."""
    return find_spec("rapidocr") is not None


def recognise_text(pdf: Pdf, index: int) -> PageLayout:
    """Recognise the text of a page (from 0)."""
    import numpy as np

    image = render_page(pdf, index, _LONGEST_SIDE)
    with _ONE_AT_A_TIME:
        found = _engine()(np.asarray(image)[:, :, ::-1])
    pieces = [
        _piece(text, corners, image.height)
        for text, corners in zip(found.txts or (), found.boxes if found.boxes is not None else (), strict=True)
        if text.strip()
    ]
    return PageLayout(pieces, "\n".join(piece.text for piece in pieces), width=image.width, height=image.height)


def _piece(text: str, corners: Any, height: int) -> TextPiece:
    across, down = corners[:, 0], corners[:, 1]
    return TextPiece(
        text.strip(), float(across.min()), height - float(down.max()), float(across.max()), height - float(down.min())
    )


@cache
def _engine() -> Any:
    """The OCR engine with the models of its package; nothing is downloaded."""
    import rapidocr

    return rapidocr.RapidOCR(params=dict(_SETTINGS))


# How much of each page is searched for words that are broken at the end of a line.
_KNOWN = 20_000
# Left and right pages have different headers: the page after the next shows what recurs.
_AROUND = (-2, -1, 1, 2)
PageLayoutReader = Callable[[int], PageLayout]


class PdfSource:
    """An open PDF whose pages are read one at a time; `lay` reads the layout of a page."""

    def __init__(self, pdf: Pdf, lay: PageLayoutReader, path: str, page_count: int, max_characters: int) -> None:
        self._pdf = pdf
        self._lay = lay
        self._path = path
        self._max_characters = self._room = max_characters
        self.page_count = page_count
        self.findings: list[Finding] = []

    def text_of(self, index: int) -> str:
        """The text of a page (from 0); a page that cannot be read becomes a finding."""
        if self._room < 0:
            return "\n"
        try:
            text = self._text_of(index)
        except MemoryError:
            raise
        except Exception as error:
            log.exception("page could not be read", extra={"path": self._path, "page": index + 1})
            self.findings.append(fault_finding(self._path, error, index + 1))
            return "\n"
        self._room -= len(text)
        if self._room < 0 and index + 1 < self.page_count:
            message = (
                f"The PDF has more than {self._max_characters:,} characters and shapes: "
                "the pages after this one are left out."
            )
            self.findings.append(_limit_finding(self._path, message, index + 1))
        return text

    def _text_of(self, index: int) -> str:
        layout = self._lay(index)
        self._room -= _SHAPE_COST * layout.objects
        if layout.is_cut:
            message = f"The page has more than {MAX_CHARACTERS:,} characters: the rest is left out."
            self.findings.append(_limit_finding(self._path, message, index + 1))
        around = {off: self._lay(index + off) for off in _AROUND if 0 <= index + off < self.page_count}
        near = (layout, *around.values())
        body = body_size(near)
        columns = sort_in_reading_order(remove_headers_footers(index + 1, layout, around, body))
        fonts = replace(layout.fonts, monospaced=frozenset()) if is_typewritten(near) else layout.fonts
        text = build_text(columns, body, [page.text[:_KNOWN] for page in near], fonts)
        return (text + "".join(f"\n{line}\n" for line in layout.sideways)) or "\n"

    def pictures_of(self, index: int, text: str, blocks: Sequence[Block]) -> Sequence[Picture]:
        """The visuals of a page; of a page that cannot be opened, only those in its text."""
        from pypdfium2 import PdfiumError

        if self._room < 0:
            return ()
        try:
            with self._pdf.page(index) as page:
                sight = read_graphics(page)
        except PdfiumError:
            sight = PageGraphics()
        try:
            return find_pictures(text, blocks, self._lay(index).pieces, sight)
        except MemoryError:
            raise
        except Exception as error:
            log.exception("pictures could not be read", extra={"path": self._path, "page": index + 1})
            self.findings.append(fault_finding(self._path, error, index + 1))
            return ()


class PdfPage:
    """One page: its text in reading order, without headers, footers and page numbers."""

    def __init__(self, number: int, source: PdfSource) -> None:
        self.number = number
        self._source = source

    @cached_property
    def text(self) -> str:
        """The text with headings, lists and tables as Markdown."""
        return self._source.text_of(self.number - 1)

    def blocks(self) -> Sequence[Block]:
        """Paragraphs, lists and tables with the headings of this page."""
        return self._blocks

    def pictures(self) -> Sequence[Picture]:
        """Images, tables and captioned figures."""
        return self._source.pictures_of(self.number - 1, self.text, self._blocks)

    @cached_property
    def _blocks(self) -> list[Block]:
        return list(split_blocks(split_lines(self.text)))


class PdfPages(Sequence[PdfPage]):
    """The pages of a PDF; each is created once and keeps its text."""

    def __init__(self, source: PdfSource) -> None:
        self._source = source
        self._pages: dict[int, PdfPage] = {}

    def __len__(self) -> int:
        return self._source.page_count

    @overload
    def __getitem__(self, index: int) -> PdfPage: ...
    @overload
    def __getitem__(self, index: slice) -> list[PdfPage]: ...
    def __getitem__(self, index: int | slice) -> PdfPage | list[PdfPage]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        return self._pages.setdefault(place, PdfPage(place + 1, self._source))

    def __iter__(self) -> Iterator[PdfPage]:
        return (self[index] for index in range(len(self)))


# Pages are read in order, each together with two neighbours on both sides.
_AT_HAND = 8
MAX_PAGES = 10_000
# All pages together may have so many characters and shapes, and so many more for each byte of the file: pages that
# share one content cost each as much as if it were their own.
_LEAST_CHARACTERS, _RATIO = 500_000, 20
_SHAPE_COST = 4  # in characters
_NO_PAGES = "The PDF has no pages. Export it again."


def read(path: Path, *, max_bytes: int) -> ReadResult:
    """Open a PDF; a scanned one is read by OCR if the extra is installed."""
    from pypdfium2 import PdfiumError

    file = read_bytes(path, max_bytes=max_bytes)
    if file.data is None:
        return ReadResult(None, file.findings)
    bounded = bound_streams(file.data)
    if bounded.is_refused:
        message = f"The PDF {bounded.limits[0]}, which no document does. It is not read; export it again."
        return ReadResult(None, (unreadable_finding(path, "limit", message),))
    try:
        pdf = Pdf(bounded.data)
    except PdfiumError as error:
        return ReadResult(None, (_refusal(path, str(error)),))
    if pdf.page_count == 0:
        return ReadResult(None, (unreadable_finding(path, "no_pages", _NO_PAGES),))
    written: PageLayoutReader = lru_cache(maxsize=_AT_HAND)(partial(_written, pdf))
    page_count = min(pdf.page_count, MAX_PAGES)
    scanned = not bounded.limits and _is_scanned(written, page_count)
    recognised: PageLayoutReader = lru_cache(maxsize=_AT_HAND)(partial(_recognised, pdf))
    lay = recognised if scanned and is_ocr_available() else written
    source = PdfSource(pdf, lay, display_path(path), page_count, _LEAST_CHARACTERS + _RATIO * len(file.data))
    name = sha256(file.data).hexdigest()[:16]
    document = Document(
        display_path(path), "pdf", name, PdfPages(source), partial(page_jpeg, pdf), page_findings=source.findings
    )
    limits = [_limit_finding(document.path, f"The PDF has {limit}: they are left out.") for limit in bounded.limits]
    if pdf.page_count > MAX_PAGES:
        limits.append(
            _limit_finding(document.path, f"The PDF has {pdf.page_count:,} pages: only {MAX_PAGES:,} are read.")
        )
    return ReadResult(document, (*limits, *([_scan_finding(path)] if scanned else ())))


def _limit_finding(path: str, message: str, page: int | None = None) -> Finding:
    where = Locator(path=path, page=page)
    return Finding(code="document.limit", severity=Severity.WARNING, message=message, where=where)


def _refusal(path: Path, reason: str) -> Finding:
    if "password" in reason.lower():
        return unreadable_finding(
            path, "encrypted", "The PDF is encrypted and needs a password. Save a copy without one."
        )
    return unreadable_finding(
        path, "broken", "The file is no PDF that can be opened: damaged, or cut off. Fetch or export it again."
    )


def _is_scanned(written: PageLayoutReader, page_count: int) -> bool:
    """Whether most pages have no text, judged by the first and the middle page; if they differ, by the last."""
    first, middle = _has_only_images(written(0)), _has_only_images(written(page_count // 2))
    return first if first == middle else _has_only_images(written(page_count - 1))


def _has_only_images(layout: PageLayout) -> bool:
    return not layout.is_blank and not layout.text.strip()


def _written(pdf: Pdf, index: int) -> PageLayout:
    """The layout of a page; empty if it cannot be opened."""
    from pypdfium2 import PdfiumError

    try:
        with pdf.page(index) as page:
            return read_layout(page)
    except PdfiumError:
        return PageLayout()


def _recognised(pdf: Pdf, index: int) -> PageLayout:
    """The layout of a page, read by OCR if it has no text."""
    layout = _written(pdf, index)
    if not _has_only_images(layout):
        return layout
    try:
        return recognise_text(pdf, index)
    except PageRenderError:
        return layout


def _scan_finding(path: Path) -> Finding:
    where = Locator(path=display_path(path))
    if is_ocr_available():
        message = "The PDF is scanned: its text was recognised from images (OCR), and may have errors."
        return Finding(code="document.ocr", severity=Severity.INFO, message=message, where=where)
    message = (
        "The PDF is scanned: its pages are images without text. They can be viewed; to read their text, "
        "run `pip install 'studium[ocr]'`, or save a copy that was recognised."
    )
    return Finding(code="document.no_text", severity=Severity.WARNING, message=message, where=where)
