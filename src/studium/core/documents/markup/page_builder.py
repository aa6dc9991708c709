"""Build the Markdown text of a page block by block, and read a markup file into a document."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from studium.core.documents.files import display_path, read_bytes
from studium.core.documents.markdown import split_blocks
from studium.core.documents.plain_text import split_lines
from studium.core.documents.registry import ReadResult
from studium.core.domain.document import Block, Document, Picture, content_id
from studium.core.domain.finding import Finding, Locator, Severity


@dataclass(frozen=True)
class MarkupPage:
    """A page as Markdown text, with its visuals."""

    text: str
    shown: tuple[Picture, ...] = ()
    number: None = None

    def blocks(self) -> Sequence[Block]:
        """Paragraphs, lists, quotes, code blocks and tables with their headings."""
        return self._blocks

    def pictures(self) -> Sequence[Picture]:
        """Its figures, tables and images."""
        return self.shown

    @cached_property
    def _blocks(self) -> list[Block]:
        return list(split_blocks(split_lines(self.text)))


@dataclass
class _ListLevel:
    """An open list item or block quote: the prefix of its first line, and of the others."""

    first: str
    rest: str


# How many nested lists and quotes are shown: each adds to every line.
_DEEPEST = 10


class PageBuilder:
    """Writes blocks of Markdown inside the open lists and quotes."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._levels: list[_ListLevel] = []
        self._beyond = 0
        self._lists = 0
        self._listed = False
        self._unplaced: list[tuple[Literal["figure", "table", "image"], str, str]] = []
        self._pictures: list[Picture] = []

    @property
    def nested(self) -> bool:
        """Whether a list item or a quote is open."""
        return bool(self._levels)

    def open_item(self, marker: str) -> None:
        """Open a list item; one with only another list in it gets no line."""
        for level in self._levels:
            level.first = level.rest
        self._open(_ListLevel(marker, " " * len(marker)))

    def open_quote(self) -> None:
        """Open a block quote."""
        self._open(_ListLevel("> ", "> "))

    def close(self) -> None:
        """Close the innermost item or quote."""
        if self._beyond:
            self._beyond -= 1
        else:
            self._levels.pop()

    def _open(self, level: _ListLevel) -> None:
        if len(self._levels) < _DEEPEST:
            self._levels.append(level)
        else:
            self._beyond += 1

    def open_list(self) -> None:
        """Open a list; there are no blank lines between its items."""
        self._lists += 1

    def close_list(self) -> None:
        """Close a list; a blank line follows the outermost one."""
        self._lists -= 1
        self._listed = self._listed and self._lists > 0

    def write(self, lines: Sequence[str]) -> None:
        """Write a block; an item follows the previous one without a blank line."""
        if not self._levels:
            self._append(lines, close=False)
            return
        begins_item = any(level.first != level.rest for level in self._levels)
        first = "".join(level.first for level in self._levels)
        rest = "".join(level.rest for level in self._levels)
        self._append([first + lines[0], *(rest + line for line in lines[1:])], close=begins_item and self._listed)
        self._listed = self._listed or begins_item
        for level in self._levels:
            level.first = level.rest

    def write_at_margin(self, lines: Sequence[str]) -> None:
        """Write a table or code, which interrupts a list: our Markdown has none inside items."""
        for level in self._levels:
            level.first = level.rest = level.rest if level.rest.startswith(">") else ""
        self._append(lines, close=False)
        self._listed = False

    def show(self, kind: Literal["figure", "table", "image"], caption: str, source: str = "") -> None:
        """Add a visual at the place where the next block starts."""
        self._unplaced.append((kind, caption, source))

    def page(self) -> MarkupPage:
        """The page."""
        self._place(self._length)
        return MarkupPage("".join([*self._parts, "\n"]) if self._parts else "", tuple(self._pictures))

    def _append(self, lines: Sequence[str], *, close: bool) -> None:
        gap = "" if not self._parts else "\n" if close else "\n\n"
        self._place(self._length + len(gap))
        text = gap + "\n".join(line.rstrip() for line in lines)
        self._parts.append(text)
        self._length += len(text)

    def _place(self, at: int) -> None:
        self._pictures += [Picture(kind, caption, at, source) for kind, caption, source in self._unplaced]
        self._unplaced = []


_UNDECODED = "\ufffd"


class UnreadableDocument(Exception):
    """A file cannot be read as a document; becomes a finding."""

    def __init__(self, code: str, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.remark = ReadRemark(Severity.ERROR, code, message, line)


@dataclass(frozen=True)
class ReadRemark:
    """A remark on a file, before its path is known."""

    severity: Severity
    code: str
    message: str
    line: int | None = None

    def finding(self, path: Path) -> Finding:
        """The remark as a finding about a file."""
        where = Locator(path=display_path(path), line=self.line)
        return Finding(code=f"document.{self.code}", severity=self.severity, message=self.message, where=where)


@dataclass(frozen=True)
class DocumentContents:
    """The pages of a file, and remarks on them."""

    kind: str
    pages: tuple[MarkupPage, ...]
    remarks: tuple[ReadRemark, ...] = ()


def read_markup_document(path: Path, max_bytes: int, contents_of: Callable[[bytes], DocumentContents]) -> ReadResult:
    """Read a file, parse it with the given function, and make a document of its pages."""
    file = read_bytes(path, max_bytes=max_bytes)
    if file.data is None:
        return ReadResult(None, file.findings)
    try:
        contents = contents_of(file.data)
    except UnreadableDocument as refused:
        return ReadResult(None, (refused.remark.finding(path),))
    text = "".join(page.text for page in contents.pages)
    findings = tuple(remark.finding(path) for remark in (*contents.remarks, *_remarks_on(text, file.data)))
    document = Document(display_path(path), contents.kind, content_id(text), contents.pages) if text else None
    return ReadResult(document, findings)


def _remarks_on(text: str, data: bytes) -> list[ReadRemark]:
    if not text:
        return [ReadRemark(Severity.ERROR, "empty", "The file contains no text. Check that it was saved completely.")]
    if _UNDECODED in text and _UNDECODED.encode() not in data:
        message = f"Some characters cannot be decoded and appear as `{_UNDECODED}`. Save the file as UTF-8."
        return [ReadRemark(Severity.WARNING, "encoding", message)]
    return []
