"""One graph of each kind, empty at the start of every test."""

import contextlib
from functools import partial

import numpy as np
import pytest

from studium.concepts.domain import Concept, Content, GraphCommit, Person, Quote, Relation, RelationType, Support
from studium.concepts.graph_store.neo4j import Neo4jAddress, Neo4jConceptGraph
from studium.concepts.graph_store.sqlite import SqliteConceptGraph

DIMENSIONS = 8
NEO4J = pytest.param("neo4j", marks=[pytest.mark.part("neo4j"), pytest.mark.xdist_group("neo4j")])


@pytest.fixture(scope="session")
def server(neo4j):
    return Neo4jAddress(uri=neo4j.bolt)


@pytest.fixture(scope="module")
def server_graph(server):
    """A graph on the server, opened once; not for the whole session, as others use vectors of another length there."""
    with contextlib.closing(Neo4jConceptGraph(server, dimensions=DIMENSIONS)) as opened:
        yield opened


@pytest.fixture
def open_graph(request, tmp_path):
    """Opens an empty graph of the kind that is named."""
    with contextlib.ExitStack() as stack:

        def opened(kind):
            if kind == "sqlite":
                return stack.enter_context(contextlib.closing(SqliteConceptGraph(tmp_path / "graph.db")))
            graph = request.getfixturevalue("server_graph")
            graph._server.ask("MATCH (n) DETACH DELETE n")
            return graph

        yield opened


@pytest.fixture(params=["sqlite", NEO4J])
def graph(request, open_graph):
    return open_graph(request.param)


@pytest.fixture
def vector():
    return partial(np.array, dtype=np.float32)


@pytest.fixture
def book():
    return Content(uuid="b1", name="Pensar rápido", title="Pensar rápido", author="Daniel Kahneman", summary="Mucho.")


@pytest.fixture
def author():
    return Person(uuid="p1", name="Daniel Kahneman", summary="Psychologist.")


@pytest.fixture
def quotes():
    return (
        Quote(uuid="q2", text="Lo que ves es todo lo que hay.", section="Sesgos", page_reference="85", line=9),
        Quote(uuid="q1", text="Nothing is as important as you think it is.", note="while thinking of it"),
        Quote(uuid="q3", text="El hábito ancla.", page_reference="12-13"),
    )


@pytest.fixture
def approved():
    generates = np.random.default_rng(6)
    concepts = tuple(Concept(uuid=f"c{n}", name=f"Idea {n}", title=f"Idea {n}", concept="…") for n in range(3))
    return GraphCommit(
        concepts=concepts,
        vectors={one.uuid: generates.standard_normal(DIMENSIONS).astype(np.float32) for one in concepts},
        relations=(
            Relation(source="c0", target="c1", type=RelationType.GENERALIZES, reasoning="wider", confidence=0.75),
            Relation(source="c1", target="c2", type=RelationType.OPPOSES),
        ),
        supports=(Support(quote="q1", concept="c0", reasoning="says so", confidence=0.9),),
        book="b1",
        processed_date="2026-01-02T03:04:05+00:00",
    )


@pytest.fixture
def everything():
    """Says all that a graph tells of itself."""
    return _everything


def _everything(graph):
    """All that a graph tells of itself."""
    books, concepts = graph.books(), graph.concepts()
    quotes = [graph.quotes_of(book.uuid) for book in books]
    uuids = [one.uuid for one in (*(quote for some in quotes for quote in some), *concepts)]
    vectors = {uuid: tuple(vector.tolist()) for uuid, vector in graph.vectors_of(uuids).items()}
    authors = [graph.author_of(book.uuid) for book in books]
    return books, authors, quotes, concepts, graph.relations(), graph.supports(), vectors, graph.counts()
