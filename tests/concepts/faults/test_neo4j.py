"""The same life on a Neo4j server, which is killed in the middle of the commit and started again."""

import contextlib

import pytest
from tests.concepts.faults.test_bad_input import HOSTILE, TEXTS
from tests.concepts.faults.workspace import Workspace
from tests.concepts.graph_store.proxy import Cable
from tests.real.neo4j import neo4j_in

from studium.concepts.graph_store.neo4j import Neo4jAddress, Neo4jConceptGraph

# The short form, without the commands, is tests/concepts/graph_store/test_neo4j_killed.py.
pytestmark = [pytest.mark.part("neo4j"), pytest.mark.xdist_group("neo4j"), pytest.mark.endurance]
SUPPORTS = b"MERGE (quote)-[link:SUPPORTS]->(concept)"


class Tripwire(Cable):
    """A cable on which something happens when a statement goes to the server."""

    def _carry(self, one, other, counts):
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                if counts and SUPPORTS in data:
                    self.happens()
                    return
                other.sendall(data)


def test_neo4j_killed_in_the_commit_keeps_nothing_of_it_and_the_same_command_finishes_it(tmp_path):
    data = tmp_path / "neo4j"
    data.mkdir()
    workspace = Workspace.in_folder(tmp_path)
    workspace.file.write_text(HOSTILE)
    with contextlib.ExitStack() as running:
        server = running.enter_context(neo4j_in(data))
        line = Tripwire(("127.0.0.1", int(server.bolt.rsplit(":", 1)[1])))
        workspace.configure(neo4j={"uri": f"bolt://127.0.0.1:{line.port}"})

        def kill():
            running.close()
            line.cut()

        line.happens = kill
        assert workspace.concepts("parse", workspace.file).code == 0
        assert workspace.concepts("extract", "Robert").code == 0
        failed = workspace.concepts("review", "Robert", "--approve")
        line.close()
        assert failed.code == 3
        assert "does not answer" in failed.err
        assert workspace.notes() == {}
    with neo4j_in(data) as again:
        workspace.configure(neo4j={"uri": again.bolt})
        with contextlib.closing(Neo4jConceptGraph(Neo4jAddress(uri=again.bolt))) as graph:
            assert graph.counts()["Concept"] == 0, "nothing half-written"
            finished = workspace.concepts("review", "Robert", "--approve", "--json")
            assert finished.code == 0
            [book] = graph.books()
            assert [quote.text for quote in graph.quotes_of(book.uuid)] == TEXTS
            assert sorted(concept.concept for concept in graph.concepts()) == sorted(TEXTS)
            assert book.processed_date
            assert len(workspace.notes()) == 3
            assert workspace.concepts("undo", finished.json["run"]).code == 0
            assert graph.counts()["Concept"] == 0
            assert workspace.notes() == {}
