"""A vault on disk and an Anki with a real collection, synced by the `studium` command."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from anki.collection import Collection
from anki.notes import Note
from tests.real.ankiconnect import AnkiConnectServer
from tests.run_cli import Ended, studium


@dataclass
class Workspace:
    """What a learner has: a vault, Anki, and the command line."""

    vault: Path
    anki: AnkiConnectServer

    def write(self, name: str, text: str) -> Path:
        path = self.vault / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def cards(self, command: str, *arguments: object) -> Ended:
        return studium("--set", f"cards.anki_address={self.anki.address}", "cards", command, *arguments)

    def sync(self, *arguments: object) -> Any:
        ended = self.cards("sync", self.vault, "--json", *arguments)
        assert ended.code == 0, ended.out[-2000:] + ended.err
        return ended.json

    @property
    def collection(self) -> Collection:
        return self.anki.collection

    def notes(self, query: str = "deck:*") -> list[Note]:
        return [self.collection.get_note(note) for note in self.collection.find_notes(query)]

    def note(self, query: str = "deck:*") -> Note:
        notes = self.notes(query)
        assert len(notes) == 1, [note.fields for note in notes]
        return notes[0]

    def edit(self, query: str, field: str, text: str) -> None:
        """As a person edits a note in Anki."""
        note = self.note(query)
        note[field] = text
        self.collection.update_note(note)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    vault = tmp_path / "vault"
    vault.mkdir()
    with AnkiConnectServer(tmp_path / "anki") as anki:
        yield Workspace(vault, anki)
