"""Documents: a source read into lines, pages and visuals, the same for every format."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import accumulate
from typing import Literal, Protocol

from studium.core.domain.finding import Evidence, Finding, Locator
from studium.core.text.locate import Searchable, Span

PASSAGE_LIMIT = 1200

_LINE_END = re.compile(r"\r\n|\n|\r")
# The better places to cut a long paragraph come first: sentences, clauses and lines, words.
_CUTS = tuple(
    re.compile(pattern)
    for pattern in (
        r"[.!?\u2026][\"')\]\u2019\u201d\xbb]*\s+|[\u3002\uff01\uff1f][\u300d\u300f]?",
        r"[;:,\u3001]\s*|\n",
        r"\s+",
    )
)


@dataclass(frozen=True)
class Visual:
    """A figure, table or image: its place, its caption, and its image file, if it has one."""

    kind: Literal["figure", "table", "image"]
    caption: str
    where: Locator
    source: str = ""


@dataclass(frozen=True)
class Passage:
    """A span of a document, from the character `start` up to `end` of its text.

    The id is a hash of the text, so an unchanged passage keeps its id when it moves.
    """

    id: str
    text: str
    where: Locator
    heading: str = ""
    kind: str = "text"
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class DocumentLine:
    """One line of a document, without its line end."""

    number: int
    text: str
    page: int | None = None


@dataclass(frozen=True)
class Block:
    """A span of a page that belongs together (a paragraph, list, quote, code block or table) and the headings over it.

    What is `whole` makes no sense in parts, and is never cut.
    """

    span: Span
    kind: str = "text"
    heading: str = ""
    whole: bool = False


@dataclass(frozen=True)
class Picture:
    """A visual on a page: its kind, its caption or file, and its position in the page's text."""

    kind: Literal["figure", "table", "image"]
    caption: str
    at: int
    source: str = ""


class Page(Protocol):
    """What a reader provides: one page, or the whole text if there are no pages. Its text ends with a line end."""

    @property
    def number(self) -> int | None:
        """The page's number, if the format has pages."""
        ...

    @property
    def text(self) -> str:
        """The text as in the source."""
        ...

    def blocks(self) -> Sequence[Block]:
        """The blocks of the page, in order."""
        ...

    def pictures(self) -> Sequence[Picture]:
        """The visuals on the page."""
        ...


@dataclass(frozen=True)
class PageImage:
    """An image of a page, in a size that every vision model accepts."""

    media_type: str
    data: bytes


class PageRenderError(Exception):
    """This page cannot be rendered; others may."""


