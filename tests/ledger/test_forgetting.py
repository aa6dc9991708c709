"""What is forgotten is gone with all that hangs on it, and everything else is as it was."""

from sqlalchemy import func, select
from tests.ledger.samples import call, card, doubt

from studium.domain.budget import Limits
from studium.domain.publication import Base, Change, Seen
from studium.domain.word import KeptSong
from studium.stores.ledger import Ledger, tables


def work(ledger: Ledger, note: str) -> str:
    """A run that leaves something in every table that knows runs."""
    run = ledger.start_run("cards", {"vault": note}).id
    ledger.settle(run, f"{note}#1", [card(f"{note}#1"), doubt(f"{note}#2")], [call()])
    ledger.count_spending(run)
    ledger.reserve_call(run, Limits(), tokens=1, cost=0.1)
    ledger.plan_changes(run, "anki", [Change(key=note, kind="create", before=None, after={})])
    ledger.finish_run(run, "done")
    return run


def rows(ledger: Ledger) -> dict[str, int]:
    with ledger._reading() as connection:
        every = tables.metadata.sorted_tables
        return {table.name: connection.scalar(select(func.count()).select_from(table)) or 0 for table in every}


def test_a_run_that_is_forgotten_leaves_nothing_and_takes_nothing_else(ledger):
    mine = work(ledger, "mine.md")
    before, decisions, reviews = rows(ledger), ledger.decisions(mine), ledger.reviews()
    theirs = work(ledger, "theirs.md")
    order = ledger.orders.place("cards.sync", {})
    ledger.orders.end(order.id, "done", result={"run": theirs})

    ledger.forgetting.runs([theirs, "no-such-run"])
    ledger.forgetting.runs([theirs])

    assert rows(ledger) == before | {"orders": 1}
    assert [run.id for run in ledger.runs()] == [mine]
    assert (ledger.decisions(mine), ledger.reviews()) == (decisions, reviews)
    assert ledger.orders.find(order.id).run is None


def test_a_sink_that_is_forgotten_is_as_if_nothing_had_ever_been_published_there(ledger):
    for sink in ("theirs", "mine"):
        ledger.remember_bases(sink, {"k": Base(fields={"Front": sink})})
        ledger.remember_seen(sink, {"note.md": Seen(modified=1, size=1, stamp="s")})
    ledger.forgetting.sinks(["theirs"])
    assert (ledger.bases("theirs"), ledger.seen("theirs")) == ({}, {})
    assert ledger.bases("mine")["k"].fields == {"Front": "mine"}
    assert list(ledger.seen("mine")) == ["note.md"]


def test_one_song_is_forgotten_however_it_was_asked_for(ledger):
    for key, artist in (("a", "Studium"), ("b", "Studium"), ("c", "Somebody")):
        ledger.keep_song(key, KeptSong(song="夜空の道", artist=artist, source="pasted", vocabulary=()))
    ledger.forgetting.song("夜空の道", "Studium")
    assert [song.artist for song in ledger.kept_songs()] == ["Somebody"]
