"""The text of a page while it is written, block by block, and where in it each picture stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from studium.domain.document import Block, Picture
from studium.readers.lines import source_lines
from studium.readers.markdown_blocks import markdown_blocks


@dataclass(frozen=True)
class MarkupPage:
    """A text that was written from a tree, as Markdown, and what there is to see in it."""

    text: str
    shown: tuple[Picture, ...] = ()
    number: None = None

    def blocks(self) -> Sequence[Block]:
        """Paragraphs, lists, quotes, code blocks and tables under their headings."""
        return self._blocks

    def pictures(self) -> Sequence[Picture]:
        """Its figures, tables and images."""
        return self.shown

    @cached_property
    def _blocks(self) -> list[Block]:
        return list(markdown_blocks(source_lines(self.text)))


@dataclass
class _Level:
    """One list item or block quote around what is written: what its first line begins with, and what the others do."""

    first: str
    rest: str


class Draft:
    """Blocks of Markdown one after the other, inside the lists and quotes that are open."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._levels: list[_Level] = []
        self._lists = 0
        self._listed = False
        self._unplaced: list[tuple[Literal["figure", "table", "image"], str, str]] = []
        self._pictures: list[Picture] = []

    @property
    def nested(self) -> bool:
        """Whether a list item or a quote is open."""
        return bool(self._levels)

    def open_item(self, marker: str) -> None:
        """Begin a list item; one that only holds another list has no line of its own."""
        for level in self._levels:
            level.first = level.rest
        self._levels.append(_Level(marker, " " * len(marker)))

    def open_quote(self) -> None:
        """Begin a block quote."""
        self._levels.append(_Level("> ", "> "))

    def close(self) -> None:
        """End the item or quote that was opened last."""
        self._levels.pop()

    def open_list(self) -> None:
        """Begin a list; its items stand close together."""
        self._lists += 1

    def close_list(self) -> None:
        """End a list; what follows the outermost one stands apart from it."""
        self._lists -= 1
        self._listed = self._listed and self._lists > 0

    def write(self, lines: Sequence[str]) -> None:
        """Write a block; an item follows the one before it without a blank line."""
        begins_item = any(level.first != level.rest for level in self._levels)
        first = "".join(level.first for level in self._levels)
        rest = "".join(level.rest for level in self._levels)
        self._append([first + lines[0], *(rest + line for line in lines[1:])], close=begins_item and self._listed)
        self._listed = self._listed or begins_item
        for level in self._levels:
            level.first = level.rest

    def write_at_margin(self, lines: Sequence[str]) -> None:
        """Write a table or code, which no item can hold in Markdown as simple as ours: it interrupts the list."""
        for level in self._levels:
            level.first = level.rest = level.rest if level.rest.startswith(">") else ""
        self._append(lines, close=False)
        self._listed = False

    def show(self, kind: Literal["figure", "table", "image"], caption: str, source: str = "") -> None:
        """Remember a picture: it stands where the next block begins."""
        self._unplaced.append((kind, caption, source))

    def page(self) -> MarkupPage:
        """What was written."""
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
