"""A note as the syntaxes see it: its lines, and the same lines with everything hidden that cannot start a card."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from textwrap import dedent
from typing import Any, Literal, NamedTuple

from studium.cards.notes.masking import MASK, Masker
from studium.core.documents.markdown import Frontmatter, split_frontmatter
from studium.core.domain.finding import Finding, Locator, Severity

_TAG = re.compile(r"(?<![^\s\0])#([^\s\x00-,.:-@\[-^`{-~\u2010-\u206f\u3000-\u303f\uff01-\uff0f]+)")
_FRONTMATTER_END = re.compile(r"[\r\n](?:---|\.\.\.)[^\S\r\n]*(?![^\r\n])")
# An inka section at the top looks like frontmatter, but is not YAML.
_INKA_ON_TOP = re.compile(r"---[ \t]*\r?\n(?:(?!---|\d{1,9}\.[ \t])[^\n]*+\n)*+\d{1,9}\.[ \t]")
_MARK = re.compile(r"(card|flashcards?|cloze)(?:/.*|-(?:reversed?|spaced))?", re.IGNORECASE)
_DECK_KEYS = ("deck_hint", "deck", "cards-deck", "TARGET DECK", "target deck")


@dataclass(frozen=True)
class NoteHeader:
    """The frontmatter, the index of the line after it, and what it sets for all cards of the note."""

    values: dict[str, Any]
    body: int
    tags: tuple[str, ...] = ()
    deck: str | None = None
    marks: frozenset[str] = frozenset()
    """The tags that say how to read the note: `card`, `flashcards`, `cloze`."""


def read_frontmatter(text: str, path: str = "") -> Frontmatter:
    """Read the frontmatter of a note; an inka section at the top does not count as frontmatter."""
    closing = _FRONTMATTER_END.search(text, len("---")) if text.startswith("---") else None
    if not closing:
        return Frontmatter({}, 1)
    frontmatter = split_frontmatter(text[: closing.end()], path)
    return Frontmatter({}, 1) if frontmatter.findings and _INKA_ON_TOP.match(text) else frontmatter


def read_header(values: dict[str, Any], body: int) -> NoteHeader:
    """Read tags (a list, or words separated by commas or spaces), deck and marks from the frontmatter."""
    tags = [tag.strip().lstrip("#") for tag in (*_tag_words(values.get("tags")), *_tag_words(values.get("tag")))]
    marks = {mark for tag in tags if (mark := card_mark(tag))}
    if "cards-deck" in values:
        marks.add("flashcards")
    if "cloze" in str(values.get("card_type_hint", "")).lower():
        marks.add("cloze")
    deck = next((str(values[key]).strip() for key in _DECK_KEYS if values.get(key)), None)
    return NoteHeader(
        values, body, tuple(anki_tag(tag) for tag in tags if tag and not card_mark(tag)), deck, frozenset(marks)
    )


def inline_tags(shown: str) -> Iterator[str]:
    """The `#tags` of a line without `#`; `#12` is not a tag."""
    for match in _TAG.finditer(shown):
        if not match[1].isdigit():
            yield match[1]


def card_mark(tag: str) -> str | None:
    """The marker that a tag represents, if it says how to read cards and not what they are about."""
    match = _MARK.fullmatch(tag)
    return match[1].lower() if match else None


def anki_tag(tag: str) -> str:
    """A tag as Anki writes it: `a/b c` is `a::b_c`."""
    return "_".join(tag.strip("/").replace("/", "::").split())


def _tag_words(value: Any) -> Iterator[str]:
    """The words of a field, however people write the list."""
    if isinstance(value, str):
        yield from (word for word in (value.split(",") if "," in value else value.split()) if word.strip())
    elif isinstance(value, list | tuple):
        yield from (str(each) for each in value if isinstance(each, str | int | float) and str(each).strip())
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)


SYNTAXES = (
    "blocks",
    "headings",
    "inka",
    "callouts",
    "tagged",
    "labelled",
    "multiline",
    "inline",
    "cloze",
    "whole",
)
"""The names of all syntaxes, in the order they are tried."""


@dataclass(frozen=True)
class NoteOptions:
    """Which syntaxes are read, and how.

    `bare_clozes` is about `==x==` and `{x}`, which ordinary notes use too: with `marked` they are cards only if the
    note or the paragraph has a tag such as `#cloze` or `#flashcards`.
    """

    syntaxes: frozenset[str] = frozenset(SYNTAXES)
    bare_clozes: Literal["marked", "always", "never"] = "marked"
    one_note_one_card: bool = False
    filename_as_question: bool = False


_TOOL_COMMENT = re.compile(
    r"(?<![ \t])[ \t]*(?:<!--SR:[^\n]{0,1000}?-->|<!--ID:[ \t]*\d+[ \t]*-->|<!--[ \t]*studium:[ \t]*[\w-]+[ \t]*-->)"
)
_BLOCK_ID = re.compile(r"(?<![ \t])[ \t]*(?<!\S)\^(?:st-[\w-]+|\d{13})[ \t]*$", re.MULTILINE)


def is_marker_line(line: str) -> bool:
    """Whether a line has only ids and schedules."""
    return ("<!--" in line or "^" in line) and bool(line.strip()) and not without_markers(line).strip()


def without_markers(text: str) -> str:
    """A text without the ids and schedules that tools left in it."""
    if "<!--" in text:
        text = _TOOL_COMMENT.sub("", text)
    if "^" in text:
        text = _BLOCK_ID.sub("", text)
    return text


TAKEN_MARK = "\1"

_LINE_END = re.compile(r"\r\n|\n|\r")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]++(.*))?")
_CLOSING = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_QUOTE = re.compile(r"^[ \t]*> ?", re.MULTILINE)


class SkippedLines(NamedTuple):
    """Lines that are not searched for cards; the end is excluded."""

    start: int
    end: int


class Heading(NamedTuple):
    """A heading: the index of its line, its level and its title."""

    at: int
    level: int
    title: str


@dataclass(frozen=True)
class FoundCard:
    """A card as a syntax finds it; `start` and `end` are line indices, the end excluded."""

    kind: Literal["basic", "reversed", "cloze"]
    syntax: str
    front: str
    back: str
    start: int
    end: int
    asked: int | None = None
    """The line where the front begins, if not the first."""
    tail: int | None = None
    """Where the part that may carry the card's id begins, if other cards may be before it."""
    extra: str = ""
    language: str | None = None
    pair: str = ""
    tags: tuple[str, ...] = ()
    deck: str | None = None


