"""Where a quote stands on a page as it is seen, so that it can be marked on the page's image."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from studium.domain.locating import Searchable, Span
from studium.readers.pdf.boxes import Box, Boxes
from studium.readers.pdf.pdfium import Pdf

if TYPE_CHECKING:
    import pypdfium2

# pdfium's signs for a word that was broken at the end of a line; as a hyphen, a quote without it still fits.
_BREAKS = str.maketrans({"\x02": "-", "\ufffe": "-"})
# What our text of a page has of Markdown, and the page itself has not.
_MARKDOWN = re.compile(r"^\s*(?:#{1,6}|[-*+]|\d+[.)])\s+|\|", re.MULTILINE)
_LEAST = 4


class Mark(NamedTuple):
    """A box on a page; its edges are shares of the page's width and height, counted from its upper left corner."""

    left: float
    top: float
    width: float
    height: float


def marks_of(pdf: Pdf, index: int, quote: str) -> list[Mark]:
    """The boxes around a quote on a page, counted from 0, one a line; none where it is not written there."""
    from pypdfium2 import PdfiumError

    try:
        with pdf.page(index) as page:
            textpage = page.get_textpage()
            try:
                return _marks(page, textpage, quote)
            finally:
                textpage.close()
    except PdfiumError:
        return []


def _marks(page: "pypdfium2.PdfPage", textpage: "pypdfium2.PdfTextPage", quote: str) -> list[Mark]:
    boxes = Boxes(page, textpage)
    text = textpage.get_text_range()
    found: list[Mark] = []
    for span in _spans(text.translate(_BREAKS), quote):
        first, last = (boxes.character_at(len(text[:at].encode("utf-16-le")) // 2) for at in (span.start, span.end - 1))
        found += [_mark(run, boxes) for run in boxes.of_runs(first, max(last - first + 1, 1))]
    return [mark for mark in found if mark.width > 0 and mark.height > 0]


def _spans(text: str, quote: str) -> Iterator[Span]:
    """Where the quote stands: as a whole, or else each of its lines that is found."""
    searchable = Searchable(text)
    if whole := searchable.locate(quote):
        yield whole
        return
    for line in _MARKDOWN.sub("\n", quote).splitlines():
        if len(line.strip()) >= _LEAST and (span := searchable.locate(line)):
            yield span


def _mark(box: Box, boxes: Boxes) -> Mark:
    left, top, right, bottom = box
    width, height = boxes.width or 1, boxes.height or 1
    shares = (left / width, 1 - top / height, (right - left) / width, (top - bottom) / height)
    return Mark(*(round(min(max(share, 0.0), 1.0), 5) for share in shares))
