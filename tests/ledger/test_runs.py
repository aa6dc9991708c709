from datetime import UTC, datetime

import pytest

from studium.domain.errors import NotFound
from studium.stores.ledger import Ledger


def test_a_run_is_kept_from_its_start_to_its_end(ledger: Ledger):
    started = ledger.start_run("cards", {"vault": "notes", "limit": 3})
    assert (started.status, started.arguments) == ("running", {"vault": "notes", "limit": 3})
    assert started.started_at == datetime(2026, 11, 3, 14, 25, 30, tzinfo=UTC)

    ended = ledger.finish_run(started.id, "done", note="3 cards")
    assert ended == ledger.run(started.id)
    assert (ended.status, ended.note) == ("done", "3 cards")
    assert ended.finished_at == datetime(2026, 11, 3, 14, 25, 31, tzinfo=UTC)


def test_what_a_run_is_about_stays_unless_its_end_says_more(ledger: Ledger):
    started = ledger.start_run("cards", {}, "Sync: notes; Bearer abcdefgh12345678")
    assert str(started.note).startswith("Sync: notes")
    assert "abcdefgh" not in str(started.note)
    assert ledger.finish_run(started.id, "done").note == ledger.run(started.id).note == started.note
    assert ledger.finish_run(started.id, "failed", "no Anki").note == "no Anki"


def test_an_id_sorts_by_time_and_says_when(ledger: Ledger):
    ids = [ledger.start_run("cards", {}).id for _ in range(3)]
    assert ids == sorted(ids)
    assert ids[0].startswith("261103-142530-")


def test_runs_are_listed_newest_first(ledger: Ledger):
    ids = [ledger.start_run("cards", {"n": n}).id for n in range(5)]
    assert [run.id for run in ledger.runs()] == ids[::-1]
    assert [run.id for run in ledger.runs(limit=2)] == [ids[4], ids[3]]


def test_only_the_newest_unfinished_run_with_the_very_same_arguments_is_resumed(ledger: Ledger):
    done = ledger.start_run("cards", {"vault": "notes", "deck": "A"})
    ledger.finish_run(done.id, "done")
    assert ledger.unfinished_run("cards", {"vault": "notes", "deck": "A"}) is None

    ledger.start_run("cards", {"vault": "notes", "deck": "A"})
    stopped = ledger.start_run("cards", {"deck": "A", "vault": "notes"})
    ledger.finish_run(stopped.id, "interrupted")
    ledger.start_run("cards", {"vault": "notes", "deck": "B"})
    ledger.start_run("questions", {"vault": "notes", "deck": "A"})
    found = ledger.unfinished_run("cards", {"vault": "notes", "deck": "A"})
    assert found is not None
    assert (found.id, found.status) == (stopped.id, "interrupted")


def test_a_run_is_found_by_the_beginning_of_its_id(ledger: Ledger):
    first, second = (ledger.start_run("cards", {}) for _ in range(2))
    assert ledger.run(second.id[:13]) == second
    with pytest.raises(NotFound, match=f"Several runs begin with '2611': {second.id}, {first.id}"):
        ledger.run("2611")


def test_a_run_that_is_not_there_is_told_with_those_near_it(ledger: Ledger):
    with pytest.raises(NotFound, match="There is no run 'x'; there is no run yet"):
        ledger.run("x")
    known = ledger.start_run("cards", {})
    with pytest.raises(NotFound, match=known.id):
        ledger.run("261103-142530-?")
    with pytest.raises(NotFound):
        ledger.run("%")


def test_secrets_stay_out_of_arguments_and_notes(ledger: Ledger):
    arguments = {"api_key": "sk-abcdefgh12345678", "models": ["openai:x?key=AIzaSyA1234567890abcd"]}
    run = ledger.start_run("cards", arguments)
    ledger.finish_run(run.id, "failed", note="401 for Bearer abcdefgh12345678")
    kept = ledger.run(run.id).model_dump_json()
    assert "abcdefgh12345678" not in kept
    assert "AIzaSyA1234567890abcd" not in kept
    assert ledger.unfinished_run("cards", arguments) is not None
