"""Concepts over HTTP: read, found, drawn, and always as they stand."""

import pytest
from tests.concepts.api.conftest import asking, filled

from studium.concepts.domain import Concept, GraphCommit
from studium.concepts.graph_store.sqlite import SqliteConceptGraph


def test_concepts_are_listed_in_pages_and_by_book(client):
    listed = client.get("/concepts", params={"limit": 2}).json()
    assert ([each["title"] for each in listed["items"]], listed["total"]) == (["Haste", "Patience"], 3)
    assert [each["title"] for each in client.get("/concepts", params={"book": "on kettles"}).json()["items"]] == [
        "Silence"
    ]


def test_a_concept_is_shown_with_its_relations_and_quotes(client):
    shown = client.get("/concepts/patience").json()
    assert {(each["type"], each["title"]) for each in shown["relations"]} == {
        ("OPPOSES", "Haste"),
        ("SUPPORTED_BY", "Silence"),
    }
    assert [(each["text"], each["page"], each["book"]) for each in shown["supports"]] == [
        ("Patience is the first leaf.", "p. 3", "On Tea")
    ]


def test_concepts_are_found_by_what_they_say(client):
    found = client.get("/concepts/search", params={"text": "silence"}).json()
    assert found[0]["concept"]["uuid"] == "id-silence"


def test_a_map_shows_all_or_what_is_near_or_what_some_relations_bind(client):
    def drawn(**asked) -> tuple[int, int]:
        drawn = client.get("/concepts/map", params=asked).json()
        return len(drawn["nodes"]), len(drawn["edges"])

    assert drawn() == (3, 2)
    assert drawn(around="Haste") == (2, 1)
    assert drawn(around="Haste", depth=2) == (3, 2)
    assert drawn(book="On Tea") == (2, 1)
    assert drawn(types=["SUPPORTED_BY"]) == (3, 1)


def test_books_say_what_they_hold(client):
    books = {each["book"]["title"]: (each["quotes"], each["concepts"]) for each in client.get("/concepts/books").json()}
    assert books == {"On Kettles": (1, 1), "On Tea": (2, 2)}
    assert client.get("/concepts/stats").json()["counts"]["Concept"] == 3
    assert client.get("/concepts/waiting/On Tea").json()["waiting"] is None
    assert [each["title"] for each in client.get("/concepts/audit").json()["one_quote"]] == [
        "Haste",
        "Patience",
        "Silence",
    ]


def test_what_another_program_keeps_is_seen_at_once(tmp_path):
    with asking(filled(tmp_path)) as client:
        assert (client.get("/concepts").json()["total"], len(client.get("/concepts/map").json()["nodes"])) == (3, 3)
        graph = SqliteConceptGraph(tmp_path / "concepts.sqlite")
        graph.commit(GraphCommit(concepts=(Concept(uuid="id-new", name="new", title="New"),), removed=("id-haste",)))
        graph.close()
        for now in (client.get("/concepts").json()["items"], client.get("/concepts/map").json()["nodes"]):
            assert {each["title"] for each in now} == {"New", "Patience", "Silence"}
        assert client.get("/concepts/Haste").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/nobody",
        "/%00",
        "/%ff%fe",
        f"/{'x' * 600}",
        "/waiting/nothing",
        "?book=nothing",
        "?limit=0",
        "/map?around=nobody",
        "/map?depth=9",
        "/map?types=LOVES",
        "/search",
        f"/search?text={'x' * 3000}",
    ],
)
def test_what_makes_no_sense_is_told_as_a_problem(client, path):
    answer = client.get(f"/concepts{path}")
    assert answer.status_code in (404, 422)
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["remedy"]
