from datetime import UTC, datetime

import pytest

from studium.core.database import Database
from studium.core.domain.errors import NotFound


def test_a_run_is_kept_from_its_start_to_its_end(ledger: Database):
    started = ledger.runs.start("cards", {"vault": "notes", "limit": 3})
    assert (started.status, started.arguments) == ("running", {"vault": "notes", "limit": 3})
    assert started.started_at == datetime(2026, 11, 3, 14, 25, 30, tzinfo=UTC)

    ended = ledger.runs.finish(started.id, "done", note="3 cards")
    assert ended == ledger.runs.get(started.id)
    assert (ended.status, ended.note) == ("done", "3 cards")
    assert ended.finished_at == datetime(2026, 11, 3, 14, 25, 31, tzinfo=UTC)


def test_what_a_run_is_about_stays_unless_its_end_says_more(ledger: Database):
    started = ledger.runs.start("cards", {}, "Sync: notes; Bearer abcdefgh12345678")
    assert str(started.note).startswith("Sync: notes")
    assert "abcdefgh" not in str(started.note)
    assert ledger.runs.finish(started.id, "done").note == ledger.runs.get(started.id).note == started.note
    assert ledger.runs.finish(started.id, "failed", "no Anki").note == "no Anki"


def test_an_id_sorts_by_time_and_says_when(ledger: Database):
    ids = [ledger.runs.start("cards", {}).id for _ in range(3)]
    assert ids == sorted(ids)
    assert ids[0].startswith("261103-142530-")


def test_runs_are_listed_newest_first(ledger: Database):
    ids = [ledger.runs.start("cards", {"n": n}).id for n in range(5)]
    assert [run.id for run in ledger.runs.newest()] == ids[::-1]
    assert [run.id for run in ledger.runs.newest(limit=2)] == [ids[4], ids[3]]


def test_only_the_newest_unfinished_run_with_the_very_same_arguments_is_resumed(ledger: Database):
    done = ledger.runs.start("cards", {"vault": "notes", "deck": "A"})
    ledger.runs.finish(done.id, "done")
    assert ledger.runs.unfinished("cards", {"vault": "notes", "deck": "A"}) is None

    ledger.runs.start("cards", {"vault": "notes", "deck": "A"})
    stopped = ledger.runs.start("cards", {"deck": "A", "vault": "notes"})
    ledger.runs.finish(stopped.id, "interrupted")
    ledger.runs.start("cards", {"vault": "notes", "deck": "B"})
    ledger.runs.start("questions", {"vault": "notes", "deck": "A"})
    found = ledger.runs.unfinished("cards", {"vault": "notes", "deck": "A"})
    assert found is not None
    assert (found.id, found.status) == (stopped.id, "interrupted")


def test_a_run_is_found_by_the_beginning_of_its_id(ledger: Database):
    first, second = (ledger.runs.start("cards", {}) for _ in range(2))
    assert ledger.runs.get(second.id[:13]) == second
    with pytest.raises(NotFound, match=f"Several runs begin with '2611': {second.id}, {first.id}"):
        ledger.runs.get("2611")


def test_a_run_that_is_not_there_is_told_with_those_near_it(ledger: Database):
    with pytest.raises(NotFound, match="There is no run 'x'; there is no run yet"):
        ledger.runs.get("x")
    known = ledger.runs.start("cards", {})
    with pytest.raises(NotFound, match=known.id):
        ledger.runs.get("261103-142530-?")
    with pytest.raises(NotFound):
        ledger.runs.get("%")


def test_secrets_stay_out_of_arguments_and_notes(ledger: Database):
    arguments = {"api_key": "sk-abcdefgh12345678", "models": ["openai:x?key=AIzaSyA1234567890abcd"]}
    run = ledger.runs.start("cards", arguments)
    ledger.runs.finish(run.id, "failed", note="401 for Bearer abcdefgh12345678")
    kept = ledger.runs.get(run.id).model_dump_json()
    assert "abcdefgh12345678" not in kept
    assert "AIzaSyA1234567890abcd" not in kept
    assert ledger.runs.unfinished("cards", arguments) is not None
