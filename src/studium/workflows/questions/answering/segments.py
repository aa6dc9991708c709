"""A line in its segments, and the choice between several answers in one line."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from studium.workflows.questions.answering.kinds import WORDS
from studium.workflows.questions.answering.lookup import Match

_BOUNDARY = re.compile(rf"[;:()—]|,\s|\.\s|\b(?:{WORDS.any_of('conjunctions')})\b|、", re.IGNORECASE)
_AT_THAT_TIME = re.compile(rf",?\s*(?:{WORDS.any_of('at_that_time')})\b", re.IGNORECASE)
SPARE_COST = 0.03
MOST_SPARE = 5


@dataclass(frozen=True)
class Span:
    """A piece of a line that may be the answer."""

    start: int
    end: int
    answer: str


def choose(match: Match, spans: Sequence[Span]) -> list[tuple[Span, float]]:
    """The span that the question's words single out, with what its surroundings cost.

    Of several, one is singled out if the question has all the words around it, or some that stand around no other;
    where none is, they are all answers, and the question is open.

        … every 5 seconds on copper links and every 20 seconds on radio links.
    """
    ordered = sorted(spans, key=lambda span: span.start)
    grounds = [_ground(match.line.text, ordered, at) for at in range(len(ordered))]
    kept = [
        (span, _spare_and_said(match, span, ground))
        for span, ground in zip(ordered, grounds, strict=True)
        if not _about_another(match, span, ground)
    ]
    kept.sort(key=lambda ranked: ranked[1])
    if len(kept) > 1:
        (spare, said), following = kept[0][1], kept[1][1]
        decided = (spare, said) != following and (spare == 0 or said < 0)
        kept = kept[:1] if decided else kept[:2]
    return [(span, SPARE_COST * min(spare, MOST_SPARE)) for span, (spare, _) in kept]


def _ground(text: str, spans: Sequence[Span], at: int) -> tuple[int, int]:
    """Where the words stand that belong to this span: its segment, from the span itself where it is the first.

    What stands before the first span belongs to all; what stands between two belongs to the earlier.
    """
    span = spans[at]
    cuts = [found.start() for found in _BOUNDARY.finditer(text) if not span.start <= found.start() < span.end]
    place = bisect_right(cuts, span.start)
    start, end = (cuts[place - 1] if place else 0), (cuts[place] if place < len(cuts) else len(text))
    if len(spans) > 1:
        start = max(start, spans[0].start)
        start = span.start if at and spans[at - 1].start >= start else start
        end = min(end, spans[at + 1].start) if at + 1 < len(spans) else end
    return start, end


def _spare_and_said(match: Match, span: Span, ground: tuple[int, int]) -> tuple[int, int]:
    """How many words around the span the question does not have, and (negative) how many it has."""
    start, end = ground
    around = [
        word
        for word in match.line.words
        if word.telling and start <= word.start < end and not span.start <= word.start < span.end
    ]
    said = sum(match.is_said(word) for word in around)
    return len(around) - said, -said


def _about_another(match: Match, span: Span, ground: tuple[int, int]) -> bool:
    """Whether the segment has a subject of its own, and what the question asks about comes only after it.

    The line to Northwold closed in 1964, the line to Hexby is in use. – When did the line to Hexby close?
    """
    cuts = [found.start() for found in _BOUNDARY.finditer(match.line.text) if found.start() >= span.end]
    end = cuts[0] if cuts else ground[1]
    around = [word for word in match.line.words if word.start < end and not span.start <= word.start < span.end]
    other = any(word.telling and not match.is_said(word) for word in around)
    here = {word.key for word in match.line.words if word.start < end}
    later = {word.key for word in match.line.words if word.start >= end}
    if _AT_THAT_TIME.match(match.line.text, end):
        return False
    in_brackets = match.line.text[span.start - 1 : span.start] == "("
    return other and not in_brackets and any(forms & later and not forms & here for forms in match.needed)
