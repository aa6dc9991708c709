"""The two graphs under `langgraph dev`: LangGraph's own server over `langgraph.json`, spoken to through its SDK."""

from collections.abc import Iterator
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient
from tests.concepts.models.conftest import ROLES
from tests.concepts.models.model import AFFAIRS, PRICE, WEALTH, Model
from tests.real.langgraph import langgraph_server

from studium.concepts.graph_store.sqlite import SqliteConceptGraph
from studium.testing import WireServer

pytestmark = [pytest.mark.part("langgraph"), pytest.mark.xdist_group("langgraph")]
WALDEN = files("studium") / "concepts" / "sample_files" / "quotes" / "Henry David Thoreau - Walden.md"


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server's Studium keeps everything."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory, kept: Path) -> Iterator[SyncLangGraphClient]:
    with (
        langgraph_server(tmp_path_factory.mktemp("langgraph"), kept) as address,
        get_sync_client(url=address) as client,
    ):
        yield client


@pytest.fixture(scope="session")
def book(client: SyncLangGraphClient) -> dict[str, Any]:
    """Walden, parsed by the server."""
    state = client.runs.wait(None, "quote_parse", input={"file_path": str(WALDEN)})
    assert len(state["quotes"]) == 30
    return state["book"]


@pytest.fixture
def thread(client: SyncLangGraphClient) -> str:
    return client.threads.create()["thread_id"]


def waiting(client: SyncLangGraphClient, thread: str) -> dict[str, Any]:
    """What the graph shows to a person."""
    state = client.threads.get_state(thread)
    assert state["next"] == ["present_for_review"]
    (interrupted,) = state["interrupts"]
    return interrupted["value"]


def extract(client: SyncLangGraphClient, thread: str, book: dict[str, Any]) -> dict[str, Any]:
    """Run up to the point where a person must decide."""
    client.runs.wait(thread, "concept_extract", input={"content_uuid": book["uuid"], "again": True})
    return waiting(client, thread)


def answer(client: SyncLangGraphClient, thread: str, given: object) -> None:
    client.runs.wait(thread, "concept_extract", command={"resume": given})


def titles(kept: Path) -> list[str]:
    with closing(SqliteConceptGraph(kept / "concepts.sqlite")) as graph:
        return [each.title for each in graph.concepts()]


def test_both_graphs_are_served(client):
    served = {each["graph_id"] for each in client.assistants.search(limit=100)}
    assert {"quote_parse", "concept_extract"} <= served


def test_a_file_is_parsed_into_the_graph(book, kept):
    assert (book["title"], book["author"]) == ("Walden", "Henry David Thoreau")
    with closing(SqliteConceptGraph(kept / "concepts.sqlite")) as graph:
        quotes = graph.quotes_of(book["uuid"])
    assert len(quotes) == 30
    assert quotes[0].page_reference == "10"
    assert quotes[-1].section == "Conclusion"


def test_an_answer_that_cannot_be_read_is_reported_and_nothing_is_kept(client, book, thread, kept):
    before = titles(kept)
    shown = extract(client, thread, book)
    answer(client, thread, "yes")
    again = waiting(client, thread)
    assert again["round"] == 2
    assert again["proposal"] == shown["proposal"]
    assert "The answer to the review cannot be read" in "\n".join(again["warnings"])
    assert titles(kept) == before


def test_a_person_changes_the_proposal_and_then_keeps_it(client, book, thread, kept):
    shown = extract(client, thread, book)
    first, second, *others = [each["key"] for each in shown["proposal"]["concepts"]]
    assert (shown["round"], shown["book"]["title"]) == (1, "Walden")
    assert shown["answer_with"]["title"] == "ReviewAnswer"
    changes = [
        {"action": "edit", "concept": first, "title": "What a life is spent on"},
        {"action": "reject", "concept": second},
    ]
    answer(client, thread, {"changes": changes, "approved": False, "proposal": shown["fingerprint"]})
    changed = waiting(client, thread)
    assert changed["round"] == 2
    standing = {each["key"]: (each["title"], each["standing"]) for each in changed["proposal"]["concepts"]}
    assert standing[first] == ("What a life is spent on", "proposed")
    assert standing[second][1] == "rejected"
    assert "What a life is spent on" not in titles(kept)
    answer(client, thread, {"approved": True})
    end = client.threads.get_state(thread)
    assert end["next"] == []
    assert end["values"]["phase"] == "end"
    living = {title for key, (title, _) in standing.items() if key != second}
    assert living <= set(titles(kept))
    assert len(living) == len(others) + 1
    assert standing[second][0] not in titles(kept)


def test_models_answer_under_the_server_too(client, book, thread, kept):
    model = Model()
    settings = kept / "studium.yaml"
    with WireServer(model) as server:
        told = {"base_url": server.address, "retries": 0}
        roles = dict.fromkeys(ROLES, "ollama:mistral")
        settings.write_text(yaml.safe_dump({"roles": {"concepts": roles}, "models": {"ollama:mistral": told}}))
        try:
            shown = extract(client, thread, book)
        finally:
            settings.unlink()
    assert [each["title"] for each in shown["proposal"]["concepts"]] == [
        PRICE["title"],
        AFFAIRS["title"],
        WEALTH["title"],
    ]
    assert {each.skill for each in model.asked} >= {"extract", "queries", "critique"}
