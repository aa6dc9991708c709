"""A graph of three concepts behind a real server on loopback."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.http.conftest import served

from studium.concepts.domain import Concept, Content, GraphCommit, Quote, Relation, RelationType, Support
from studium.concepts.graph_store.sqlite import SqliteConceptGraph
from studium.core.config import Settings
from studium.http.app import create_app

QUOTES = {
    "patience": Quote(uuid="q-1", text="Patience is the first leaf.", page_reference="p. 3"),
    "haste": Quote(uuid="q-2", text="Haste spoils the water."),
    "silence": Quote(uuid="q-3", text="The kettle sings in silence."),
}
KEPT = GraphCommit(
    concepts=tuple(
        Concept(uuid=f"id-{name}", name=name, title=name.capitalize(), concept=f"It is about {name}.")
        for name in QUOTES
    ),
    relations=(
        Relation(source="id-patience", target="id-haste", type=RelationType.OPPOSES, reasoning="One waits."),
        Relation(source="id-silence", target="id-patience", type=RelationType.SUPPORTS),
    ),
    supports=tuple(Support(quote=quote.uuid, concept=f"id-{name}") for name, quote in QUOTES.items()),
)


def filled(home: Path) -> Path:
    """A home whose graph has two books."""
    graph = SqliteConceptGraph(home / "concepts.sqlite")
    for title, quotes in (("On Tea", ["patience", "haste"]), ("On Kettles", ["silence"])):
        book = Content(uuid=f"id-{title}", name=title, title=title)
        graph.save_book(book, None, [QUOTES[name] for name in quotes], {})
    graph.commit(KEPT)
    graph.close()
    return home


@contextmanager
def asking(home: Path) -> Iterator[httpx.Client]:
    """Asks a server of this home."""
    settings = Settings(home=home, embedder="none")
    with served(create_app(settings)) as url, httpx.Client(base_url=f"{url}/api/v1", timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def client(tmp_path_factory) -> Iterator[httpx.Client]:
    """Asks about the concepts of a home that does not change."""
    with asking(filled(tmp_path_factory.mktemp("home"))) as client:
        yield client
