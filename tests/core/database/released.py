"""Dumps of a database in use, one a version and database: what a user of that version has.

Before a release with a new migration, `python -m tests.core.database.released` dumps the version as it is now.
"""

import os
import sqlite3
import subprocess
import tempfile
from pathlib import Path

from tests.core.database.samples import call, card, doubt, finding, ticking_clock
from tests.real.postgres import postgres_server

from studium.core.database import Database
from studium.core.database.tables import HEAD
from studium.core.domain.decision import PublishedVersion
from studium.core.domain.job import StoredResponse
from studium.core.domain.usage import Turn
from studium.vocabulary.domain import SavedSong, VocabularyItem
from studium.vocabulary.song_repository import SongRepository

DUMPS = Path(__file__).parent / "released"


def fill(database: Database) -> None:
    """One of everything."""
    run = database.runs.start("cards", {"vault": "notes"})
    database.items.save(run.id, "ospf.md", [card("ospf.md#1", findings=(finding(),)), doubt("ospf.md#2")], [call()])
    database.items.save(run.id, "bgp.md", [doubt("bgp.md#1")])
    database.reviews.answer(database.reviews.select()[0].id, "edited", {"front": "What is flooded?"}, "clearer")
    turn = Turn(key="k1", skill="cards.map", model="ollama:qwen3:14b", reply={"content": "Link states"})
    database.turns.remember(
        turn, call(model="ollama:qwen3:14b", input_tokens=120, cost=0.01), run=run.id, item="bgp.md"
    )
    database.vectors.remember("minilm", {"c1": bytes(range(8))})
    database.published.save("anki", {"ospf.md#1": PublishedVersion(fields={"Front": "What does OSPF flood?"})})
    database.limits.begin(run.id)
    database.limits.take_slot("ollama:qwen3:14b", 0.5)
    word = VocabularyItem(kanji="夜", romaji="yoru", english="night")
    SongRepository(database.transactions).save(
        "s1", SavedSong(song="Yoru", artist="Studium", source="pasted", vocabulary=(word,))
    )
    database.jobs.create("cards.sync", {"vault": "notes"})
    database.idempotency.save("k1", StoredResponse(fingerprint="f1", status=201, headers={}, body="{}"))
    database.runs.finish(run.id, "done", "2 notes")


def restore_sqlite(dump: Path, path: Path) -> None:
    """Make the file that was dumped."""
    connection = sqlite3.connect(path)
    connection.executescript(dump.read_text())
    connection.close()


def restore_postgres(dump: Path, address: str) -> None:
    """Make the tables that were dumped."""
    import psycopg

    # Newer pg_dumps write commands for psql alone.
    lines = (line for line in dump.read_text().splitlines() if not line.startswith("\\"))
    with psycopg.connect(address) as connection:
        connection.execute("\n".join(lines).encode())


def _dump_sqlite() -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "database.db"
        with Database.open(f"sqlite:///{path}", clock=ticking_clock()) as database:
            fill(database)
        connection = sqlite3.connect(path)
        dump = "\n".join(connection.iterdump())
        connection.close()
    return dump


def _dump_postgres() -> str:
    with postgres_server() as address:
        with Database.open(address, clock=ticking_clock()) as database:
            fill(database)
        command = ["pg_dump", "--inserts", "--no-owner", "--no-privileges", address]
        return subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ).stdout


if __name__ == "__main__":
    DUMPS.mkdir(exist_ok=True)
    (DUMPS / f"{HEAD}.sqlite.sql").write_text(_dump_sqlite() + "\n")
    (DUMPS / f"{HEAD}.postgresql.sql").write_text(_dump_postgres())
