"""The concept graph in SQLite and in Neo4j: the 50 nearest of many concepts, and a large commit."""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median

import numpy as np
from tests.real.neo4j import available, neo4j_server

from bench import quotes
from studium.concepts.domain import Concept, ConceptGraph, GraphCommit, Relation, RelationType
from studium.concepts.graph_store.neo4j import Neo4jAddress, Neo4jConceptGraph
from studium.concepts.graph_store.sqlite import SqliteConceptGraph

Row = tuple[str, float, str, str]
DIMENSIONS = 384
MANY, ROUNDS = 100_000, 51
CONCEPTS, RELATIONS = 1000, 3000


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        return [
            *_search(place / "search.db"),
            *_commits("SQLite", lambda turn: closing(SqliteConceptGraph(place / f"{turn}.db")), "<= 3"),
            *([] if available() else _commits_on_server()),
            *quotes.measure(),
        ]


def _search(path: Path) -> list[Row]:
    with closing(SqliteConceptGraph(path)) as graph:
        graph.commit(approved(MANY, 0))
        queries = np.random.default_rng(1).standard_normal((ROUNDS, DIMENSIONS)).astype(np.float32)
        first, *others = (_seconds(lambda one=one: graph.search_concepts(one, threshold=-1)) for one in queries)
    return [
        (f"top 50 of {MANY} concepts in SQLite, p50", median(others) * 1000, "ms", "<= 15"),
        (f"top 50 of {MANY} concepts in SQLite, the first time", first, "s", ""),
    ]


def _commits_on_server() -> list[Row]:
    with neo4j_server() as server:

        @contextmanager
        def emptied(_turn: int) -> Iterator[ConceptGraph]:
            with closing(Neo4jConceptGraph(Neo4jAddress(uri=server.bolt), dimensions=DIMENSIONS)) as graph:
                graph.commit(GraphCommit(removed=tuple(concept.uuid for concept in graph.concepts())))
                yield graph

        return _commits("Neo4j", emptied, "<= 10")


def _commits(name: str, opened: Callable, target: str) -> list[Row]:
    took = []
    # The first commit is on a cold server; compare the best of the later ones of each size.
    for turn, factor in enumerate((1, 1, 2, 1, 2, 1, 2)):
        much = approved(factor * CONCEPTS, factor * RELATIONS)
        with opened(turn) as graph:
            took.append(_seconds(lambda graph=graph, much=much: graph.commit(much)))
    cold, *warm = took
    return [
        (f"commit of {CONCEPTS} concepts and {RELATIONS} relations to {name}", cold, "s", target),
        (f"commit of twice as much to {name}", min(warm[1::2]) / min(warm[::2]), "x", "<= 2.5"),
    ]


def approved(concepts: int, relations: int) -> GraphCommit:
    random = np.random.default_rng(0)
    rows = random.standard_normal((concepts, DIMENSIONS)).astype(np.float32)
    uuids = [f"concept-{number}" for number in range(concepts)]
    types = list(RelationType)
    return GraphCommit(
        concepts=tuple(Concept(uuid=uuid, name=uuid, title=uuid, concept=f"What {uuid} says.") for uuid in uuids),
        vectors=dict(zip(uuids, rows, strict=True)),
        relations=tuple(
            Relation(
                source=uuids[number % concepts],
                target=uuids[(number % concepts + 1 + number // concepts) % concepts],
                type=types[number % len(types)],
                reasoning="because",
            )
            for number in range(relations)
        ),
    )


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
