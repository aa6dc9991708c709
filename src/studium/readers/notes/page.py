"""A note as the syntaxes see it: its lines, and the same lines with what cannot start a card hidden."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from textwrap import dedent
from typing import Literal, NamedTuple

from studium.core.domain.finding import Finding, Locator, Severity
from studium.readers.notes.bookkeeping import is_marker_line
from studium.readers.notes.header import Header
from studium.readers.notes.masking import MASK, Masker
from studium.readers.notes.options import NoteOptions

TAKEN = "\1"

_LINE_END = re.compile(r"\r\n|\n|\r")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?")
_CLOSING = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_QUOTE = re.compile(r"^[ \t]*> ?", re.MULTILINE)


class Aside(NamedTuple):
    """Lines in which no card is looked for; the end is excluded."""

    start: int
    end: int


class Heading(NamedTuple):
    """A heading: the index of its line, its level and its words."""

    at: int
    level: int
    title: str


@dataclass(frozen=True)
class Draft:
    """A card as a syntax finds it: `start` and `end` are indices of lines, the end excluded."""

    kind: Literal["basic", "reversed", "cloze"]
    syntax: str
    front: str
    back: str
    start: int
    end: int
    asked: int | None = None
    """The line on which the front begins, where it is not the first."""
    tail: int | None = None
    """Where the part begins that may carry the card's id, if other cards may stand before it."""
    extra: str = ""
    language: str | None = None
    pair: str = ""
    tags: tuple[str, ...] = ()
    deck: str | None = None


@dataclass(frozen=True)
class NotePage:
    """The lines of a note; `shown` are the same lines with code, formulas, comments and cards already found hidden."""

    path: str
    name: str
    source: str
    lines: Sequence[str]
    shown: Sequence[str]
    headings: Mapping[int, Heading]
    header: Header
    options: NoteOptions
    unclosed_fence: int | None = None

    @cached_property
    def heading_places(self) -> list[int]:
        """The lines that are headings."""
        return list(self.headings)

    def text(self, start: int, end: int) -> str:
        """These lines as they stand, without empty lines around them and without an indentation they share."""
        return dedented(self.lines[start:end])

    def blank(self, index: int) -> bool:
        """Whether there is nothing on this line."""
        return not self.shown[index].strip()

    def rule(self, index: int) -> bool:
        """Whether this line is a thematic break."""
        return _RULE.fullmatch(self.shown[index]) is not None

    def first_text(self, start: int, end: int) -> int:
        """The first line with something on it; the start if there is none."""
        return next((index for index in range(start, end) if not self.blank(index)), start)

    def last_text(self, start: int, end: int) -> int:
        """The index after the last line with something on it."""
        return next((index + 1 for index in range(end - 1, start - 1, -1) if not self.blank(index)), start)

    def heading_at(self, index: int) -> Heading | None:
        """The heading on this line."""
        return self.headings.get(index)

    def heading_over(self, index: int) -> Heading | None:
        """The nearest heading on or above this line."""
        at = bisect_right(self.heading_places, index)
        return self.headings[self.heading_places[at - 1]] if at else None

    def parts(self, index: int) -> bool:
        """Whether a paragraph ends before this line: it is blank, a heading, an id or another card."""
        shown = self.shown[index]
        return not shown.strip() or shown[0] == TAKEN or index in self.headings or is_marker_line(self.lines[index])

    def paragraph_end(self, index: int) -> int:
        """Where the paragraph ends that goes on here."""
        return next((at for at in range(index, len(self.shown)) if self.parts(at)), len(self.shown))

    def paragraph_start(self, index: int, after: int = 0) -> int:
        """The first line, not before `after`, of the paragraph that leads here."""
        at = index
        while at > max(self.header.body, after) and not self.parts(at - 1):
            at -= 1
        return at

    def without(self, parts: Iterable[Draft | Aside]) -> "NotePage":
        """The note with the lines of these cards hidden."""
        shown, at = list(self.shown), 0
        for part in sorted(parts, key=lambda part: part.start):
            start = max(part.start, at)
            at = max(part.end, at)
            shown[start:at] = [TAKEN] * (at - start)
        return replace(self, shown=shown)

    def finding(self, code: str, index: int, message: str, severity: Severity = Severity.WARNING) -> Finding:
        """What is wrong on a line of this note."""
        where = Locator(path=self.path, line=index + 1)
        return Finding(code=f"note.{code}", severity=severity, message=message, where=where)


def note_page(text: str, name: str, path: str, header: Header, options: NoteOptions) -> NotePage:
    """Cut a note into lines and hide what cannot start a card."""
    lines = _LINE_END.split(text) if "\r" in text else text.split("\n")
    if not lines[-1]:
        lines.pop()
    masker = Masker(lines)
    shown = [MASK] * min(header.body, len(lines)) + masker.masked(header.body)
    return NotePage(path, name, text, lines, shown, _headings(lines, shown), header, options, masker.fence_line)


def spans(starts: Sequence[int], end: int) -> Iterator[tuple[int, int]]:
    """From each start to the next, and from the last to the end."""
    return zip(starts, [*starts[1:], end], strict=False)


def dedented(lines: Iterable[str]) -> str:
    """Lines as one text, without empty lines around it and without an indentation they share."""
    text = "\n".join(lines)
    return dedent(text).strip() if text[:1] in (" ", "\t") else text.strip()


def unquoted(text: str) -> str:
    """A text that is one block quote loses the quote marks; any other stays."""
    if text.startswith(">") and all(line.lstrip().startswith(">") for line in text.split("\n") if line.strip()):
        return _QUOTE.sub("", text).strip()
    return text


def _headings(lines: Sequence[str], shown: Sequence[str]) -> dict[int, Heading]:
    found = {}
    for index, line in enumerate(shown):
        if "#" in line and (match := _HEADING.fullmatch(line)):
            title = lines[index][match.start(2) :] if match[2] else ""
            found[index] = Heading(index, len(match[1]), _words(_CLOSING.sub("", title)))
    return found


def _words(title: str) -> str:
    """A heading's words without the block id behind them."""
    words = title.strip()
    last = words.rsplit(None, 1)[-1] if words else ""
    return words[: -len(last)].rstrip() if last.startswith("^") else words
