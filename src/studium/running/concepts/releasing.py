"""Takes commits back for good, as if some quotes had never been, and leaves what others rely on."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from studium.core.domain.change import Change
from studium.domain.concept import Approved, ConceptGraph
from studium.workflows.concepts.undoing import from_json


def release(graph: ConceptGraph, commits: Sequence[Change], going: Collection[str]) -> set[str]:
    """Take commits back, the last first; says which concepts they had touched.

    A concept that also a quote carries which is not `going` stays, and one that was changed since stays as it is.
    """
    carried = {one.concept for one in graph.supports() if one.quote not in going}
    touched: set[str] = set()
    for commit in reversed(commits):
        back, made = from_json(commit.before or {}), from_json(commit.after)
        graph.commit(_as_far_as_it_fits(graph, back, made, carried))
        touched |= _touched(made)
    return touched


def _as_far_as_it_fits(graph: ConceptGraph, back: Approved, made: Approved, carried: Collection[str]) -> Approved:
    """What takes the commit back, without what was changed, used or removed since."""
    now = {one.uuid: one for one in graph.concepts()}
    written = {one.uuid: one for one in made.concepts}
    restored = {one.uuid: one for one in back.concepts if now.get(one.uuid) == written.get(one.uuid)}
    known_before = {one.uuid for one in back.concepts}
    removed = tuple(uuid for uuid in back.removed if uuid not in known_before and uuid not in carried)
    there = (now.keys() | restored.keys()) - set(removed)
    quotes = {quote.uuid for book in graph.books() for quote in graph.quotes_of(book.uuid)}
    return replace(
        back,
        concepts=tuple(restored.values()),
        vectors={uuid: vector for uuid, vector in back.vectors.items() if uuid in restored},
        relations=tuple(one for one in back.relations if {one.source, one.target} <= there),
        supports=tuple(one for one in back.supports if one.concept in there and one.quote in quotes),
        removed=removed,
        book=back.book if back.book and graph.book(back.book) else None,
    )


def _touched(made: Approved) -> set[str]:
    ends = {end for one in made.relations for end in (one.source, one.target)}
    return ends | {one.uuid for one in made.concepts} | {one.concept for one in made.supports}
