"""What a review was made from: the quotes, marked in the lines of the source around them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from studium.app.service import Service
from studium.core.domain.finding import Evidence
from studium.web.parts.evidence import Piece, marked, place
from studium.web.parts.sources import lines_around, source_text

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
            texts[first.path] = source_text(service, first.path, vault)
        text = _near(texts[first.path], first.line, last.end_line or last.line)
        quotes = [each.quote for each in group]
        where = place(first.model_copy(update={"end_line": last.end_line or last.line}), vault)
        if pieces := marked(text, quotes):
            yield Source(pieces, where)
        else:
            yield from (Source([(quote, True)], where) for quote in quotes)


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


def _near(text: str, first: int | None, last: int | None) -> str:
    """The lines around these; without a line, all of a text that is not longer than a screen."""
    if first is None or last is None:
        return text if len(text.splitlines()) <= _SCREENFUL else ""
    return "\n".join(lines_around(text, first, last).lines)
