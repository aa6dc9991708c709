"""One idea in two languages, found by a multilingual embedder over Ollama's wire, in a graph on Neo4j."""

import math
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.concepts.models.conftest import ROLES, MakeWorkspace, Workspace, book_of
from tests.concepts.models.model import PRICE, Asked, Model
from tests.real.neo4j import Neo4j

from studium.concepts.graph_store.neo4j import Neo4jAddress, Neo4jServer
from studium.testing import WireServer
from studium.testing.script import unit_vector

pytestmark = [pytest.mark.part("neo4j"), pytest.mark.xdist_group("neo4j")]
SPANISH = (
    "El precio de cualquier cosa es la cantidad de vida que ofreces a cambio de ella.",
    "Los libros son abejas que llevan el polen de una inteligencia a otra.",
)
IN_SPANISH = {
    "concepts": [
        {
            "title": "El precio es la vida",
            "concept": "Todo lo que se compra se paga con una parte de los propios días.",
            "quotes": [{"quote": "q1"}],
        },
        {
            "title": "Los libros polinizan",
            "concept": "Leer transporta las ideas de una persona a la siguiente.",
            "quotes": [{"quote": "q2"}],
        },
    ]
}
IN_ENGLISH = {"concepts": [PRICE]}


def extract(asked: Asked) -> dict:
    return IN_SPANISH if "polen" in asked.text else IN_ENGLISH


def multilingual(text: str) -> list[float]:
    """What costs life points one way, whatever the language; all else points anywhere."""
    idea = 2.0 if any(word in text.lower() for word in ("price", "cost", "precio", "se paga")) else 0.0
    noise = unit_vector(text, 1024)
    vector = [noise[0] + idea, *noise[1:]]
    length = math.hypot(*vector)
    return [number / length for number in vector]


def judge(asked: Asked) -> dict:
    return {"compared": [{"other": idea["key"], "verdict": "same"} for idea in asked.given("others")]}


@pytest.fixture
def graph(neo4j: Neo4j) -> Iterator[Neo4jServer]:
    """The server, with nothing in it: other tests have vectors of another length."""
    with closing(Neo4jServer(Neo4jAddress(uri=neo4j.bolt))) as server:
        _empty(server)
        yield server
        _empty(server)


def _empty(server: Neo4jServer) -> None:
    server.ask("MATCH (n) DETACH DELETE n")
    for row in server.ask("SHOW VECTOR INDEXES YIELD name"):
        server.ask(f"DROP INDEX `{row['name']}`")


@pytest.fixture
def model() -> Model:
    return Model({"extract": extract, "duplicates": judge, "queries": {"queries": []}}, vectors=multilingual)


@pytest.fixture
def open_workspace(make_workspace: MakeWorkspace, neo4j: Neo4j, tmp_path: Path):
    """A workspace over Neo4j and an embedder of 1,024 dimensions, with a Spanish book beside the English one."""

    def opened(server: WireServer) -> Workspace:
        (tmp_path / "manual.md").write_text(book_of(SPANISH, "Manual", "Nadie"), encoding="utf-8")
        return make_workspace(
            server,
            dict.fromkeys(ROLES, "ollama:mistral"),
            embedder="ollama:mxbai-embed-large",
            embedder_base_url=server.address,
            concepts={"neo4j": {"uri": neo4j.bolt}},
        )

    return opened


def test_the_indexes_are_those_of_the_specification(open_workspace, model, graph):
    with WireServer(model) as server:
        open_workspace(server).parse()
        assert {(each.kind, each.model) for each in server.requests if each.kind == "embed"} == {
            ("embed", "mxbai-embed-large")
        }
    rows = graph.ask("SHOW VECTOR INDEXES YIELD name, labelsOrTypes, properties, options")
    told = {
        row["name"]: (row["labelsOrTypes"], row["properties"], row["options"]["indexConfig"]["vector.dimensions"])
        for row in rows
    }
    assert told == {
        "quote_embeddings_index": (["Quote"], ["embedding"], 1024),
        "concept_embeddings_index": (["Concept"], ["embedding"], 1024),
    }
    sizes = graph.ask("MATCH (q:Quote) RETURN DISTINCT size(q.embedding) AS size, count(*) AS quotes")
    assert [(row["size"], row["quotes"]) for row in sizes] == [(1024, 6)]


def test_a_spanish_and_an_english_quote_of_one_idea_meet_in_one_concept(open_workspace, model, graph, tmp_path):
    with WireServer(model) as server:
        workspace = open_workspace(server)
        workspace.proposed()
        workspace.review("--approve")
        workspace.ask("parse", tmp_path / "manual.md")
        waiting = workspace.ask("extract", "Manual")["waiting"]
        (compared,) = model.of("duplicates")
        assert compared.given("candidate")["title"] == "El precio es la vida", "nothing lies near the other one"
        (detection,) = waiting["proposal"]["detections"]
        assert (detection["title"], detection["verdict"]) == (PRICE["title"], "same")
        assert detection["similarity"] > 0.7
        same = {each["title"]: each["same_as"] for each in waiting["proposal"]["concepts"]}
        assert same == {"El precio es la vida": detection["other"], "Los libros polinizan": None}
        kept = workspace.ask("review", "Manual", "--approve")
    assert [each["action"] for each in kept["decisions"]] == ["update", "create"]
    rows = graph.ask("MATCH (q:Quote)-[:SUPPORTS]->(c:Concept) RETURN c.title AS title, collect(q.text) AS quotes")
    supported = {row["title"]: sorted(row["quotes"]) for row in rows}
    assert set(supported) == {PRICE["title"], "Los libros polinizan"}
    assert len(supported[PRICE["title"]]) == 2
    assert SPANISH[0] in supported[PRICE["title"]]
