"""Looks a whole graph over: what is thin, what stands apart, what contradicts, what is there twice, what is broken."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from studium.core.domain.value import Value
from studium.domain.concept import Concept, ConceptGraph, RelationType
from studium.workflows.concepts.overview.groups import connected
from studium.workflows.concepts.overview.twins import near_pairs
from studium.workflows.concepts.overview.whole import WholeGraph, read_whole

Same = Callable[[Concept, Concept, float], bool]


class Named(Value):
    """A concept or a book, by its id and its title."""

    uuid: str
    title: str


class Excerpt(Value):
    """A quote, and the book it stands in."""

    uuid: str
    text: str
    book: Named


class Side(Value):
    """One of two concepts that are held against each other, with the quotes that carry it."""

    uuid: str
    title: str
    concept: str
    quotes: tuple[Excerpt, ...]


class Opposition(Value):
    """Two concepts that oppose each other, and why."""

    one: Side
    other: Side
    reasoning: str


class NearDuplicate(Value):
    """Two concepts that may be one, how similar they are, and how they are already related."""

    one: Side
    other: Side
    similarity: float
    related: tuple[RelationType, ...]


class OneSided(Value):
    """A relation that stands in one direction only."""

    source: Named
    target: Named
    type: RelationType


class Audit(Value):
    """What there is to see to in a graph.

    An island is linked within itself but not to the largest part of the graph; who has no link at all is alone.
    Unattributed are the quotes that carry nothing, of books from which concepts were taken.
    """

    one_quote: tuple[Named, ...] = ()
    no_quotes: tuple[Named, ...] = ()
    alone: tuple[Named, ...] = ()
    islands: tuple[tuple[Named, ...], ...] = ()
    oppositions: tuple[Opposition, ...] = ()
    near_duplicates: tuple[NearDuplicate, ...] = ()
    unextracted: tuple[Named, ...] = ()
    unattributed: tuple[Excerpt, ...] = ()
    one_sided: tuple[OneSided, ...] = ()
    without_vector: tuple[Named, ...] = ()


def audit(graph: ConceptGraph, same: Same | None = None, *, threshold: float = 0.85, nearest: int = 5) -> Audit:
    """Look a graph over; of the concepts that are as similar as the threshold asks, `same` says which may be one."""
    whole = read_whole(graph)
    vectors = graph.vectors_of(list(whole.concepts))
    pairs = near_pairs(vectors, threshold=threshold, nearest=nearest)
    parts = connected(whole.concepts, ((one.source, one.target) for one in whole.relations))
    alone = {part[0] for part in parts if len(part) == 1}
    unextracted = _unextracted(whole)
    return Audit(
        one_quote=_named(whole, (uuid for uuid in whole.concepts if len(whole.carrying[uuid]) == 1)),
        no_quotes=_named(whole, (uuid for uuid in whole.concepts if not whole.carrying[uuid])),
        alone=_named(whole, (uuid for uuid in whole.concepts if uuid in alone)),
        islands=tuple(_named(whole, part) for part in parts[1:] if len(part) > 1),
        oppositions=tuple(_oppositions(whole)),
        near_duplicates=tuple(_near_duplicates(whole, pairs, same)),
        unextracted=tuple(Named(uuid=uuid, title=whole.books[uuid].title) for uuid in unextracted),
        unattributed=tuple(_unattributed(whole, set(unextracted))),
        one_sided=tuple(_one_sided(whole)),
        without_vector=_named(whole, (uuid for uuid in whole.concepts if uuid not in vectors)),
    )


def _named(whole: WholeGraph, concepts: Iterable[str]) -> tuple[Named, ...]:
    return tuple(Named(uuid=uuid, title=whole.concepts[uuid].title) for uuid in concepts)


def _unextracted(whole: WholeGraph) -> list[str]:
    """The books that count as never processed and carry nothing."""
    used = {book.uuid for concept in whole.concepts for book in whole.books_of(concept)}
    return [uuid for uuid, book in whole.books.items() if not book.processed_date and uuid not in used]


def _unattributed(whole: WholeGraph, unextracted: set[str]) -> Iterator[Excerpt]:
    carrying = {quote for quotes in whole.carrying.values() for quote in quotes}
    for uuid, book in whole.book_of.items():
        if uuid not in carrying and book.uuid not in unextracted:
            yield _excerpt(whole, uuid)


def _oppositions(whole: WholeGraph) -> Iterator[Opposition]:
    told = {(one.source, one.target): one.reasoning for one in whole.relations if one.type is RelationType.OPPOSES}
    for one, other in sorted({(min(pair), max(pair)) for pair in told}):
        reasoning = told.get((one, other)) or told.get((other, one), "")
        yield Opposition(one=_side(whole, one), other=_side(whole, other), reasoning=reasoning)


def _near_duplicates(
    whole: WholeGraph, pairs: Iterable[tuple[str, str, float]], same: Same | None
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


def _one_sided(whole: WholeGraph) -> Iterator[OneSided]:
    arrows = {(one.source, one.target, one.type) for one in whole.relations}
    for one in whole.relations:
        if (one.target, one.source, one.type.inverse) not in arrows:
            source, target = _named(whole, (one.source, one.target))
            yield OneSided(source=source, target=target, type=one.type)


def _side(whole: WholeGraph, uuid: str) -> Side:
    concept = whole.concepts[uuid]
    quotes = tuple(_excerpt(whole, quote) for quote in whole.carrying[uuid] if quote in whole.quotes)
    return Side(uuid=uuid, title=concept.title, concept=concept.concept, quotes=quotes)


def _excerpt(whole: WholeGraph, uuid: str) -> Excerpt:
    book = whole.book_of[uuid]
    return Excerpt(uuid=uuid, text=whole.quotes[uuid].text, book=Named(uuid=book.uuid, title=book.title))
