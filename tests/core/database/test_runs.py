from datetime import UTC, datetime

import pytest

from studium.core.database import Database
from studium.core.domain.errors import NotFound


def test_a_run_is_saved_at_its_start_and_its_end(database: Database):
    started = database.runs.start("cards", {"vault": "notes", "limit": 3})
    assert (started.status, started.arguments) == ("running", {"vault": "notes", "limit": 3})
    assert started.started_at == datetime(2026, 11, 3, 14, 25, 30, tzinfo=UTC)

    ended = database.runs.finish(started.id, "done", note="3 cards")
    assert ended == database.runs.get(started.id)
    assert (ended.status, ended.note) == ("done", "3 cards")
    assert ended.finished_at == datetime(2026, 11, 3, 14, 25, 31, tzinfo=UTC)


def test_the_note_of_a_run_stays_unless_its_end_has_another(database: Database):
    started = database.runs.start("cards", {}, "Sync: notes; Bearer abcdefgh12345678")
    assert str(started.note).startswith("Sync: notes")
    assert "abcdefgh" not in str(started.note)
    assert database.runs.finish(started.id, "done").note == database.runs.get(started.id).note == started.note
    assert database.runs.finish(started.id, "failed", "no Anki").note == "no Anki"


def test_an_id_sorts_by_time_and_says_when(database: Database):
    ids = [database.runs.start("cards", {}).id for _ in range(3)]
    assert ids == sorted(ids)
    assert ids[0].startswith("261103-142530-")


def test_runs_are_listed_newest_first(database: Database):
    ids = [database.runs.start("cards", {"n": n}).id for n in range(5)]
    assert [run.id for run in database.runs.newest()] == ids[::-1]
    assert [run.id for run in database.runs.newest(limit=2)] == [ids[4], ids[3]]


def test_only_the_newest_unfinished_run_with_the_same_arguments_is_resumed(database: Database):
    done = database.runs.start("cards", {"vault": "notes", "deck": "A"})
    database.runs.finish(done.id, "done")
    assert database.runs.unfinished("cards", {"vault": "notes", "deck": "A"}) is None

    database.runs.start("cards", {"vault": "notes", "deck": "A"})
    stopped = database.runs.start("cards", {"deck": "A", "vault": "notes"})
    database.runs.finish(stopped.id, "interrupted")
    database.runs.start("cards", {"vault": "notes", "deck": "B"})
    database.runs.start("questions", {"vault": "notes", "deck": "A"})
    found = database.runs.unfinished("cards", {"vault": "notes", "deck": "A"})
    assert found is not None
    assert (found.id, found.status) == (stopped.id, "interrupted")


def test_a_run_is_found_by_the_start_of_its_id(database: Database):
    first, second = (database.runs.start("cards", {}) for _ in range(2))
    assert database.runs.get(second.id[:13]) == second
    with pytest.raises(NotFound, match=f"Several runs start with '2611': {second.id}, {first.id}"):
        database.runs.get("2611")


def test_an_unknown_run_is_reported_with_similar_ids(database: Database):
    with pytest.raises(NotFound, match="There is no run 'x'; there is no run yet"):
        database.runs.get("x")
    known = database.runs.start("cards", {})
    with pytest.raises(NotFound, match=known.id):
        database.runs.get("261103-142530-?")
    with pytest.raises(NotFound):
        database.runs.get("%")


def test_secrets_stay_out_of_arguments_and_notes(database: Database):
    arguments = {"api_key": "sk-abcdefgh12345678", "models": ["openai:x?key=AIzaSyA1234567890abcd"]}
    run = database.runs.start("cards", arguments)
    database.runs.finish(run.id, "failed", note="401 for Bearer abcdefgh12345678")
    kept = database.runs.get(run.id).model_dump_json()
    assert "abcdefgh12345678" not in kept
    assert "AIzaSyA1234567890abcd" not in kept
    assert database.runs.unfinished("cards", arguments) is not None