@dataclass(frozen=True)
class NotePage:
    """The lines of a note; `shown` are the same lines with code, formulas, comments and found cards hidden."""

    path: str
    name: str
    source: str
    lines: Sequence[str]
    shown: Sequence[str]
    headings: Mapping[int, Heading]
    header: NoteHeader
    options: NoteOptions
    unclosed_fence: int | None = None

    @cached_property
    def heading_places(self) -> list[int]:
        """The indices of the headings."""
        return list(self.headings)

    def text(self, start: int, end: int) -> str:
        """These lines without surrounding empty lines and common indentation."""
        return dedented(self.lines[start:end])

    def blank(self, index: int) -> bool:
        """Whether this line is blank."""
        return not self.shown[index].strip()

    def rule(self, index: int) -> bool:
        """Whether this line is a thematic break."""
        return _RULE.fullmatch(self.shown[index]) is not None

    def first_text(self, start: int, end: int) -> int:
        """The first line that is not blank; the start if there is none."""
        return next((index for index in range(start, end) if not self.blank(index)), start)

    def last_text(self, start: int, end: int) -> int:
        """The index after the last line that is not blank."""
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
        return (
            not shown.strip() or shown[0] == TAKEN_MARK or index in self.headings or is_marker_line(self.lines[index])
        )

    def paragraph_end(self, index: int) -> int:
        """Where the paragraph at this line ends."""
        return next((at for at in range(index, len(self.shown)) if self.parts(at)), len(self.shown))

    def paragraph_start(self, index: int, after: int = 0) -> int:
        """The first line of the paragraph before this line, not before `after`."""
        at = index
        while at > max(self.header.body, after) and not self.parts(at - 1):
            at -= 1
        return at

    def without(self, parts: Iterable[FoundCard | SkippedLines]) -> "NotePage":
        """The note with the lines of these cards hidden."""
        shown, at = list(self.shown), 0
        for part in sorted(parts, key=lambda part: part.start):
            start = max(part.start, at)
            at = max(part.end, at)
            shown[start:at] = [TAKEN_MARK] * (at - start)
        return replace(self, shown=shown)

    def finding(self, code: str, index: int, message: str, severity: Severity = Severity.WARNING) -> Finding:
        """A finding about a line of this note."""
        where = Locator(path=self.path, line=index + 1)
        return Finding(code=f"note.{code}", severity=severity, message=message, where=where)


def note_page(text: str, name: str, path: str, header: NoteHeader, options: NoteOptions) -> NotePage:
    """Split a note into lines and hide what cannot start a card."""
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
    """Lines as one text, without surrounding empty lines and common indentation."""
    text = "\n".join(lines)
    return dedent(text).strip() if text[:1] in (" ", "\t") else text.strip()


def unquoted(text: str) -> str:
    """A text without quote marks, if all of it is one block quote."""
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
    """A heading's title without the block id after it."""
    words = title.strip()
    last = words.rsplit(None, 1)[-1] if words else ""
    return words[: -len(last)].rstrip() if last.startswith("^") else words
