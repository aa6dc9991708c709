"""What only the graph on a server promises: the indexes of its schema, and plain words when the server is not there."""

import contextlib
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.concepts.graph_store.proxy import cable
from tests.real.process import free_port

from studium.concepts.domain import Concept, GraphCommit
from studium.concepts.graph_store.neo4j import Neo4jAddress, Neo4jConceptGraph, Neo4jServer
from studium.core.domain.errors import BadSettings, ServiceDown


def test_a_server_that_is_down_is_named_with_the_remedy():
    address = Neo4jAddress(uri=f"bolt://127.0.0.1:{free_port()}")
    began = time.monotonic()
    with pytest.raises(ServiceDown, match=address.uri) as raised:
        Neo4jConceptGraph(address)
    assert "Start Neo4j" in raised.value.remedy
    assert time.monotonic() - began < 20


def test_a_server_that_takes_the_call_and_says_nothing_is_not_waited_for():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = Neo4jAddress(uri=f"bolt://127.0.0.1:{silent.getsockname()[1]}", timeout=0.5)
        began = time.monotonic()
        with pytest.raises(ServiceDown, match="does not answer"):
            Neo4jConceptGraph(address)
    assert time.monotonic() - began < 20


def test_an_address_that_is_none_is_a_bad_setting():
    with pytest.raises(BadSettings, match="not the address"):
        Neo4jConceptGraph(Neo4jAddress(uri="ftp://127.0.0.1"))


@pytest.mark.part("neo4j")
@pytest.mark.xdist_group("neo4j")
def test_the_vector_indexes_are_named_and_made_as_the_schema_says(open_graph, server):
    open_graph("neo4j")
    with contextlib.closing(Neo4jServer(server)) as bare:
        rows = bare.ask("SHOW VECTOR INDEXES YIELD name, labelsOrTypes, properties, options ORDER BY name")
    assert [(row["name"], row["labelsOrTypes"], row["properties"]) for row in rows] == [
        ("concept_embeddings_index", ["Concept"], ["embedding"]),
        ("quote_embeddings_index", ["Quote"], ["embedding"]),
    ]
    for row in rows:
        config = row["options"]["indexConfig"]
        assert (config["vector.dimensions"], config["vector.similarity_function"].lower()) == (8, "cosine")


@pytest.mark.part("neo4j")
@pytest.mark.xdist_group("neo4j")
def test_nodes_and_links_are_labelled_as_the_schema_says(open_graph, server, book, author, quotes, approved):
    graph = open_graph("neo4j")
    graph.save_book(book, author, quotes, {})
    graph.commit(approved)
    with contextlib.closing(Neo4jServer(server)) as bare:
        links = bare.ask(
            "MATCH (a)-[r]->(b) RETURN DISTINCT labels(a)[0] AS one, type(r) AS link, labels(b)[0] AS other "
            "ORDER BY one, link"
        )
        partitions = bare.ask("MATCH (n:Quote|Concept) RETURN DISTINCT n.partition AS name ORDER BY name")
    assert [tuple(link.values()) for link in links] == [
        ("Concept", "GENERALIZES", "Concept"),
        ("Concept", "OPPOSES", "Concept"),
        ("Concept", "SPECIFIC_OF", "Concept"),
        ("Person", "AUTHORED_BY", "Content"),
        ("Quote", "QUOTED_IN", "Content"),
        ("Quote", "SUPPORTS", "Concept"),
    ]
    assert [row["name"] for row in partitions] == ["DOMAIN", "LEXICAL"]


@pytest.mark.part("neo4j")
@pytest.mark.xdist_group("neo4j")
def test_a_graph_of_another_embedder_is_refused(open_graph, server):
    open_graph("neo4j")
    with pytest.raises(BadSettings, match="8 dimensions; we need 1024"):
        Neo4jConceptGraph(server)


@pytest.mark.part("neo4j")
@pytest.mark.xdist_group("neo4j")
@pytest.mark.parametrize("carried", [500, *(pytest.param(bytes_, marks=pytest.mark.endurance) for bytes_ in (0, 1500))])
def test_a_line_that_breaks_in_a_commit_leaves_nothing_and_the_same_commit_finishes_it(
    open_graph, server, book, quotes, approved, carried
):
    whole = open_graph("neo4j")
    whole.save_book(book, None, quotes, {})
    with cable(server.uri) as line:
        address = Neo4jAddress(uri=f"bolt://127.0.0.1:{line.port}", timeout=1)
        with contextlib.closing(Neo4jConceptGraph(address, dimensions=8)) as graph:
            line.left = carried
            with pytest.raises(ServiceDown, match="does not answer"):
                graph.commit(approved)
    assert whole.counts()["Concept"] == 0
    assert whole.book("b1").processed_date is None
    whole.commit(approved)
    assert whole.counts()["Concept"] == 3
    assert whole.book("b1").processed_date == approved.processed_date


@pytest.mark.part("neo4j")
@pytest.mark.xdist_group("neo4j")
def test_a_line_that_breaks_once_in_a_commit_is_taken_up_again(open_graph, server, book, quotes, approved):
    whole = open_graph("neo4j")
    whole.save_book(book, None, quotes, {})
    with cable(server.uri) as line:
        address = Neo4jAddress(uri=f"bolt://127.0.0.1:{line.port}")
        with contextlib.closing(Neo4jConceptGraph(address, dimensions=8)) as graph:
            line.left, line.happens = 1500, line.drop
            graph.commit(approved)
        assert line.left == float("inf"), "it did break"
    assert whole.counts()["Concept"] == 3
    assert whole.relations("c0") == [approved.relations[0]]


@pytest.mark.part("neo4j")
@pytest.mark.xdist_group("neo4j")
def test_commits_that_lock_each_other_out_are_all_kept_in_the_end(open_graph):
    graph = open_graph("neo4j")
    names = [f"c{number:02}" for number in range(40)]

    def write(turn):
        ordered = names if turn % 2 else names[::-1]
        graph.commit(GraphCommit(concepts=tuple(Concept(uuid=name, name=name, title=f"{turn}") for name in ordered)))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, range(12)))
    assert [one.uuid for one in sorted(graph.concepts(), key=lambda one: one.uuid)] == names
    assert len({one.title for one in graph.concepts()}) == 1, "the last commit is whole"
