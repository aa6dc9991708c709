"""A small graph of two books, made by hand, and a large one."""

import contextlib
from shutil import copy

import numpy as np
import pytest

from studium.concepts.domain import Concept, Content, GraphCommit, Quote, Relation, RelationType, Support
from studium.concepts.graph_store.sqlite import SqliteConceptGraph


@pytest.fixture
def graph(tmp_path):
    with contextlib.closing(SqliteConceptGraph(tmp_path / "graph.db")) as opened:
        yield opened


@pytest.fixture
def concepts():
    """Makes concepts out of their titles, with ids in lower case."""

    def made(*titles):
        return tuple(Concept(uuid=title.lower(), name=title, title=title, concept=f"{title}!") for title in titles)

    return made


@pytest.fixture
def library(graph, concepts):
    """Two books on habits and one that nobody worked on; seven concepts, five of them linked."""
    graph.save_book(
        Content(uuid="walden", name="Walden", title="Walden", author="Thoreau"),
        None,
        [Quote(uuid=f"w{number}", text=f"Walden {number}") for number in (1, 2, 3)],
        {},
    )
    meditations = Content(uuid="med", name="Meditaciones", title="Meditaciones", author="Marco Aurelio")
    graph.save_book(meditations, None, [Quote(uuid=f"m{number}", text=f"Med {number}") for number in (1, 2)], {})
    graph.save_book(Content(uuid="new", name="Nuevo", title="Nuevo"), None, [Quote(uuid="n1", text="Nuevo 1")], {})
    for book in ("walden", "med"):
        graph.commit(GraphCommit(book=book, processed_date="2026-01-01"))
    graph.commit(
        GraphCommit(
            concepts=concepts("Calm", "Haste", "Habit", "Order", "Chance", "Solitude", "Nothing"),
            vectors={
                uuid: np.array(row, dtype=np.float32)
                for uuid, row in {
                    "calm": [1, 0, 0], "haste": [0, 1, 0], "habit": [0, 0, 1],
                    "order": [0.6, 0, 0.8], "chance": [0, -1, 0], "solitude": [3, 0, 0.3],
                }.items()
            },
            relations=(
                Relation(source="calm", target="haste", type=RelationType.OPPOSES, reasoning="one excludes the other"),
                Relation(source="habit", target="calm", type=RelationType.SUPPORTS, reasoning="it frees the mind"),
                Relation(source="order", target="chance", type=RelationType.RELATES_TO),
            ),
            supports=(
                Support(quote="w1", concept="calm"), Support(quote="m1", concept="calm"),
                Support(quote="w2", concept="haste"), Support(quote="m1", concept="habit"),
                Support(quote="w1", concept="order"), Support(quote="w2", concept="order"),
                Support(quote="w1", concept="chance"), Support(quote="w2", concept="chance"),
                Support(quote="m1", concept="solitude"), Support(quote="w2", concept="solitude"),
            ),
        )
    )  # fmt: skip
    return graph


@pytest.fixture(scope="session")
def crowded_file(tmp_path_factory):
    """A graph of 5,000 concepts in a hundred crowds, with some 15,000 links, in its file."""
    file = tmp_path_factory.mktemp("crowded") / "graph.db"
    with contextlib.closing(SqliteConceptGraph(file)) as graph:
        graph.commit(_crowds())
    return file


@pytest.fixture
def crowded(crowded_file, tmp_path):
    """The same, to be changed."""
    with contextlib.closing(SqliteConceptGraph(copy(crowded_file, tmp_path / "crowded.db"))) as opened:
        yield opened


def _crowds():
    random = np.random.default_rng(3)
    uuids = [f"c{number:04}" for number in range(5000)]
    others = np.arange(5000)[:, None] // 50 * 50 + random.integers(0, 50, (5000, 3))
    types = list(RelationType)
    return GraphCommit(
        concepts=tuple(Concept(uuid=uuid, name=uuid, title=uuid) for uuid in uuids),
        vectors=dict(zip(uuids, random.standard_normal((5000, 384)).astype(np.float32), strict=True)),
        relations=tuple(
            Relation(source=uuid, target=uuids[other], type=types[other % len(types)])
            for uuid, near in zip(uuids, others.tolist(), strict=True)
            for other in near
            if uuids[other] != uuid
        ),
    )
