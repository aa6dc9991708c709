"""What only the graph in a file promises: it survives a kill, and threads and programs share it."""

import contextlib
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.damaged_files import damage_again_and_again

from studium.concepts.domain import Concept, GraphCommit
from studium.concepts.graph_store.sqlite import SqliteConceptGraph
from studium.core.domain.errors import BadInput, StorageFailed

KILLED_IN_A_COMMIT = """
import os, signal, sys
from pathlib import Path
from studium.concepts.domain import Concept, GraphCommit
from studium.concepts.graph_store.sqlite import SqliteConceptGraph
graph = SqliteConceptGraph(Path(sys.argv[1]))
graph.commit(GraphCommit(concepts=(Concept(uuid="kept", name="kept", title="kept"),)))
graph._refuse_unknown = lambda approved: os.kill(os.getpid(), signal.SIGKILL)
graph.commit(GraphCommit(concepts=(Concept(uuid="lost", name="lost", title="lost"),)))
"""


def test_a_kill_in_the_middle_of_a_commit_leaves_nothing_of_it(tmp_path):
    path = tmp_path / "graph.db"
    killed = subprocess.run([sys.executable, "-c", KILLED_IN_A_COMMIT, path], check=False)
    assert killed.returncode == -signal.SIGKILL
    with contextlib.closing(SqliteConceptGraph(path)) as graph:
        assert [one.uuid for one in graph.concepts()] == ["kept"]


def test_a_search_sees_what_another_program_wrote(tmp_path, vector):
    east = vector([1, 0, 0])
    with (
        contextlib.closing(SqliteConceptGraph(tmp_path / "graph.db")) as one,
        contextlib.closing(SqliteConceptGraph(tmp_path / "graph.db")) as other,
    ):
        assert not one.search_concepts(east)
        concept = Concept(uuid="c", name="c", title="c")
        other.commit(GraphCommit(concepts=(concept,), vectors={"c": east}))
        assert one.search_concepts(east) == [(concept, pytest.approx(1))]


def test_threads_share_a_graph(tmp_path, vector):
    with contextlib.closing(SqliteConceptGraph(tmp_path / "graph.db")) as graph, ThreadPoolExecutor(8) as threads:

        def write_and_search(number):
            name, place = f"c{number}", vector([1, number, 0])
            graph.commit(GraphCommit(concepts=(Concept(uuid=name, name=name, title=name),), vectors={name: place}))
            return graph.search_concepts(place, limit=1)[0][0].uuid

        assert list(threads.map(write_and_search, range(40))) == [f"c{number}" for number in range(40)]
        assert graph.counts()["Concept"] == 40


def test_a_graph_of_a_later_studium_is_left_alone(tmp_path):
    path = tmp_path / "graph.db"
    SqliteConceptGraph(path).close()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE graph SET value = 9 WHERE key = 'schema'")
    with pytest.raises(BadInput, match="schema 9"):
        SqliteConceptGraph(path)


def test_a_file_that_is_no_database_is_named(tmp_path):
    path = tmp_path / "graph.db"
    path.write_text("These are my notes, and no database at all. " * 20)
    with pytest.raises(StorageFailed, match=r"graph\.db"):
        SqliteConceptGraph(path)
    assert path.read_text().startswith("These are my notes")


def test_a_flipped_byte_is_reported_as_damage(tmp_path):
    path = tmp_path / "graph.db"
    with contextlib.closing(SqliteConceptGraph(path)) as graph:
        graph.commit(GraphCommit(concepts=tuple(Concept(uuid=f"c{n}", name=f"{n}", title=f"É {n}") for n in range(50))))
    told = []
    for _ in damage_again_and_again(path, 15):
        try:
            with contextlib.closing(SqliteConceptGraph(path)) as graph:
                graph.concepts(), graph.relations(), graph.supports(), graph.books(), graph.counts()
        except (StorageFailed, BadInput) as error:
            told.append(f"{error} {error.remedy}")
    assert len(told) > 20
    unclear = [each for each in told if "has schema" not in each]
    assert all("graph.db is damaged" in each and "Restore the file from a copy" in each for each in unclear)


def test_an_empty_file_is_not_taken_for_a_new_graph(tmp_path):
    (tmp_path / "graph.db").touch()
    with pytest.raises(StorageFailed, match=r"graph.db is empty \(0 bytes\)"):
        SqliteConceptGraph(tmp_path / "graph.db")
