"""What is forgotten is gone with all that hangs on it, and everything else is as it was."""

from sqlalchemy import func, select
from tests.core.database.samples import call, card, doubt

from studium.core.database import Database, tables
from studium.core.domain.change import Change, FileState, PublishedVersion
from studium.core.domain.usage import Limits
from studium.vocabulary.domain import SavedSong
from studium.vocabulary.song_repository import SongRepository


def work(ledger: Database, note: str) -> str:
    """A run that leaves something in every table that knows runs."""
    run = ledger.runs.start("cards", {"vault": note}).id
    ledger.items.save(run, f"{note}#1", [card(f"{note}#1"), doubt(f"{note}#2")], [call()])
    ledger.limits.begin(run)
    ledger.limits.reserve_call(run, Limits(), tokens=1, cost=0.1)
    ledger.changes.plan(run, "anki", [Change(key=note, kind="create", before=None, after={})])
    ledger.runs.finish(run, "done")
    return run


def rows(ledger: Database) -> dict[str, int]:
    with ledger.transactions.reading() as connection:
        every = tables.metadata.sorted_tables
        return {table.name: connection.scalar(select(func.count()).select_from(table)) or 0 for table in every}


def test_a_run_that_is_forgotten_leaves_nothing_and_takes_nothing_else(ledger):
    mine = work(ledger, "mine.md")
    before, decisions, reviews = rows(ledger), ledger.items.decisions(mine), ledger.reviews.select()
    theirs = work(ledger, "theirs.md")
    order = ledger.jobs.create("cards.sync", {})
    ledger.jobs.finish(order.id, "done", result={"run": theirs})

    ledger.runs.delete([theirs, "no-such-run"])
    ledger.runs.delete([theirs])

    assert rows(ledger) == before | {"jobs": 1}
    assert [run.id for run in ledger.runs.newest()] == [mine]
    assert (ledger.items.decisions(mine), ledger.reviews.select()) == (decisions, reviews)
    assert ledger.jobs.get(order.id).run is None


def test_a_sink_that_is_forgotten_is_as_if_nothing_had_ever_been_published_there(ledger):
    for sink in ("theirs", "mine"):
        ledger.published.save(sink, {"k": PublishedVersion(fields={"Front": sink})})
        ledger.published.save_file_states(sink, {"note.md": FileState(modified=1, size=1, stamp="s")})
    ledger.published.delete_sinks(["theirs"])
    assert (ledger.published.versions("theirs"), ledger.published.file_states("theirs")) == ({}, {})
    assert ledger.published.versions("mine")["k"].fields == {"Front": "mine"}
    assert list(ledger.published.file_states("mine")) == ["note.md"]


def test_one_song_is_forgotten_however_it_was_asked_for(ledger):
    songs = SongRepository(ledger.transactions)
    for key, artist in (("a", "Studium"), ("b", "Studium"), ("c", "Somebody")):
        songs.save(key, SavedSong(song="夜空の道", artist=artist, source="pasted", vocabulary=()))
    songs.delete("夜空の道", "Studium")
    assert [song.artist for song in songs.all()] == ["Somebody"]
