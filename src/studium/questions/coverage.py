"""Coverage: which parts of a document were asked about, and where to ask next."""

from collections.abc import Iterable

from studium.core.domain.finding import Evidence

PARTS = 10
"""A document is looked at in so many parts of equal length."""

Lines = tuple[int, int]


def coverage_of(line_count: int, evidence: Iterable[Evidence]) -> float:
    """The share of the document's parts that some evidence stands in."""
    parts = min(PARTS, line_count)
    if not parts:
        return 0.0
    touched = {
        part
        for first, last in _lines(evidence)
        for part in range((first - 1) * parts // line_count, (min(last, line_count) - 1) * parts // line_count + 1)
    }
    return round(len(touched) / parts, 2)


def next_focus(line_count: int, evidence: Iterable[Evidence], turn: int = 0) -> Lines:
    """The longest run of lines that nothing was asked about; after each failure, the next longest."""
    gaps: list[Lines] = []
    free = 1
    for first, last in sorted(_lines(evidence)):
        if first > free:
            gaps.append((free, first - 1))
        free = max(free, last + 1)
    if free <= line_count:
        gaps.append((free, line_count))
    if not gaps:
        return 1, max(line_count, 1)
    longest = sorted(gaps, key=lambda gap: (gap[0] - gap[1], gap[0]))
    return longest[turn % min(len(longest), PARTS)]


def _lines(evidence: Iterable[Evidence]) -> list[Lines]:
    places = (each.where for each in evidence)
    return [(place.line, place.end_line or place.line) for place in places if place.line]
