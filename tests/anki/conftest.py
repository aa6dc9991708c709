"""Two collections to run every test of the port against: Anki through AnkiConnect, and a file."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from anki.collection import Collection
from tests.real.ankiconnect import AnkiConnectServer

from studium.anki.ankiconnect.store import AnkiConnect
from studium.anki.collection import AnkiCollection
from studium.anki.store import ID_FIELD, AnkiStore, NewNote, NoteType

BASIC = NoteType(
    name="Studium Basic",
    fields=("Front", "Back", ID_FIELD),
    templates=(("Card 1", "{{Front}}", "{{FrontSide}}<hr>{{Back}}"),),
    css=".card { color: black }",
)
CLOZE = NoteType(
    name="Studium Cloze",
    fields=("Text", "Extra", ID_FIELD),
    templates=(("Cloze", "{{cloze:Text}}", "{{cloze:Text}}<br>{{Extra}}"),),
    css=".cloze { color: blue }",
    is_cloze=True,
)


def basic(own_id: str, front: str = "What floods?", back: str = "LSAs", deck: str = "Net::OSPF", **more) -> NewNote:
    fields = {"Front": front, "Back": back, ID_FIELD: own_id}
    return NewNote(note_type=BASIC.name, deck=deck, fields=fields, **more)


def cloze(own_id: str, text: str) -> NewNote:
    return NewNote(note_type=CLOZE.name, deck="Net::OSPF", fields={"Text": text, "Extra": "", ID_FIELD: own_id})


@pytest.fixture
def note() -> Callable[..., NewNote]:
    return basic


@pytest.fixture
def cloze_note() -> Callable[..., NewNote]:
    return cloze


@pytest.fixture
def note_types() -> tuple[NoteType, NoteType]:
    return BASIC, CLOZE


@pytest.fixture
def anki(tmp_path: Path) -> Iterator[AnkiConnectServer]:
    """A running Anki; set its traps as attributes of `anki.traps`."""
    with AnkiConnectServer(tmp_path / "anki") as server:
        yield server


@pytest.fixture
def connected(anki: AnkiConnectServer) -> Iterator[AnkiConnect]:
    """The store over that Anki, with our note types in it."""
    with closing(AnkiConnect(anki.address, timeout=20)) as store:
        store.add_note_types([BASIC, CLOZE])
        anki.requests.clear()
        yield store


@pytest.fixture
def collection_path(tmp_path: Path) -> Path:
    """A collection that Anki made and closed."""
    path = tmp_path / "profile" / "collection.anki2"
    path.parent.mkdir()
    Collection(str(path)).close()
    return path


@pytest.fixture
def filed(collection_path: Path) -> Iterator[AnkiCollection]:
    """The store over that file, with our note types in it."""
    with closing(AnkiCollection(collection_path)) as store:
        store.add_note_types([BASIC, CLOZE])
        yield store


@pytest.fixture(params=["connect", "file"])
def store(request: pytest.FixtureRequest) -> AnkiStore:
    """Either store."""
    return request.getfixturevalue({"connect": "connected", "file": "filed"}[request.param])


@pytest.fixture
def inside(request: pytest.FixtureRequest, store: AnkiStore) -> Collection:
    """Anki's own view of what the store writes to."""
    if isinstance(store, AnkiCollection):
        return store._collection
    return request.getfixturevalue("anki").collection
