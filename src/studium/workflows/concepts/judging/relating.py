"""Relations without a model: what to search by, and drafts of the two relations that likeness alone can tell."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from studium.core.domain.skill import Tool
from studium.domain.concept import RelationType
from studium.workflows.concepts.judging.words import content, in_quotes, in_words
from studium.workflows.concepts.skills import (
    Idea,
    Queries,
    QueriesGiven,
    Related,
    RelateGiven,
    RelationDrafted,
    RelationQuery,
)

MOST_RELATIONS = 5
MOST_NAMED = 4
SIMILAR = 0.65  # cosine; with words in common
RELATED = 0.4
ALIKE = 0.8  # cosine; words need not be shared, as between two languages
MUCH_SHARED = 0.3

_TITLE_WEIGHT = 2


class _Likeness(NamedTuple):
    other: Idea
    similarity: float
    words: tuple[str, ...]
    overlap: float

    @property
    def score(self) -> float:
        return (self.similarity + self.overlap) / 2


def queries(given: QueriesGiven, _tools: Sequence[Tool]) -> Queries:
    """The concept's own text: what is like it is what may relate to it."""
    idea = given.idea
    title, text = idea.title.strip(), idea.concept.strip()
    whole = text if title in text else ". ".join(filter(None, (title.rstrip("."), text)))
    asked = ((RelationType.SIMILAR_TO, whole), (RelationType.RELATES_TO, title or whole))
    return Queries(queries=tuple(RelationQuery(type=kind, text=told) for kind, told in asked if told))


def relate(given: RelateGiven, _tools: Sequence[Tool]) -> Related:
    """The likest few of the others, as drafts: similar, or related by what both speak of."""
    pairs = zip_longest(given.others, given.similarities[: len(given.others)], fillvalue=0.0)
    found = [_likeness(given.idea, other, like) for other, like in pairs if isinstance(other, Idea)]
    drafts = [(each, kind) for each in found if each.other.key != given.idea.key and (kind := _kind(each))]
    drafts.sort(key=lambda draft: (-draft[0].score, draft[0].other.key))
    return Related(relations=tuple(_draft(each, kind) for each, kind in drafts[:MOST_RELATIONS]))


def _likeness(one: Idea, other: Idea, similarity: float) -> _Likeness:
    here, there = _weighed(one), _weighed(other)
    shared = here.keys() & there.keys()
    lesser = min(sum(here.values()), sum(there.values())) or 1
    overlap = sum(min(here[each], there[each]) for each in shared) / lesser
    forms = content(f"{one.title} {one.concept}")
    named = tuple(forms[each] for each in sorted(shared, key=lambda each: (-here[each] - there[each], each)))
    return _Likeness(other, min(1.0, max(0.0, similarity)), named, min(1.0, overlap))


def _weighed(idea: Idea) -> dict[str, int]:
    weights = dict.fromkeys(content(idea.concept), 1)
    return weights | dict.fromkeys(content(idea.title), _TITLE_WEIGHT)


def _kind(likeness: _Likeness) -> RelationType | None:
    # One word in common may be any word; it counts only where the texts are near anyway.
    shares = len(likeness.words) > 1 or likeness.overlap >= MUCH_SHARED
    if likeness.similarity >= ALIKE or (likeness.similarity >= SIMILAR and shares):
        return RelationType.SIMILAR_TO
    if shares and (likeness.similarity >= RELATED or likeness.overlap >= MUCH_SHARED):
        return RelationType.RELATES_TO
    return RelationType.RELATES_TO if likeness.similarity >= SIMILAR and likeness.words else None


def _draft(likeness: _Likeness, kind: RelationType) -> RelationDrafted:
    measured = f"similarity {likeness.similarity:.2f}" if likeness.similarity else ""
    spoken = in_words(in_quotes(word) for word in likeness.words[:MOST_NAMED]) if likeness.words else ""
    why = "; ".join(part for part in (f"both speak of {spoken}" if spoken else "", measured) if part)
    return RelationDrafted(
        other=likeness.other.key,
        type=kind,
        reasoning=f"{why[:1].upper()}{why[1:]}.",
        confidence=round(likeness.score, 2),
    )