@dataclass(frozen=True)
class Document:
    """A source read into lines, pages and visuals.

    `pages` may be a sequence that reads each page when it is asked for: `document.pages[2].text` then reads one page,
    `document.text` all of them; what is found while a page is read is added to `page_findings`. `paint` shows a page
    (counted from 1) where the format has a layout; it raises `UnpaintablePageError` for a page that cannot be shown.
    """

    path: str
    kind: str
    id: str
    pages: Sequence[Page]
    paint: Callable[[int], PageImage] | None = None
    page_findings: Sequence[Finding] = field(default=(), compare=False)

    @cached_property
    def text(self) -> str:
        """The pages in order."""
        return "".join(page.text for page in self.pages)

    @property
    def line_count(self) -> int:
        """The number of lines."""
        return len(self._line_starts)

    def lines(self, start: int = 1, end: int | None = None) -> tuple[DocumentLine, ...]:
        """The lines from `start` to `end`, both included, counted from 1; none beyond the end of the document."""
        last = self.line_count if end is None else min(end, self.line_count)
        return tuple(self._line(number) for number in range(max(start, 1), last + 1))

    def line_at(self, offset: int) -> tuple[int, int]:
        """The line number and the column of a position in the text."""
        number = bisect_right(self._line_starts, offset)
        return number, offset - self._line_starts[number - 1]

    def visuals(self) -> tuple[Visual, ...]:
        """All visuals, in order."""
        return tuple(
            Visual(picture.kind, picture.caption, self._where(Span(at, at)), picture.source)
            for page, start in zip(self.pages, self._page_starts, strict=True)
            for picture in page.pictures()
            for at in [start + picture.at]
        )

    def passages(self) -> tuple[Passage, ...]:
        """The document as passages of limited length; code blocks and tables stay whole."""
        return tuple(self._passage(span, block) for span, block in self._parts)

    def passages_around(self, quote: str) -> tuple[Passage, ...]:
        """The passages that a quote is in, several if it goes beyond one; none if it is not in the document."""
        span = self._searchable.locate(quote)
        if span is None:
            return ()
        parts = ((part, block) for part, block in self._parts if part.start < span.end and span.start < part.end)
        return tuple(self._passage(part, block) for part, block in parts)

    def locate(self, quote: str) -> Evidence | None:
        """The evidence for a quote in the original wording; `None` if it is not in the document."""
        span = self._searchable.locate(quote)
        if span is None or not self._parts:
            return None
        index = bisect_right(self._parts, span.start, key=lambda part: part[0].start) - 1
        around, _ = self._parts[max(index, 0)]
        return Evidence(
            passage=content_id(self.text[around.start : around.end]),
            quote=self.text[span.start : span.end],
            where=self._where(span),
        )

    @cached_property
    def _searchable(self) -> Searchable:
        return Searchable(self.text)

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        return starts if starts[-1] < len(self.text) else starts[:-1]

    @cached_property
    def _page_starts(self) -> list[int]:
        return list(accumulate((len(page.text) for page in self.pages), initial=0))[:-1]

    @cached_property
    def _parts(self) -> list[tuple[Span, Block]]:
        """The spans of the passages, each with its block."""
        return [
            (span, block)
            for page, start in zip(self.pages, self._page_starts, strict=True)
            for block in page.blocks()
            for span in _cut(self.text, Span(start + block.span.start, start + block.span.end), whole=block.whole)
        ]

    def _passage(self, span: Span, block: Block) -> Passage:
        text = self.text[span.start : span.end]
        return Passage(content_id(text), text, self._where(span), block.heading, block.kind, span.start, span.end)

    def _line(self, number: int) -> DocumentLine:
        start = self._line_starts[number - 1]
        end = self._line_starts[number] if number < self.line_count else len(self.text)
        return DocumentLine(number, self.text[start:end].rstrip("\r\n"), self._page_at(start))

    def _page_at(self, offset: int) -> int | None:
        return self.pages[bisect_right(self._page_starts, offset) - 1].number

    def _where(self, span: Span) -> Locator:
        first = bisect_right(self._line_starts, span.start)
        last = bisect_right(self._line_starts, max(span.start, span.end - 1))
        return Locator(path=self.path, line=first, end_line=last, page=self._page_at(span.start))


def content_id(text: str) -> str:
    """The short hash of a text, used as its id."""
    return sha256(text.encode()).hexdigest()[:16]


def _cut(text: str, span: Span, *, whole: bool) -> Iterator[Span]:
    """A span split into parts within the limit, each without surrounding white space."""
    start = span.start
    while start < span.end:
        end = span.end if whole else _end_of_part(text, Span(start, span.end))
        part = text[start:end]
        if part.strip():
            yield Span(start + len(part) - len(part.lstrip("\r\n")), start + len(part.rstrip()))
        start = end


def _end_of_part(text: str, span: Span) -> int:
    """The end of the part that starts here: the last good place to cut within the limit."""
    limit = span.start + PASSAGE_LIMIT
    if span.end <= limit:
        return span.end
    for cut in _CUTS:
        places = [match.end() for match in cut.finditer(text, span.start, limit)]
        if places and places[-1] > span.start + PASSAGE_LIMIT // 4:
            return places[-1]
    return limit
