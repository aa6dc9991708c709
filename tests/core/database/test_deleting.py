"""What is forgotten is gone with all that hangs on it, and everything else is as it was."""

from sqlalchemy import func, select
from tests.core.database.samples import call, card, doubt

from studium.core.database import Database, tables
from studium.core.domain.decision import Change, FileState, PublishedVersion
from studium.core.domain.usage import Limits
from studium.vocabulary.domain import SavedSong
from studium.vocabulary.song_repository import SongRepository


def work(database: Database, note: str) -> str:
    """A run that leaves something in every table that knows runs."""
    run = database.runs.start("cards", {"vault": note}).id
    database.items.save(run, f"{note}#1", [card(f"{note}#1"), doubt(f"{note}#2")], [call()])
    database.limits.begin(run)
    database.limits.reserve(run, Limits(), tokens=1, cost=0.1)
    database.changes.plan(run, "anki", [Change(key=note, kind="create", before=None, after={})])
    database.runs.finish(run, "done")
    return run


def rows(database: Database) -> dict[str, int]:
    with database.transactions.reading() as connection:
        every = tables.metadata.sorted_tables
        return {table.name: connection.scalar(select(func.count()).select_from(table)) or 0 for table in every}


def test_deleting_a_run_deletes_everything_of_it_and_nothing_else(database):
    mine = work(database, "mine.md")
    before, decisions, reviews = rows(database), database.items.decisions(mine), database.reviews.select()
    theirs = work(database, "theirs.md")
    job = database.jobs.create("cards.sync", {})
    database.jobs.finish(job.id, "done", result={"run": theirs})

    database.runs.delete([theirs, "no-such-run"])
    database.runs.delete([theirs])

    assert rows(database) == before | {"jobs": 1}
    assert [run.id for run in database.runs.newest()] == [mine]
    assert (database.items.decisions(mine), database.reviews.select()) == (decisions, reviews)
    assert database.jobs.get(job.id).run is None


def test_a_deleted_sink_has_no_published_versions(database):
    for sink in ("theirs", "mine"):
        database.published.save(sink, {"k": PublishedVersion(fields={"Front": sink})})
        database.published.save_file_states(sink, {"note.md": FileState(modified=1, size=1, stamp="s")})
    database.published.delete_sinks(["theirs"])
    assert (database.published.versions("theirs"), database.published.file_states("theirs")) == ({}, {})
    assert database.published.versions("mine")["k"].fields == {"Front": "mine"}
    assert list(database.published.file_states("mine")) == ["note.md"]


def test_one_song_is_deleted_under_every_request(database):
    songs = SongRepository(database.transactions)
    for key, artist in (("a", "Studium"), ("b", "Studium"), ("c", "Somebody")):
        songs.save(key, SavedSong(song="夜空の道", artist=artist, source="pasted", vocabulary=()))
    songs.delete("夜空の道", "Studium")
    assert [song.artist for song in songs.all()] == ["Somebody"]
