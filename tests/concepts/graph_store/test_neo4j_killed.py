"""A server with passwords, which is killed in the middle of a commit and started again.

Its short form is in `test_neo4j.py`: there only the connection breaks, and the server stays.
"""

import contextlib
from itertools import pairwise

import neo4j
import numpy as np
import pytest
from tests.concepts.graph_store.proxy import cable
from tests.real.neo4j import neo4j_in

from studium.concepts.domain import Concept, Content, GraphCommit, Quote, Relation, RelationType, Support
from studium.concepts.graph_store.neo4j import Neo4jAddress, Neo4jConceptGraph
from studium.core.domain.errors import ServiceDown

pytestmark = [pytest.mark.part("neo4j"), pytest.mark.xdist_group("neo4j"), pytest.mark.endurance]
PASSWORD = "correct horse battery"
DATE = "2026-01-02"


class Guarded:
    """A server of which the data stay when it is killed."""

    def __init__(self, folder):
        self._folder = folder
        self._running = contextlib.ExitStack()

    def start(self):
        """Start it, for the first time or again."""
        self.uri = self._running.enter_context(neo4j_in(self._folder, auth=True)).bolt

    def kill(self):
        """End it at once, as kill -9 does."""
        self._running.close()

    def address(self, *, user="neo4j", password=PASSWORD, uri=None):
        # A line of its own is one that will break: nobody should wait long for it.
        return Neo4jAddress(uri=uri or self.uri, user=user, password=password, timeout=3 if uri else 30)

    @contextlib.contextmanager
    def graph(self, uri=None):
        with contextlib.closing(Neo4jConceptGraph(self.address(uri=uri), dimensions=64)) as opened:
            yield opened


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    server = Guarded(tmp_path_factory.mktemp("neo4j"))
    server.start()
    with pytest.raises(ServiceDown, match="CredentialsExpired") as raised:
        Neo4jConceptGraph(server.address(password="neo4j"))
    assert "a password of your own" in raised.value.remedy
    with neo4j.GraphDatabase.driver(server.uri, auth=("neo4j", "neo4j")) as driver:
        change = "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $password"
        driver.execute_query(change, password=PASSWORD, database_="system")
    with neo4j.GraphDatabase.driver(server.uri, auth=("neo4j", PASSWORD)) as driver:
        reader = "CREATE USER reader SET PASSWORD $password CHANGE NOT REQUIRED"
        driver.execute_query(reader, password=PASSWORD, database_="system")
    yield server
    server.kill()


@pytest.fixture
def thousand():
    """A commit of a thousand concepts, each linked to the next and carried by a quote."""
    names = [f"c{number}" for number in range(1000)]
    rows = np.random.default_rng(1).standard_normal((1000, 64)).astype(np.float32)
    return GraphCommit(
        concepts=tuple(Concept(uuid=name, name=name, title=name) for name in names),
        vectors=dict(zip(names, rows, strict=True)),
        relations=tuple(
            Relation(source=one, target=other, type=RelationType.PART_OF) for one, other in pairwise(names)
        ),
        supports=tuple(Support(quote="q1", concept=name) for name in names),
        book="b1",
        processed_date=DATE,
    )


def test_a_wrong_password_has_its_own_message_also_when_it_is_given_too_often(guarded):
    wrong = guarded.address(user="reader", password="wrong")
    for _ in range(3):
        with pytest.raises(ServiceDown, match=r"refuses the user 'reader' or the password \(Unauthorized\)") as raised:
            Neo4jConceptGraph(wrong)
        assert raised.value.remedy == "Correct the user and the password of Neo4j."
    with pytest.raises(ServiceDown, match="AuthenticationRateLimit") as raised:
        Neo4jConceptGraph(wrong)
    assert raised.value.remedy.startswith("Wait a few seconds")


def test_a_server_that_is_killed_in_a_commit_keeps_nothing_of_it_and_the_same_commit_finishes_it(guarded, thousand):
    with guarded.graph() as graph:
        graph.save_book(Content(uuid="b1", name="B", title="B"), None, [Quote(uuid="q1", text="t")], {})
        before = graph.counts()
    with cable(guarded.uri) as line, guarded.graph(uri=f"bolt://127.0.0.1:{line.port}") as graph:

        def kill():
            guarded.kill()
            line.cut()

        # By then the server has all concepts and vectors, and waits for relations.
        line.left, line.happens = 800_000, kill
        with pytest.raises(ServiceDown, match="does not answer"):
            graph.commit(thousand)
        assert line.left < 0, "it was killed"
    guarded.start()
    with guarded.graph() as graph:
        assert graph.counts() == before
        assert graph.book("b1").processed_date is None
        graph.commit(thousand)
        assert graph.counts() == before | {"Concept": 1000, "RELATIONS": 1998, "SUPPORTS": 1000}
        assert graph.book("b1").processed_date == DATE
        assert graph.search_concepts(thousand.vectors["c7"], limit=1)[0][0].uuid == "c7"
