"""Lays out a map of the concept graph: communities, positions, nodes and edges."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from studium.concepts.domain import Concept, ConceptGraph, Content, Quote, Relation, RelationType
from studium.concepts.force_layout import WeightedEdge, force_layout
from studium.core.domain.errors import NotFound
from studium.core.domain.value import Value
from studium.core.extras import needs_extra

if TYPE_CHECKING:
    import networkx as nx

Pair = tuple[str, str]
_LARGE_GRAPH = 2000
_LARGEST_GROUP = 0.03


def connected_components(uuids: Iterable[str], pairs: Iterable[Pair]) -> list[list[str]]:
    """The connected parts of the graph, the largest first, then by id."""
    with needs_extra("concepts", "Analysing the concept graph"):
        import networkx as nx

    graph: nx.Graph[str] = nx.Graph(pairs)
    graph.add_nodes_from(uuids)
    return sorted(map(sorted, nx.connected_components(graph)), key=lambda part: (-len(part), part))


def communities(
    uuids: Sequence[str], pairs: Iterable[Pair], last: Mapping[str, int] = MappingProxyType({})
) -> dict[str, int]:
    """The Louvain community of each concept, 0 for the largest; the same graph always gives the same communities.

    A community keeps the number that most of its members had the `last` time, so that it keeps its colour on the map.
    """
    with needs_extra("concepts", "Analysing the concept graph"):
        import networkx as nx

    ordered = sorted(uuids)
    # Numbers instead of ids: the order of a set of strings differs from process to process.
    place = {uuid: number for number, uuid in enumerate(ordered)}
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(ordered)))
    graph.add_edges_from(sorted((place[one], place[other]) for one, other in pairs))
    return _numbered([sorted(ordered[number] for number in some) for some in _louvain(graph)], last)


def _louvain(graph: "nx.Graph[int]") -> list[set[int]]:
    """The Louvain communities; in a large graph, of the groups that label propagation finds in a fifth of the time."""
    import networkx as nx

    if len(graph) < _LARGE_GRAPH:
        return nx.community.louvain_communities(graph, seed=0)
    groups = [sorted(group) for group in nx.community.fast_label_propagation_communities(graph, seed=0)]
    # In a dense graph one label spreads over everything, so the groups would say nothing.
    if max(map(len, groups)) > _LARGEST_GROUP * len(graph):
        return nx.community.louvain_communities(graph, seed=0)
    group_of = {number: place for place, group in enumerate(groups) for number in group}
    ties = Counter(tuple(sorted((group_of[one], group_of[other]))) for one, other in graph.edges)
    joined: nx.Graph[int] = nx.Graph()
    joined.add_nodes_from(range(len(groups)))
    joined.add_weighted_edges_from((one, other, count) for (one, other), count in ties.items())
    found = nx.community.louvain_communities(joined, seed=0)
    return [{number for place in some for number in groups[place]} for some in found]


def _numbered(found: Iterable[list[str]], last: Mapping[str, int]) -> dict[str, int]:
    ranked = sorted(found, key=lambda some: (-len(some), some))
    kept: dict[int, list[str]] = {}
    others = []
    for some in ranked:
        had = Counter(last[uuid] for uuid in some if uuid in last).most_common(1)
        if had and had[0][0] not in kept and 0 <= had[0][0] < len(ranked):
            kept[had[0][0]] = some
        else:
            others.append(some)
    free = (number for number in range(len(ranked)) if number not in kept)
    kept |= dict(zip(free, others, strict=True))
    return {uuid: number for number, some in kept.items() for uuid in some}


# A book holds its concepts together, but a link between two books holds its two concepts more.
_LINK, _BOOK = 1.0, 0.6


class NodePosition(NamedTuple):
    """The community of a concept, and its position from 0 to 1."""

    community: int
    x: float
    y: float


def place_nodes(
    books: Mapping[str, Sequence[str]], links: Sequence[Pair], last: Mapping[str, NodePosition]
) -> dict[str, NodePosition]:
    """The position of each concept, given its books; concepts stay near their `last` position."""
    groups = communities(
        list(books),
        [*links, *_unlinked_pairs(books, links)],
        {uuid: standing.community for uuid, standing in last.items()},
    )
    # Each book is an invisible node of the layout.
    number = {uuid: place for place, uuid in enumerate(books)}
    first = {book: uuid for uuid, some in reversed([*books.items()]) for book in some}
    middle = {book: len(books) + place for place, book in enumerate(sorted(first))}
    ties: list[WeightedEdge] = [(number[one], number[other], _LINK) for one, other in links]
    ties += [(number[uuid], middle[book], _BOOK) for uuid, some in books.items() for book in some]
    places = force_layout(
        [*(groups[uuid] for uuid in books), *(groups[first[book]] for book in middle)],
        ties,
        [*((last[uuid].x, last[uuid].y) if uuid in last else None for uuid in books), *(None for _ in middle)],
    )
    return {uuid: NodePosition(groups[uuid], *places[number[uuid]]) for uuid in books}


def _unlinked_pairs(books: Mapping[str, Sequence[str]], links: Sequence[Pair]) -> list[Pair]:
    """Pairs that put the unlinked concepts of a book into one community."""
    linked = {end for pair in links for end in pair}
    first: dict[str, str] = {}
    mates = [(uuid, first.setdefault(some[0], uuid)) for uuid, some in books.items() if some and uuid not in linked]
    return [pair for pair in mates if pair[0] != pair[1]]


@dataclass(frozen=True, kw_only=True)
class GraphSnapshot:
    """Books, quotes and concepts by id; `quotes_of` are the quotes of a concept, `book_of` is the book of a quote."""

    books: Mapping[str, Content]
    quotes: Mapping[str, Quote]
    book_of: Mapping[str, Content]
    concepts: Mapping[str, Concept]
    relations: Sequence[Relation]
    quotes_of: Mapping[str, Sequence[str]]

    def books_of(self, concept: str) -> list[Content]:
        """The books whose quotes support a concept, by title."""
        books = {book.uuid: book for quote in self.quotes_of[concept] if (book := self.book_of.get(quote))}
        return sorted(books.values(), key=lambda book: (book.title, book.uuid))


def read_snapshot(graph: ConceptGraph) -> GraphSnapshot:
    """Read all of a graph but its vectors."""
    books = {book.uuid: book for book in graph.books()}
    quotes = {quote.uuid: (quote, book) for book in books.values() for quote in graph.quotes_of(book.uuid)}
    concepts = {concept.uuid: concept for concept in graph.concepts()}
    quotes_of = defaultdict[str, list[str]](list, {uuid: [] for uuid in concepts})
    for support in graph.supports():
        quotes_of[support.concept].append(support.quote)
    return GraphSnapshot(
        books=books,
        quotes={uuid: quote for uuid, (quote, _) in quotes.items()},
        book_of={uuid: book for uuid, (_, book) in quotes.items()},
        concepts=concepts,
        relations=graph.relations(),
        quotes_of=quotes_of,
    )


# Of a relation and its inverse the map shows this one.
_SHOWN = {RelationType.GENERALIZES, RelationType.PART_OF, RelationType.SUPPORTS}
# All else could mean something to Mermaid: quotes, brackets, entities, directives.
_PLAIN = re.compile(r"[^\w .,'’¿?¡!-]")


class ViewNode(Value):
    """A concept on the map: its books, counts, community and position."""

    uuid: str
    title: str
    books: tuple[str, ...]
    quotes: int
    degree: int
    community: int
    x: float
    y: float


class ViewEdge(Value):
    """A relation on the map, shown once for both directions."""

    source: str
    target: str
    type: RelationType
    reasoning: str = ""


class GraphView(Value):
    """What a page needs to draw the graph; positions are from 0 to 1."""

    nodes: tuple[ViewNode, ...]
    edges: tuple[ViewEdge, ...]


def build_graph_view(
    graph: ConceptGraph,
    *,
    around: str | None = None,
    depth: int = 1,
    book: str | None = None,
    types: Sequence[RelationType] = (),
) -> GraphView:
    """Read a graph and lay out its map, or the part around a concept, of a book, or of some relation types."""
    return graph_view_of(read_snapshot(graph), around=around, depth=depth, book=book, types=types)


def graph_view_of(
    whole: GraphSnapshot,
    *,
    around: str | None = None,
    depth: int = 1,
    book: str | None = None,
    types: Sequence[RelationType] = (),
    last: GraphView | None = None,
) -> GraphView:
    """Lay out the map of a snapshot; nodes stay near their position on the `last` map."""
    shown = _of_book(whole, book) if book else set(whole.concepts)
    edges = [one for one in _edges(whole, types) if {one.source, one.target} <= shown]
    if around:
        shown = _reached(whole, around, depth, edges)
        edges = [one for one in edges if {one.source, one.target} <= shown]
    return GraphView(nodes=_nodes(whole, sorted(shown), edges, last), edges=tuple(edges))


def view_to_json(view: GraphView) -> str:
    """The map as JSON."""
    return view.model_dump_json()


def view_to_mermaid(view: GraphView) -> str:
    """The map as a Mermaid flowchart with escaped titles."""
    names = {node.uuid: f"n{number}" for number, node in enumerate(view.nodes)}
    lines = [f'  {names[node.uuid]}["{_escaped(node.title)}"]' for node in view.nodes]
    for edge in view.edges:
        arrow = "---" if edge.type.inverse is edge.type else "-->"
        lines.append(f"  {names[edge.source]} {arrow}|{edge.type.value}| {names[edge.target]}")
    return "\n".join(["flowchart LR", *lines, ""])


def _escaped(title: str) -> str:
    return _PLAIN.sub(lambda found: f"#{ord(found[0])};", " ".join(title.split())) or " "


def _of_book(whole: GraphSnapshot, book: str) -> set[str]:
    if book not in whole.books:
        raise NotFound(f"The graph has no book {book}.")
    return {uuid for uuid in whole.concepts if book in (one.uuid for one in whole.books_of(uuid))}


def _edges(whole: GraphSnapshot, types: Collection[RelationType]) -> list[ViewEdge]:
    wanted = {kind for type_ in types for kind in (type_, type_.inverse)} or set(RelationType)
    told: dict[tuple[str, str, RelationType], str] = {}
    for one in whole.relations:
        if one.type in wanted:
            shown = _one_way(one.source, one.target, one.type)
            # Both directions may have a reasoning; that of the direction that is shown comes first.
            if not told.get(shown) or (one.reasoning and shown[0] == one.source):
                told[shown] = one.reasoning
    return [
        ViewEdge(source=source, target=target, type=type_, reasoning=reasoning)
        for (source, target, type_), reasoning in sorted(told.items())
    ]


def _one_way(source: str, target: str, type_: RelationType) -> tuple[str, str, RelationType]:
    """Of the two directions of a relation, the one to show."""
    inverse = type_.inverse
    if (source < target) if inverse is type_ else (type_ in _SHOWN):
        return source, target, type_
    return target, source, inverse


def _reached(whole: GraphSnapshot, around: str, depth: int, edges: Iterable[ViewEdge]) -> set[str]:
    if around not in whole.concepts:
        raise NotFound(f"The graph has no concept {around}.")
    pairs = [(one.source, one.target) for one in edges]
    reached = {around}
    for _ in range(depth):
        reached |= {end for pair in pairs if not reached.isdisjoint(pair) for end in pair}
    return reached


def _nodes(
    whole: GraphSnapshot, shown: Sequence[str], edges: Sequence[ViewEdge], last: GraphView | None
) -> tuple[ViewNode, ...]:
    pairs = sorted({(min(one.source, one.target), max(one.source, one.target)) for one in edges})
    degrees = Counter(end for pair in pairs for end in pair)
    books = {uuid: whole.books_of(uuid) for uuid in shown}
    before = {node.uuid: NodePosition(node.community, node.x, node.y) for node in last.nodes} if last else {}
    stand = place_nodes({uuid: [book.uuid for book in books[uuid]] for uuid in shown}, pairs, before)
    return tuple(
        ViewNode(
            uuid=uuid,
            title=whole.concepts[uuid].title,
            books=tuple(book.title for book in books[uuid]),
            quotes=len(whole.quotes_of[uuid]),
            degree=degrees[uuid],
            community=stand[uuid].community,
            x=stand[uuid].x,
            y=stand[uuid].y,
        )
        for uuid in shown
    )
