"""Audits the graph: few quotes, isolated concepts, contradictions, near-duplicates, broken relations."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from studium.concepts.domain import Concept, ConceptGraph, RelationType
from studium.concepts.graph_view import GraphSnapshot, connected_components, read_snapshot
from studium.core.domain.value import Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_ROWS = 512


def most_similar_pairs(
    vectors: "Mapping[str, NDArray[np.float32]]", *, threshold: float, nearest: int
) -> list[tuple[str, str, float]]:
    """Pairs of ids with their cosine, the most similar first: each id with the few nearest to it, if near enough."""
    import numpy as np

    if not vectors:
        return []
    uuids = sorted(vectors)
    rows = np.stack([vectors[uuid] for uuid in uuids]).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    found: dict[tuple[int, int], float] = {}
    # A few rows at a time: for a large graph, the cosines of all pairs would not fit in memory.
    for start in range(0, len(uuids), _ROWS):
        cosines = rows[start : start + _ROWS] @ rows.T
        for near in _nearest(cosines, start, threshold, nearest):
            found |= near
    ranked = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(uuids[one], uuids[other], cosine) for (one, other), cosine in ranked]


def _nearest(
    cosines: "NDArray[np.float32]", start: int, threshold: float, nearest: int
) -> list[dict[tuple[int, int], float]]:
    """For each row the pairs with its nearest, each pair with the smaller place first."""
    import numpy as np

    here = np.arange(len(cosines))
    cosines[here, start + here] = -np.inf
    # Rounding must not keep out a pair that is exactly at the threshold.
    close = [np.flatnonzero(row >= threshold - 1e-6) for row in cosines]
    best = [
        some[np.argsort(-row[some], kind="stable")[:nearest]].tolist() for row, some in zip(cosines, close, strict=True)
    ]
    return [
        {(min(one, other), max(one, other)): round(float(min(1.0, cosines[one - start, other])), 6) for other in some}
        for one, some in enumerate(best, start)
    ]


MaySame = Callable[[Concept, Concept, float], bool]


class ItemRef(Value):
    """A concept or a book, by its id and its title."""

    uuid: str
    title: str


class QuoteRef(Value):
    """A quote and its book."""

    uuid: str
    text: str
    book: ItemRef


class ComparedConcept(Value):
    """One of two concepts that are compared, with the quotes that support it."""

    uuid: str
    title: str
    concept: str
    quotes: tuple[QuoteRef, ...]


class Opposition(Value):
    """Two concepts that oppose each other, and why."""

    one: ComparedConcept
    other: ComparedConcept
    reasoning: str


class NearDuplicate(Value):
    """Two concepts that may be duplicates, how similar they are, and how they are already related."""

    one: ComparedConcept
    other: ComparedConcept
    similarity: float
    related: tuple[RelationType, ...]


class OneSidedRelation(Value):
    """A relation that exists in one direction only."""

    source: ItemRef
    target: ItemRef
    type: RelationType


class Audit(Value):
    """The problems of a graph.

    An island is linked within itself but not to the largest part of the graph; a concept without links is `alone`.
    Unattributed quotes support no concept, although concepts were extracted from their book.
    """

    one_quote: tuple[ItemRef, ...] = ()
    no_quotes: tuple[ItemRef, ...] = ()
    alone: tuple[ItemRef, ...] = ()
    islands: tuple[tuple[ItemRef, ...], ...] = ()
    oppositions: tuple[Opposition, ...] = ()
    near_duplicates: tuple[NearDuplicate, ...] = ()
    unextracted: tuple[ItemRef, ...] = ()
    unattributed: tuple[QuoteRef, ...] = ()
    one_sided: tuple[OneSidedRelation, ...] = ()
    without_vector: tuple[ItemRef, ...] = ()


def audit_graph(
    graph: ConceptGraph, same: MaySame | None = None, *, threshold: float = 0.85, nearest: int = 5
) -> Audit:
    """Audit a graph; of the concepts above the similarity threshold, `same` says which may be duplicates."""
    whole = read_snapshot(graph)
    vectors = graph.vectors_of(list(whole.concepts))
    pairs = most_similar_pairs(vectors, threshold=threshold, nearest=nearest)
    parts = connected_components(whole.concepts, ((one.source, one.target) for one in whole.relations))
    alone = {part[0] for part in parts if len(part) == 1}
    unextracted = _unextracted(whole)
    return Audit(
        one_quote=_named(whole, (uuid for uuid in whole.concepts if len(whole.quotes_of[uuid]) == 1)),
        no_quotes=_named(whole, (uuid for uuid in whole.concepts if not whole.quotes_of[uuid])),
        alone=_named(whole, (uuid for uuid in whole.concepts if uuid in alone)),
        islands=tuple(_named(whole, part) for part in parts[1:] if len(part) > 1),
        oppositions=tuple(_oppositions(whole)),
        near_duplicates=tuple(_near_duplicates(whole, pairs, same)),
        unextracted=tuple(ItemRef(uuid=uuid, title=whole.books[uuid].title) for uuid in unextracted),
        unattributed=tuple(_unattributed(whole, set(unextracted))),
        one_sided=tuple(_one_sided(whole)),
        without_vector=_named(whole, (uuid for uuid in whole.concepts if uuid not in vectors)),
    )


def _named(whole: GraphSnapshot, concepts: Iterable[str]) -> tuple[ItemRef, ...]:
    return tuple(ItemRef(uuid=uuid, title=whole.concepts[uuid].title) for uuid in concepts)


def _unextracted(whole: GraphSnapshot) -> list[str]:
    """The books that count as never processed and support no concept."""
    used = {book.uuid for concept in whole.concepts for book in whole.books_of(concept)}
    return [uuid for uuid, book in whole.books.items() if not book.processed_date and uuid not in used]


def _unattributed(whole: GraphSnapshot, unextracted: set[str]) -> Iterator[QuoteRef]:
    carrying = {quote for quotes in whole.quotes_of.values() for quote in quotes}
    for uuid, book in whole.book_of.items():
        if uuid not in carrying and book.uuid not in unextracted:
            yield _excerpt(whole, uuid)


def _oppositions(whole: GraphSnapshot) -> Iterator[Opposition]:
    told = {(one.source, one.target): one.reasoning for one in whole.relations if one.type is RelationType.OPPOSES}
    for one, other in sorted({(min(pair), max(pair)) for pair in told}):
        reasoning = told.get((one, other)) or told.get((other, one), "")
        yield Opposition(one=_side(whole, one), other=_side(whole, other), reasoning=reasoning)


def _near_duplicates(
    whole: GraphSnapshot, pairs: Iterable[tuple[str, str, float]], same: MaySame | None
) -> Iterator[NearDuplicate]:
    related: dict[tuple[str, str], list[RelationType]] = defaultdict(list)
    for relation in whole.relations:
        related[relation.source, relation.target].append(relation.type)
    for one, other, similarity in pairs:
        if same is None or same(whole.concepts[one], whole.concepts[other], similarity):
            yield NearDuplicate(
                one=_side(whole, one),
                other=_side(whole, other),
                similarity=similarity,
                related=tuple(related.get((one, other), ())),
            )


def _one_sided(whole: GraphSnapshot) -> Iterator[OneSidedRelation]:
    arrows = {(one.source, one.target, one.type) for one in whole.relations}
    for one in whole.relations:
        if (one.target, one.source, one.type.inverse) not in arrows:
            source, target = _named(whole, (one.source, one.target))
            yield OneSidedRelation(source=source, target=target, type=one.type)


def _side(whole: GraphSnapshot, uuid: str) -> ComparedConcept:
    concept = whole.concepts[uuid]
    quotes = tuple(_excerpt(whole, quote) for quote in whole.quotes_of[uuid] if quote in whole.quotes)
    return ComparedConcept(uuid=uuid, title=concept.title, concept=concept.concept, quotes=quotes)


def _excerpt(whole: GraphSnapshot, uuid: str) -> QuoteRef:
    book = whole.book_of[uuid]
    return QuoteRef(uuid=uuid, text=whole.quotes[uuid].text, book=ItemRef(uuid=book.uuid, title=book.title))
