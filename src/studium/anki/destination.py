"""Where cards go: the running Anki, a collection file, or a package, as `--to` says."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from studium.anki.store import AnkiStore
from studium.core.domain.errors import BadInput
from studium.core.redaction import register_secret

if TYPE_CHECKING:
    from studium.core.config import Settings

COLLECTION_SUFFIXES = (".anki2", ".anki21", ".anki21b")


@dataclass(frozen=True)
class Destination:
    """An open destination: a store to write to, or the path of the package to write.

    `name` is what the database knows it by.
    """

    address: str
    name: str
    store: AnkiStore | None = None
    package: Path | None = None


@dataclass(frozen=True)
class AnkiOpeners:
    """How to open Anki and collection files; tests replace them."""

    connect: Callable[[], AnkiStore]
    collection: Callable[[Path], AnkiStore]


def anki_openers(settings: "Settings") -> AnkiOpeners:
    """How to open Anki and collection files with these settings."""
    cards = settings.cards
    key = cards.anki_key.get_secret_value() if cards.anki_key else None
    if key:
        register_secret(key)

    def connect() -> AnkiStore:
        from studium.anki.ankiconnect.store import AnkiConnect

        return AnkiConnect(cards.anki_address, key=key)

    def collection(path: Path) -> AnkiStore:
        from studium.anki.collection import AnkiCollection

        return AnkiCollection(path)

    return AnkiOpeners(connect, collection)


@contextmanager
def open_destination(to: str, vault: Path, openers: AnkiOpeners) -> Iterator[Destination]:
    """Open what `--to` names; each vault has a name of its own in it, so that two vaults never mix."""
    path = Path(to)
    if path.suffix == ".apkg":
        yield Destination(to, f"{path.resolve()} < {vault.resolve()}", package=path)
        return
    if to != "anki" and path.suffix not in COLLECTION_SUFFIXES:
        raise BadInput(f"Unsupported destination `{to}`.", remedy="Use --to anki, --to FILE.apkg or --to FILE.anki2.")
    store = openers.connect() if to == "anki" else openers.collection(path)
    try:
        yield Destination(to, f"{store.place} < {vault.resolve()}", store=store)
    finally:
        store.close()
