"""Relation accuracy: relations join two concepts that exist, and do not gainsay each other."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from studium.domain.concept import RelationType
from studium.workflows.concepts.judging.words import in_words
from studium.workflows.concepts.skills import CritiqueGiven, RelationShown, Remark

_TURNED = {RelationType.SPECIFIC_OF, RelationType.HAS_PART, RelationType.SUPPORTED_BY}
_ORDERED = (RelationType.GENERALIZES, RelationType.PART_OF)
_AGAINST_OPPOSES = {RelationType.SIMILAR_TO, RelationType.SUPPORTS, RelationType.GENERALIZES}


class Said(NamedTuple):
    """A relation in one of its two directions, always the same one."""

    type: RelationType
    source: str
    target: str


def said(relation: RelationShown) -> Said:
    """What a relation says, whichever of the two concepts says it."""
    kind, ends = relation.type, (relation.source, relation.target)
    if kind in _TURNED:
        kind, ends = kind.inverse, ends[::-1]
    elif kind.inverse is kind:
        ends = (min(ends), max(ends))
    return Said(kind, *ends)


class _Kept:
    """The relations that stand so far, by the two concepts they join and by where they lead."""

    def __init__(self) -> None:
        self.beside: defaultdict[frozenset[str], list[RelationShown]] = defaultdict(list)
        self.onward: defaultdict[tuple[RelationType, str], list[str]] = defaultdict(list)

    def keep(self, relation: RelationShown) -> None:
        kind, source, target = said(relation)
        self.beside[frozenset((source, target))].append(relation)
        self.onward[kind, source].append(target)


def relation_accuracy(given: CritiqueGiven) -> Iterator[Remark]:
    """The relations that cannot stand; of two that exclude each other, the first stands."""
    known = {idea.key for idea in given.concepts}
    kept = _Kept()
    # The vaguest last, so that it never stands in the way of one that says more.
    for relation in sorted(given.relations, key=lambda each: each.type is RelationType.RELATES_TO):
        fault = _fault_of_ends(relation, known) or _fault_beside(relation, kept) or _circle(relation, kept)
        if fault:
            ends = tuple(key for key in dict.fromkeys((relation.source, relation.target)) if key in known)
            yield Remark(message=f"{fault} {_order(relation, kept, known)}", concepts=ends)
        else:
            kept.keep(relation)


def _named(relation: RelationShown) -> str:
    return f"{relation.source} {relation.type.value} {relation.target}"


def _order(relation: RelationShown, kept: _Kept, known: set[str]) -> str:
    """What to do; one that stands there twice, word for word, goes and comes back once."""
    drop = f"Drop the relation {_named(relation)}."
    twice = any(
        _named(other) == _named(relation) for other in kept.beside[frozenset((relation.source, relation.target))]
    )
    if not twice:
        return drop
    return f"{drop} {_named(relation)}." if relation.target in known else "Tell it once."


def _fault_of_ends(relation: RelationShown, known: set[str]) -> str:
    if relation.source == relation.target:
        return f"{relation.source} relates to itself."
    # A concept that is kept already is told by its title.
    unknown = [relation.source] if relation.source not in known else []
    unknown += [relation.target] if relation.target not in known and not relation.title else []
    return f"There is no concept {in_words(unknown)}." if unknown else ""


def _fault_beside(relation: RelationShown, kept: _Kept) -> str:
    """What another relation of the same two concepts has against this one."""
    kind = said(relation).type
    for other in kept.beside[frozenset((relation.source, relation.target))]:
        if said(other) == said(relation):
            return f"{_named(other)} and {_named(relation)} say the same."
        kinds = {said(other).type, kind}
        if RelationType.OPPOSES in kinds and kinds & _AGAINST_OPPOSES:
            return f"{_named(other)} and {_named(relation)} exclude each other."
        if kind is RelationType.RELATES_TO:
            return f"{_named(other)} says more of the same two."
    return ""


def _circle(relation: RelationShown, kept: _Kept) -> str:
    """Whether this relation closes a circle: nothing is part of its own part."""
    kind, source, target = said(relation)
    way = _way(kept, kind, target, source) if kind in _ORDERED else ()
    return f"{kind.value} goes in a circle: {' → '.join((source, *way))}." if way else ""


def _way(kept: _Kept, kind: RelationType, start: str, end: str) -> tuple[str, ...]:
    waiting: list[tuple[str, ...]] = [(start,)]
    seen = {start}
    while waiting:
        way = waiting.pop()
        if way[-1] == end:
            return way
        following = [each for each in kept.onward[kind, way[-1]] if each not in seen]
        waiting.extend((*way, each) for each in following)
        seen.update(following)
    return ()
