"""Matches as a reply shows them: the lines with their numbers, a few lines around, and never too much of it."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from studium.core.domain.document import Document, DocumentLine
from studium.core.text.locate import Span

MAX_CHARACTERS = 20_000
MAX_MATCHED_LINES = 30
LINE_CHARACTERS = 500
MAX_PARTS = 10
_LEAD = 200


class Excerpts(NamedTuple):
    """The text to show, how many matching lines are in it, and how many there were to show."""

    text: str
    lines_shown: int
    lines_found: int


def excerpts(document: Document, spans: Sequence[Span], around: int) -> Excerpts:
    """The lines that match (`12: …`) with those around them (`13- …`)."""
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
    """The lines where matches begin, in order, and where in the line they do."""
    columns: dict[int, list[int]] = {}
    for span in spans:
        number, column = document.line_at(span.start)
        columns.setdefault(number, []).append(column)
    return columns


def _groups(numbers: Sequence[int], around: int) -> Iterator[tuple[int, int]]:
    """First and last lines, with those around; what touches is one group."""
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
    """The parts of a long line around its matches, each with where it begins."""
    end = 0
    for column in columns:
        if column >= end:
            start = max(end, column - _LEAD)
            end = start + LINE_CHARACTERS
            more = "…" if end < len(line.text) else ""
            yield f"{line.number}, from character {start + 1}: {line.text[start:end]}{more}"
