"""Render pages as images that vision models accept, and find the boxes of a quote."""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from studium.core.documents.pdf.pdfium import Box, CharacterBoxes, Pdf
from studium.core.domain.document import PageImage, PageRenderError
from studium.core.extras import needs_extra
from studium.core.text.locate import Searchable, Span

if TYPE_CHECKING:
    import pypdfium2
    from PIL.Image import Image


LONGEST_SIDE = 1568
MAX_BYTES = 3_700_000
_QUALITY = 80
_SMALLER = 0.7
_LEAST_SIDE = 16
# 288 dots an inch: beyond it a small page only becomes blurred.
_MAX_SCALE = 4.0


def page_jpeg(pdf: Pdf, number: int) -> PageImage:
    """Render a page as a JPEG within the limits of pixels and bytes."""
    if not 1 <= number <= pdf.page_count:
        pages = "1 page" if pdf.page_count == 1 else f"{pdf.page_count} pages"
        raise PageRenderError(f"There is no page {number}: the document has {pages}, counted from 1.")
    image = render_page(pdf, number - 1, LONGEST_SIDE)
    data = _jpeg(image)
    while len(data) > MAX_BYTES:
        image = image.resize((int(image.width * _SMALLER), int(image.height * _SMALLER)))
        data = _jpeg(image)
    return PageImage("image/jpeg", data)


def render_page(pdf: Pdf, index: int, longest_side: int) -> "Image":
    """Render a page (from 0) as an image with a maximum side length."""
    from pypdfium2 import PdfiumError

    with needs_extra("questions", "Showing a page as an image"):
        import PIL.Image  # noqa: F401 - pypdfium2 makes one of it
    try:
        with pdf.page(index) as page:
            bitmap = page.render(scale=_scale(page, index, longest_side), rev_byteorder=True, prefer_bgrx=False)
            try:
                image: Image = bitmap.to_pil().convert("RGB")
                return image
            finally:
                bitmap.close()
    except (PdfiumError, ValueError, MemoryError) as error:
        raise PageRenderError(f"Page {index + 1} is broken ({error}). Try another page.") from error


def _scale(page: "pypdfium2.PdfPage", index: int, longest_side: int) -> float:
    width, height = page.get_size()
    # pdfium rounds a side up to the next whole pixel.
    scale: float = min((longest_side - 1) / max(width, height, 1), _MAX_SCALE)
    if min(width, height) * scale < _LEAST_SIDE:
        size = f"{width:.0f} × {height:.0f} points"
        raise PageRenderError(f"Page {index + 1} has a size that cannot be shown ({size}). Try another page.")
    return scale


def _jpeg(image: "Image") -> bytes:
    file = BytesIO()
    image.save(file, "JPEG", quality=_QUALITY)
    return file.getvalue()


# pdfium's characters for a word broken at the end of a line; read as a hyphen, a quote without it still matches.
_BREAKS = str.maketrans({"\x02": "-", "\ufffe": "-"})
# What our text of a page has of Markdown, and the page itself has not.
_MARKDOWN = re.compile(r"^[^\S\n]*(?:#{1,6}|[-*+]|\d+[.)])\s+|\|", re.MULTILINE)
_LEAST = 4


class QuoteMark(NamedTuple):
    """A box on a page; its edges are shares of the page's width and height, counted from its upper left corner."""

    left: float
    top: float
    width: float
    height: float


def find_quote_marks(pdf: Pdf, index: int, quote: str) -> list[QuoteMark]:
    """The boxes of a quote on a page (from 0), one for each line; empty if it is not found."""
    from pypdfium2 import PdfiumError

    try:
        with pdf.page(index) as page:
            textpage = page.get_textpage()
            try:
                return _quote_marks(page, textpage, quote)
            finally:
                textpage.close()
    except PdfiumError:
        return []


def _quote_marks(page: "pypdfium2.PdfPage", textpage: "pypdfium2.PdfTextPage", quote: str) -> list[QuoteMark]:
    boxes = CharacterBoxes(page, textpage)
    text = textpage.get_text_range()
    found: list[QuoteMark] = []
    for span in _spans(text.translate(_BREAKS), quote):
        first, last = (boxes.character_at(len(text[:at].encode("utf-16-le")) // 2) for at in (span.start, span.end - 1))
        found += [_mark(run, boxes) for run in boxes.of_runs(first, max(last - first + 1, 1))]
    return [mark for mark in found if mark.width > 0 and mark.height > 0]


def _spans(text: str, quote: str) -> Iterator[Span]:
    """The places of a quote: as a whole, or of each line that is found."""
    searchable = Searchable(text)
    if whole := searchable.locate(quote):
        yield whole
        return
    for line in _MARKDOWN.sub("\n", quote).splitlines():
        if len(line.strip()) >= _LEAST and (span := searchable.locate(line)):
            yield span


def _mark(box: Box, boxes: CharacterBoxes) -> QuoteMark:
    left, top, right, bottom = box
    width, height = boxes.width or 1, boxes.height or 1
    shares = (left / width, 1 - top / height, (right - left) / width, (top - bottom) / height)
    return QuoteMark(*(round(min(max(share, 0.0), 1.0), 5) for share in shares))
