"""Search a document for a string or a regular expression, with time limits, and show excerpts."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from time import monotonic
from typing import NamedTuple

from studium.core.domain.document import Document, DocumentLine
from studium.core.text.locate import DASHES, DOUBLE_QUOTES, SINGLE_QUOTES, Span
from studium.core.text.patterns import MAX_SECONDS, InvalidPattern, compile_pattern, quote

# One character for one character, so that places stay the same. A phrase may continue on the next line.
_PLAIN = (
    dict.fromkeys(SINGLE_QUOTES, "'")
    | dict.fromkeys(DOUBLE_QUOTES, '"')
    | dict.fromkeys(DASHES, "-")
    | dict.fromkeys("\n\r\t\xa0\u2009\u202f", " ")
)
_TEXTS_KEPT = 8


class FoldedText:
    """A folded text that maps its places to the original text."""

    def __init__(self, text: str) -> None:
        self.text = _folded(text)
        # `ß` is folded to `ss`: after each such letter, places in the folded text are shifted.
        self._ends: list[int] = []
        self._shifts: list[int] = [0]
        if len(self.text) != len(text):
            self._note_longer_letters(text)

    def span(self, start: int, end: int) -> Span:
        """The span in the original text."""
        return Span(self._written(start), self._written(end - 1) + 1)

    def _note_longer_letters(self, text: str) -> None:
        longer = {letter: len(letter.casefold()) - 1 for letter in set(text) if len(letter.casefold()) > 1}
        for found in re.finditer("[" + "".join(longer) + "]", text):
            shift = self._shifts[-1] + longer[found[0]]
            self._ends.append(found.start() + shift + 1)
            self._shifts.append(shift)

    def _written(self, offset: int) -> int:
        index = bisect_right(self._ends, offset)
        written = offset - self._shifts[index]
        if index == len(self._ends):
            return written
        next_longer = self._ends[index] - 1 - self._shifts[index + 1]
        return min(written, next_longer)


@lru_cache(maxsize=_TEXTS_KEPT)
def fold_with_offsets(text: str) -> FoldedText:
    """Fold a text: ignore case, typographic marks and line ends; cached for repeated searches."""
    return FoldedText(text)


def fold(pattern: str) -> str:
    """Fold a pattern as the text is folded."""
    return _folded(pattern)


def _folded(text: str) -> str:
    for sign, plain in _PLAIN.items():
        if sign != plain:
            text = text.replace(sign, plain)
    return text.casefold()


MAX_SPANS = 1000
_BLOCK = 65_536
_BEFORE, _BEHIND = 1024, 8192  # what a pattern sees around a block: a match may reach this far beyond it


@dataclass(frozen=True)
class Matches:
    """The first matching spans; all of them if the search is `complete`."""

    spans: tuple[Span, ...]
    complete: bool = True


class SearchWindow(NamedTuple):
    """A part of a text, where to start in it, and how many seconds the search may take."""

    text: str
    begin: int
    seconds: float


_Finder = Callable[[SearchWindow], Iterator[tuple[int, int]]]


def match_literal(text: str, pattern: str) -> Matches:
    """Find a literal string; any white space may be between its words."""
    haystack, needle = fold_with_offsets(text), fold(pattern)
    spans: list[Span] = []
    at = haystack.text.find(needle)
    while at >= 0 and len(spans) < MAX_SPANS:
        spans.append(haystack.span(at, at + len(needle)))
        at = haystack.text.find(needle, at + len(needle))
    if not spans and len(words := needle.split()) > 1:
        return _match_words(text, words)
    return Matches(tuple(spans), complete=at < 0)


def match_regex(text: str, pattern: str) -> Matches:
    """Find a regular expression; raises `InvalidPattern` if it is invalid."""
    return _collect(text, _finder(pattern))


def _match_words(text: str, words: list[str]) -> Matches:
    haystack = fold_with_offsets(text)
    if not all(word in haystack.text for word in words):
        return Matches(())
    found = _collect(haystack.text, _finder(r"\s+".join(map(quote, words)), literal=True))
    return Matches(tuple(haystack.span(*span) for span in found.spans), found.complete)


def _collect(text: str, find: _Finder) -> Matches:
    """Search block by block, checking time and number of matches in between."""
    until = monotonic() + MAX_SECONDS
    spans: list[Span] = []
    start = 0
    try:
        while start < len(text) and len(spans) < MAX_SPANS:
            end = _block_end(text, start)
            found = _begin_within(text, Span(start, end), find, until)
            spans += found
            start = max(end, found[-1].end) if found else end
    except TimeoutError:
        if not spans:
            raise
    return Matches(tuple(spans[:MAX_SPANS]), complete=start >= len(text) and len(spans) <= MAX_SPANS)


def _block_end(text: str, start: int) -> int:
    """The end of a block: the end of a line, if there is one."""
    line_end = text.find("\n", start + _BLOCK, start + 2 * _BLOCK)
    return min(start + _BLOCK, len(text)) if line_end < 0 else line_end + 1


def _begin_within(text: str, block: Span, find: _Finder, until: float) -> list[Span]:
    """The matches that start in a block; the window grows while a match reaches its end."""
    before, size = max(0, block.start - _BEFORE), block.end - block.start + _BEHIND
    while True:
        if monotonic() > until:
            raise TimeoutError
        end = block.start + size
        window = SearchWindow(text[before:end], block.start - before, until - monotonic())
        found = [Span(before + first, before + last) for first, last in islice(find(window), MAX_SPANS)]
        within = [span for span in found if span.start < block.end]
        if end >= len(text) or not within or within[-1].end < end:
            return within
        size *= 2


def _finder(pattern: str, *, literal: bool = False) -> _Finder:
    compiled = compile_pattern(pattern, ignore_case=not literal, multiline=not literal)
    if compiled.fullmatch(""):
        raise InvalidPattern("it also matches an empty text, and so is found everywhere")
    return lambda window: (match.span() for match in compiled.finditer(window.text, window.begin, window.seconds))


MAX_CHARACTERS = 20_000
MAX_MATCHED_LINES = 30
LINE_CHARACTERS = 500
MAX_PARTS = 10
_LEAD = 200


class Excerpts(NamedTuple):
    """The text to show, how many matching lines it has, and how many were found."""

    text: str
    lines_shown: int
    lines_found: int


def excerpts(document: Document, spans: Sequence[Span], around: int) -> Excerpts:
    """The matching lines (`12: …`) with their context (`13- …`)."""
    columns = _matched_lines(document, spans)
    shown: list[str] = []
    characters = matched = 0
    for first, last in _groups(list(columns)[:MAX_MATCHED_LINES], around):
        lines = document.lines(first, last)
        text = "\n".join(_shown(line, columns.get(line.number)) for line in lines)
        characters += len(text)
        if shown and characters > MAX_CHARACTERS:
            break
        page = "" if lines[0].page is None else f"(page {lines[0].page})\n"
        shown.append(page + text)
        matched += sum(line.number in columns for line in lines)
    return Excerpts("\n--\n".join(shown), matched, len(columns))


def _matched_lines(document: Document, spans: Sequence[Span]) -> dict[int, list[int]]:
    """The lines where matches start, in order, with the places in the line."""
    columns: dict[int, list[int]] = {}
    for span in spans:
        number, column = document.line_at(span.start)
        columns.setdefault(number, []).append(column)
    return columns


def _groups(numbers: Sequence[int], around: int) -> Iterator[tuple[int, int]]:
    """The first and last lines of each group of excerpts, with context; touching groups are joined."""
    first = last = 0
    for number in numbers:
        if first and number - around > last + 1:
            yield first, last
            first = 0
        first, last = first or max(1, number - around), number + around
    if first:
        yield first, last


def _shown(line: DocumentLine, columns: Sequence[int] | None) -> str:
    if len(line.text) <= LINE_CHARACTERS:
        return f"{line.number}{'-' if columns is None else ':'} {line.text}"
    if columns is None:
        return f"{line.number}- {line.text[:LINE_CHARACTERS]}…"
    return "\n".join(islice(_parts(line, columns), MAX_PARTS))


def _parts(line: DocumentLine, columns: Sequence[int]) -> Iterator[str]:
    """The parts of a long line around its matches, each with its start."""
    end = 0
    for column in columns:
        if column >= end:
            start = max(end, column - _LEAD)
            end = start + LINE_CHARACTERS
            more = "…" if end < len(line.text) else ""
            yield f"{line.number}, from character {start + 1}: {line.text[start:end]}{more}"
