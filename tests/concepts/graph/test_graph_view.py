"""The map of a graph: what is on it, where, and how it is written down."""

import json
import math
import re
import time
from itertools import combinations
from statistics import mean

import networkx as nx
import pytest

from studium.concepts.domain import Concept, Content, GraphCommit, Quote, Relation, RelationType, Support
from studium.concepts.graph_view import (
    GraphView,
    ViewEdge,
    build_graph_view,
    communities,
    graph_view_of,
    read_snapshot,
    view_to_json,
    view_to_mermaid,
)
from studium.core.domain.errors import NotFound


def uuids(shown):
    return [node.uuid for node in shown.nodes]


def distance(one, other):
    return math.dist((one.x, one.y), (other.x, other.y))


def test_a_node_tells_its_books_its_quotes_and_its_links(library):
    calm = next(node for node in build_graph_view(library).nodes if node.uuid == "calm")
    assert (calm.title, calm.books, calm.quotes, calm.degree) == ("Calm", ("Meditaciones", "Walden"), 2, 2)


def test_a_relation_is_one_edge_for_both_directions_with_its_reasoning(library):
    assert build_graph_view(library).edges == (
        ViewEdge(source="calm", target="haste", type=RelationType.OPPOSES, reasoning="one excludes the other"),
        ViewEdge(source="chance", target="order", type=RelationType.RELATES_TO),
        ViewEdge(source="habit", target="calm", type=RelationType.SUPPORTS, reasoning="it frees the mind"),
    )


@pytest.mark.parametrize("type_", RelationType)
def test_the_edge_is_the_same_from_whichever_side_it_was_given(graph, concepts, type_):
    graph.commit(GraphCommit(concepts=concepts("A", "B")))
    given = Relation(source="b", target="a", type=type_, reasoning="so")
    graph.commit(GraphCommit(relations=(given,)))
    (edge,) = build_graph_view(graph).edges
    assert edge.type not in {RelationType.SPECIFIC_OF, RelationType.HAS_PART, RelationType.SUPPORTED_BY}
    assert edge.reasoning == "so"
    directions = {(edge.source, edge.target, edge.type), (edge.target, edge.source, edge.type.inverse)}
    assert ("b", "a", type_) in directions


def test_around_a_concept_there_is_what_is_so_many_links_away(library):
    assert uuids(build_graph_view(library, around="haste")) == ["calm", "haste"]
    assert uuids(build_graph_view(library, around="haste", depth=2)) == ["calm", "habit", "haste"]
    assert uuids(build_graph_view(library, around="haste", depth=9)) == ["calm", "habit", "haste"]
    assert uuids(build_graph_view(library, around="haste", depth=0)) == ["haste"]


def test_of_a_book_there_is_what_its_quotes_carry(library):
    shown = build_graph_view(library, book="med")
    assert uuids(shown) == ["calm", "habit", "solitude"]
    assert [(edge.source, edge.target) for edge in shown.edges] == [("habit", "calm")]
    assert build_graph_view(library, book="new") == GraphView(nodes=(), edges=())


def test_by_types_there_are_only_their_edges_in_either_direction(library):
    shown = build_graph_view(library, types=[RelationType.SUPPORTED_BY])
    assert [(edge.source, edge.type) for edge in shown.edges] == [("habit", RelationType.SUPPORTS)]
    assert len(shown.nodes) == 7
    assert uuids(build_graph_view(library, around="calm", types=[RelationType.OPPOSES])) == ["calm", "haste"]


def test_what_is_not_there_is_named(library):
    with pytest.raises(NotFound, match="no concept missing"):
        build_graph_view(library, around="missing")
    with pytest.raises(NotFound, match="no book missing"):
        build_graph_view(library, book="missing")


def test_places_lie_on_the_square_and_are_the_same_every_time(library):
    shown = build_graph_view(library)
    assert all(0 <= node.x <= 1 and 0 <= node.y <= 1 for node in shown.nodes)
    assert len({(node.x, node.y) for node in shown.nodes}) == 7
    assert build_graph_view(library) == shown


def test_one_concept_stands_in_the_middle(graph, concepts):
    graph.commit(GraphCommit(concepts=concepts("Alone")))
    (node,) = build_graph_view(graph).nodes
    assert (node.x, node.y, node.community) == (0.5, 0.5, 0)


def test_two_crowds_with_a_bridge_are_two_communities_that_stand_apart(graph, concepts):
    first, second = [f"a{number}" for number in range(6)], [f"b{number}" for number in range(5)]
    links = [*combinations(first, 2), *combinations(second, 2), ("a0", "b0")]
    graph.commit(
        GraphCommit(
            concepts=concepts(*first, *second),
            relations=tuple(Relation(source=one, target=other, type=RelationType.SIMILAR_TO) for one, other in links),
        )
    )
    nodes = {node.uuid: node for node in build_graph_view(graph).nodes}
    assert {uuid: node.community for uuid, node in nodes.items()} == dict.fromkeys(first, 0) | dict.fromkeys(second, 1)
    within = mean(distance(nodes[one], nodes[other]) for one, other in combinations(first, 2))
    between = mean(distance(nodes[one], nodes[other]) for one in first for other in second)
    assert between > 2 * within


