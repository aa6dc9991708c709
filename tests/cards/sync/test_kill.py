"""`kill -9` while a sync writes to Anki: the next sync leaves the collection as an uninterrupted run would."""

import os
import random
import signal
import socket
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.real.ankiconnect import AnkiConnectServer
from tests.real.studium_server import fork_server


class KillingServer(AnkiConnectServer):
    """Kills its client at the request after so many, before or after it was done."""

    victim = 0
    left = 0
    before = False

    def _answer(self, connection: socket.socket, request: dict[str, Any]) -> None:
        self.left -= 1
        kills = self.victim and self.left <= 0
        if kills and self.before:
            self._strike()
            return
        if kills:
            self._actions.reply(request)
            self._strike()
            return
        super()._answer(connection, request)

    def _strike(self) -> None:
        os.kill(self.victim, signal.SIGKILL)
        self.victim = 0


def write_notes(vault: Path, notes: int, *, edition: int) -> None:
    vault.mkdir(exist_ok=True)
    for number in range(notes):
        text = f"---\ntags: [edition{edition}]\n---\nQ: What is fact {number}?\nA: It is the value {number}{edition}.\n"
        (vault / f"{number:03}.md").write_text(text)


def everything_in(anki: AnkiConnectServer) -> list[tuple]:
    collection = anki.collection
    notes = [collection.get_note(note) for note in collection.find_notes("deck:*")]
    decks = [collection.decks.name(note.cards()[0].did) for note in notes]
    return sorted((tuple(n.fields[:3]), tuple(n.tags), d) for n, d in zip(notes, decks, strict=True))


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("notes", "kills"), [(16, 1), pytest.param(120, 10, marks=pytest.mark.endurance)])
def test_a_sync_killed_again_and_again_ends_as_if_it_had_never_been(tmp_path: Path, notes: int, kills: int):
    vault, home = tmp_path / "facts", tmp_path / "home"
    seed = int(os.environ.get("KILL_SEED") or random.randrange(2**32))
    print(f"KILL_SEED={seed}")  # noqa: T201 - shown if the test fails
    chance = random.Random(seed)
    with KillingServer(tmp_path / "anki") as anki:
        arguments = [
            "--home",
            str(home),
            "--set",
            f"cards.anki_address={anki.address}",
            "cards",
            "sync",
            str(vault),
        ]
        arguments += ["--allow-mass-change"]
        for edition in (1, 2):
            write_notes(vault, notes, edition=edition)
            for _ in range(kills):
                anki.before = chance.random() < 0.5
                anki.left = chance.randint(3, 14)
                assert fork_server().run(arguments, partial(setattr, anki, "victim")) in (0, -signal.SIGKILL)
            anki.victim = 0
            assert fork_server().run(arguments) == 0
        survived = everything_in(anki)
    with AnkiConnectServer(tmp_path / "fresh") as anki:
        arguments = [
            "--home",
            str(tmp_path / "other"),
            "--set",
            f"cards.anki_address={anki.address}",
            "cards",
            "sync",
        ]
        assert fork_server().run([*arguments, str(vault)]) == 0
        assert survived == everything_in(anki)
