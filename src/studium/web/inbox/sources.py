"""What a review was made from: the quotes, marked in the lines of the source around them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from studium.domain.errors import StudiumError
from studium.domain.evidence import Evidence
from studium.domain.locating import locate
from studium.service.service import Service
from studium.web.inbox.sides import Piece

_READABLE = {".md", ".markdown", ".txt", ".text", ".lrc", ".log", ".html", ".xml", ".json", ".jsonl"}
_LONGEST = 2_000_000
"""A longer source is quoted, not opened."""
_LINES_AROUND = 6
_SCREENFUL = 40
"""Quotes that stand further apart than so many lines are shown apart."""


@dataclass(frozen=True)
class Source:
    """Some lines of a source (or a quote alone, where the source may not be read), and where they stand."""

    pieces: list[Piece]
    where: str


def sources_of(service: Service, evidence: Sequence[Evidence], vault: str) -> Iterator[Source]:
    """The sources of some evidence; quotes that stand close together share their lines."""
    texts: dict[str, str] = {}
    for group in _neighbours(evidence):
        first, last = group[0].where, group[-1].where
        if first.path not in texts:
            texts[first.path] = _text(service, first.path, vault)
        text = _lines(texts[first.path], first.line, last.end_line or last.line)
        quotes = [each.quote for each in group]
        where = str(first.model_copy(update={"end_line": last.end_line or last.line}))
        told = where.removeprefix(vault).lstrip("/") if vault else where
        spans = [locate(text, quote) for quote in quotes]
        if all(spans):
            yield Source(_marked(text, sorted(span for span in spans if span)), told)
        else:
            yield from (Source([(quote, True)], told) for quote in quotes)


def _neighbours(evidence: Sequence[Evidence]) -> Iterator[list[Evidence]]:
    group: list[Evidence] = []
    for each in evidence:
        here = each.where
        is_near = group and here.path == group[0].where.path and here.line and group[0].where.line
        if is_near and 0 <= (here.line or 0) - (group[0].where.line or 0) < _SCREENFUL:
            group.append(each)
            continue
        if group:
            yield group
        group = [each]
    if group:
        yield group


def _text(service: Service, path: str, vault: str) -> str:
    """What a source says, or nothing if it may not be read, is gone, or is no text."""
    try:
        file = _file(service, path, vault)
        if file.suffix.lower() not in _READABLE or file.stat().st_size > _LONGEST:
            return ""
        return file.read_text("utf-8", errors="replace")
    except (StudiumError, OSError, ValueError):
        return ""


def _file(service: Service, path: str, vault: str) -> Path:
    """Where a source lies: in the vault that the run was given, or where the settings allow."""
    if vault:
        root = Path(vault).resolve()
        file = (root / path).resolve()
        if file.is_relative_to(root) and file.is_file():
            return file
    return service.find(path)


def _lines(text: str, first: int | None, last: int | None) -> str:
    """These lines and some around them; without a line, all of a text that is not longer than a screen."""
    lines = text.splitlines()
    if first is None or last is None:
        return text if len(lines) <= _SCREENFUL else ""
    return "\n".join(lines[max(0, first - 1 - _LINES_AROUND) : last + _LINES_AROUND])


def _marked(text: str, spans: Sequence[tuple[int, int]]) -> list[Piece]:
    pieces: list[Piece] = []
    at = 0
    for start, end in spans:
        pieces += [(text[at : max(at, start)], False), (text[max(at, start) : end], True)]
        at = max(at, end)
    return [piece for piece in (*pieces, (text[at:], False)) if piece[0]]
