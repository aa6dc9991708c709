"""A vault, a collection of Anki to keep it in step with, and the collection opened to look and to edit."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copy
from textwrap import dedent

import pytest
from anki.collection import Collection
from tests.cards.reports.collection import note_saying
from tests.run_cli import Ended, studium

from studium.core.database import Database


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """An empty vault."""
    place = tmp_path / "vault"
    place.mkdir()
    return place


@pytest.fixture
def write(vault: Path) -> Callable[[str, str], Path]:
    """Writes a note of the vault."""

    def write(name: str, text: str) -> Path:
        path = vault / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
        return path

    return write


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    """A collection that Anki made and closed."""
    path = tmp_path / "profile" / "collection.anki2"
    path.parent.mkdir()
    Collection(str(path)).close()
    return path


@pytest.fixture
def anki(collection: Path) -> Callable[[], object]:
    """Opens the collection as Anki does: `with anki() as opened`."""

    @contextmanager
    def opened() -> Iterator[Collection]:
        inside = Collection(str(collection))
        try:
            yield inside
        finally:
            inside.close()

    return opened


@pytest.fixture
def edit(anki) -> Callable[..., None]:
    """Edits the fields of the card whose front says this, as a person does in Anki."""

    def edit(front: str, **fields: str) -> None:
        with anki() as opened:
            note = note_saying(opened, front)
            for name, text in fields.items():
                note[name] = text
            opened.update_note(note)

    return edit


@pytest.fixture
def sync(vault: Path, collection: Path) -> Callable[..., Ended]:
    """Brings the collection in step with the vault."""

    def sync(*flags: str) -> Ended:
        ended = studium("cards", "sync", vault, "--to", collection, "--json", *flags)
        assert ended.code == 0, ended.err
        return ended

    return sync


@pytest.fixture
def recheck(vault: Path, collection: Path) -> Callable[..., Ended]:
    """Rechecks the collection's cards."""

    def recheck(*flags: str) -> Ended:
        ended = studium("cards", "recheck", vault, "--to", collection, "--json", *flags)
        assert ended.code == 0, ended.err
        return ended

    return recheck


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory) -> Path:
    """A database just made, to copy: making one takes longer than most tests."""
    path = tmp_path_factory.mktemp("database") / "database.sqlite"
    Database.open(f"sqlite:///{path}").close()
    return path


@pytest.fixture(autouse=True)
def database_file(home: Path, empty_database: Path) -> Path:
    """Where the commands of this test keep their database."""
    home.mkdir()
    return Path(copy(empty_database, home / "database.sqlite"))


@pytest.fixture
def database(database_file: Path) -> Iterator[Database]:
    """That database."""
    with Database.open(f"sqlite:///{database_file}") as opened:
        yield opened