def test_concepts_that_no_link_binds_stand_with_their_book(graph, concepts):
    for book in ("tea", "sea"):
        graph.save_book(Content(uuid=book, name=book, title=book), None, [Quote(uuid=f"{book} says", text=book)], {})
        names = [f"{book}{number}" for number in range(8)]
        graph.commit(
            GraphCommit(
                concepts=concepts(*names),
                supports=tuple(Support(quote=f"{book} says", concept=name) for name in names),
            )
        )
    nodes = build_graph_view(graph).nodes
    assert {(node.books, node.community) for node in nodes} == {(("sea",), 0), (("tea",), 1)}
    by_book = [[node for node in nodes if node.books == (book,)] for book in ("tea", "sea")]
    within = mean(distance(*pair) for some in by_book for pair in combinations(some, 2))
    assert mean(distance(one, other) for one in by_book[0] for other in by_book[1]) > 1.5 * within


def test_a_change_moves_little_and_what_is_new_stands_by_what_it_is_linked_to(crowded, concepts):
    before = build_graph_view(crowded)
    links = [Relation(source="new", target=f"c{number}", type=RelationType.SUPPORTS) for number in (2101, 2120, 2143)]
    crowded.commit(GraphCommit(concepts=concepts("New"), relations=tuple(links), removed=("c4000",)))
    after = graph_view_of(read_snapshot(crowded), last=before)
    assert [{"c4000"}, {"new"}] == [
        set(uuids(one)) - set(uuids(other)) for one, other in ((before, after), (after, before))
    ]
    was, now = ({node.uuid: node for node in drawn.nodes} for drawn in (before, after))
    kept = was.keys() & now.keys()
    assert mean(distance(was[uuid], now[uuid]) for uuid in kept) < 0.02
    assert max(distance(now["new"], now[link.target]) for link in links) < 0.1
    assert sum(was[uuid].community == now[uuid].community for uuid in kept) > 0.99 * len(kept)


def test_a_new_book_finds_its_place_on_a_map_that_is_known(library, concepts):
    before = build_graph_view(library)
    library.commit(
        GraphCommit(
            concepts=concepts("Tide", "Shore", "Gull"),
            supports=tuple(Support(quote="n1", concept=name) for name in ("tide", "shore", "gull")),
        )
    )
    after = graph_view_of(read_snapshot(library), last=before)
    assert len({(node.x, node.y) for node in after.nodes}) == 10
    assert all(0 <= node.x <= 1 and 0 <= node.y <= 1 for node in after.nodes)


HOSTILE = [
    'say "no"',
    "a[b](c){d}|e|",
    "#quot; %%{init: {}}%%",
    "`md` <b>&amp;",
    "end\nclick n0 href",
    "style:#1;",
    "¿Qué es?",
]


@pytest.fixture
def hostile(graph):
    concepts = [Concept(uuid=f"c{number}", name="x", title=title) for number, title in enumerate(HOSTILE)]
    relation = Relation(source="c1", target="c0", type=RelationType.PART_OF, reasoning='"]')
    graph.commit(GraphCommit(concepts=tuple(concepts), relations=(relation,)))
    return build_graph_view(graph)


def test_titles_are_only_text_to_mermaid(hostile):
    first, *lines, last = view_to_mermaid(hostile).splitlines()
    assert first == "flowchart LR"
    assert last == "  n1 -->|PART_OF| n0"
    shown = [re.fullmatch(r'  n(\d)\["([^"\[\](){}|<>&`%:\n]+)"\]', line) for line in lines]
    read = [re.sub(r"#(\d+);", lambda code: chr(int(code[1])), line[2]) for line in shown]
    assert read == [title.replace("\n", " ") for title in HOSTILE]
    assert shown[6][2] == "¿Qué es?"


def test_a_symmetric_relation_is_a_line_without_an_arrow_in_mermaid(library):
    lines = view_to_mermaid(build_graph_view(library, around="haste")).splitlines()
    assert lines == ["flowchart LR", '  n0["Calm"]', '  n1["Haste"]', "  n0 ---|OPPOSES| n1"]


def test_json_holds_all_of_the_map(hostile):
    written = json.loads(view_to_json(hostile))
    assert GraphView.model_validate(written) == hostile
    assert written["edges"] == [{"source": "c1", "target": "c0", "type": "PART_OF", "reasoning": '"]'}]


def test_five_thousand_concepts_are_drawn_at_once_with_the_linked_ones_together(crowded):
    began = time.process_time()
    shown = build_graph_view(crowded)
    assert time.process_time() - began < 15
    nodes = {node.uuid: node for node in shown.nodes}
    linked = mean(distance(nodes[edge.source], nodes[edge.target]) for edge in shown.edges)
    apart = mean(distance(one, other) for one, other in zip(shown.nodes[:2500], shown.nodes[2500:], strict=True))
    assert apart > 5 * linked
    assert len({node.community for node in shown.nodes}) == 100
    assert len({(node.x, node.y) for node in shown.nodes}) > 4_900


def test_communities_of_a_large_dense_graph_are_not_one():
    graph = nx.planted_partition_graph(40, 55, 0.4, 0.02, seed=3)
    names = {number: f"c{number:04}" for number in graph}
    found = communities(list(names.values()), [(names[one], names[other]) for one, other in graph.edges])
    assert 35 <= len(set(found.values())) <= 40
