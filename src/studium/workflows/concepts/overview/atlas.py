"""A map of the concept graph, or of a part of it: who is near whom, drawn in one go."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from studium.core.domain.errors import NotFound
from studium.core.domain.value import Value
from studium.domain.concept import ConceptGraph, RelationType
from studium.workflows.concepts.overview.standing import Standing, standings
from studium.workflows.concepts.overview.whole import WholeGraph, read_whole

# Of a relation and its inverse the map shows this one.
_SHOWN = {RelationType.GENERALIZES, RelationType.PART_OF, RelationType.SUPPORTS}
# All else could mean something to Mermaid: quotes, brackets, entities, directives.
_PLAIN = re.compile(r"[^\w .,'’¿?¡!-]")


class Node(Value):
    """A concept on the map: the titles of its books, how much it has, the crowd it is part of, and where it stands."""

    uuid: str
    title: str
    books: tuple[str, ...]
    quotes: int
    degree: int
    community: int
    x: float
    y: float


class Edge(Value):
    """A relation on the map, shown once for both directions."""

    source: str
    target: str
    type: RelationType
    reasoning: str = ""


class Atlas(Value):
    """What a page needs to draw a graph; places are from 0 to 1."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def atlas(
    graph: ConceptGraph,
    *,
    around: str | None = None,
    depth: int = 1,
    book: str | None = None,
    types: Sequence[RelationType] = (),
) -> Atlas:
    """The map of the graph: of what is at most `depth` links away from a concept, of a book, or by some types only."""
    return atlas_of(read_whole(graph), around=around, depth=depth, book=book, types=types)


def atlas_of(
    whole: WholeGraph,
    *,
    around: str | None = None,
    depth: int = 1,
    book: str | None = None,
    types: Sequence[RelationType] = (),
    last: Atlas | None = None,
) -> Atlas:
    """The same map, of a graph that was read already; what was on the last one stays about where it was."""
    shown = _of_book(whole, book) if book else set(whole.concepts)
    edges = [one for one in _edges(whole, types) if {one.source, one.target} <= shown]
    if around:
        shown = _reached(whole, around, depth, edges)
        edges = [one for one in edges if {one.source, one.target} <= shown]
    return Atlas(nodes=_nodes(whole, sorted(shown), edges, last), edges=tuple(edges))


def as_json(atlas: Atlas) -> str:
    """The map for another program."""
    return atlas.model_dump_json()


def as_mermaid(atlas: Atlas) -> str:
    """The map as a Mermaid flowchart; a title is only ever text."""
    names = {node.uuid: f"n{number}" for number, node in enumerate(atlas.nodes)}
    lines = [f'  {names[node.uuid]}["{_escaped(node.title)}"]' for node in atlas.nodes]
    for edge in atlas.edges:
        arrow = "---" if edge.type.inverse is edge.type else "-->"
        lines.append(f"  {names[edge.source]} {arrow}|{edge.type.value}| {names[edge.target]}")
    return "\n".join(["flowchart LR", *lines, ""])


def _escaped(title: str) -> str:
    return _PLAIN.sub(lambda found: f"#{ord(found[0])};", " ".join(title.split())) or " "


def _of_book(whole: WholeGraph, book: str) -> set[str]:
    if book not in whole.books:
        raise NotFound(f"The graph has no book {book}.")
    return {uuid for uuid in whole.concepts if book in (one.uuid for one in whole.books_of(uuid))}


def _edges(whole: WholeGraph, types: Collection[RelationType]) -> list[Edge]:
    wanted = {kind for type_ in types for kind in (type_, type_.inverse)} or set(RelationType)
    told: dict[tuple[str, str, RelationType], str] = {}
    for one in whole.relations:
        if one.type in wanted:
            shown = _one_way(one.source, one.target, one.type)
            # Both directions may say why; that of the one that is shown comes first.
            if not told.get(shown) or (one.reasoning and shown[0] == one.source):
                told[shown] = one.reasoning
    return [
        Edge(source=source, target=target, type=type_, reasoning=reasoning)
        for (source, target, type_), reasoning in sorted(told.items())
    ]


def _one_way(source: str, target: str, type_: RelationType) -> tuple[str, str, RelationType]:
    """Of the two directions of a relation, the one to show."""
    inverse = type_.inverse
    if (source < target) if inverse is type_ else (type_ in _SHOWN):
        return source, target, type_
    return target, source, inverse


def _reached(whole: WholeGraph, around: str, depth: int, edges: Iterable[Edge]) -> set[str]:
    if around not in whole.concepts:
        raise NotFound(f"The graph has no concept {around}.")
    pairs = [(one.source, one.target) for one in edges]
    reached = {around}
    for _ in range(depth):
        reached |= {end for pair in pairs if not reached.isdisjoint(pair) for end in pair}
    return reached


def _nodes(whole: WholeGraph, shown: Sequence[str], edges: Sequence[Edge], last: Atlas | None) -> tuple[Node, ...]:
    pairs = sorted({(min(one.source, one.target), max(one.source, one.target)) for one in edges})
    degrees = Counter(end for pair in pairs for end in pair)
    books = {uuid: whole.books_of(uuid) for uuid in shown}
    before = {node.uuid: Standing(node.community, node.x, node.y) for node in last.nodes} if last else {}
    stand = standings({uuid: [book.uuid for book in books[uuid]] for uuid in shown}, pairs, before)
    return tuple(
        Node(
            uuid=uuid,
            title=whole.concepts[uuid].title,
            books=tuple(book.title for book in books[uuid]),
            quotes=len(whole.carrying[uuid]),
            degree=degrees[uuid],
            community=stand[uuid].community,
            x=stand[uuid].x,
            y=stand[uuid].y,
        )
        for uuid in shown
    )
