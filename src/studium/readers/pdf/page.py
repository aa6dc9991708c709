"""The pages of a PDF, each read when it is asked for, with a look at the pages next to it."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import overload

from studium.domain.document import Block, Picture
from studium.readers.lines import source_lines
from studium.readers.markdown_blocks import markdown_blocks
from studium.readers.pdf.columns import in_reading_order
from studium.readers.pdf.flow import text_of
from studium.readers.pdf.furniture import without_furniture
from studium.readers.pdf.pdfium import Pdf
from studium.readers.pdf.pieces import Layout, size_of_body
from studium.readers.pdf.visuals import Sight, pictures_of, sight_of

# Left and right pages have headers of their own: the next page but one shows what recurs.
_AROUND = (-2, -1, 1, 2)
Lay = Callable[[int], Layout]


class Source:
    """An open PDF whose pages are read one at a time; `lay` says what is written where on one."""

    def __init__(self, pdf: Pdf, lay: Lay) -> None:
        self._pdf = pdf
        self._lay = lay
        self.page_count = pdf.page_count

    def text_of(self, index: int) -> str:
        """The text of a page, counted from 0."""
        layout = self._lay(index)
        around = {off: self._lay(index + off) for off in _AROUND if 0 <= index + off < self.page_count}
        near = (layout, *around.values())
        body = size_of_body(near)
        columns = in_reading_order(without_furniture(index + 1, layout, around, body))
        text = text_of(columns, body, [page.text for page in near])
        return (text + "".join(f"\n{line}\n" for line in layout.sideways)) or "\n"

    def pictures_of(self, index: int, text: str, blocks: Sequence[Block]) -> Sequence[Picture]:
        """What there is to see on a page; one that cannot be looked at shows only what its text says."""
        from pypdfium2 import PdfiumError

        try:
            with self._pdf.page(index) as page:
                sight = sight_of(page)
        except PdfiumError:
            sight = Sight()
        return pictures_of(text, blocks, self._lay(index).pieces, sight)


class PdfPage:
    """One page: its text in reading order, without headers, footers and page numbers."""

    def __init__(self, number: int, source: Source) -> None:
        self.number = number
        self._source = source

    @cached_property
    def text(self) -> str:
        """The text with headings, lists and tables as Markdown writes them."""
        return self._source.text_of(self.number - 1)

    def blocks(self) -> Sequence[Block]:
        """Paragraphs, lists and tables under the headings of this page."""
        return self._blocks

    def pictures(self) -> Sequence[Picture]:
        """Images, tables, and whatever has a caption."""
        return self._source.pictures_of(self.number - 1, self.text, self._blocks)

    @cached_property
    def _blocks(self) -> list[Block]:
        return list(markdown_blocks(source_lines(self.text)))


class PdfPages(Sequence[PdfPage]):
    """The pages of a PDF; each is made once, and keeps what was read."""

    def __init__(self, source: Source) -> None:
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
