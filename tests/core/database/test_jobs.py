"""Jobs and replies in the database, on SQLite and PostgreSQL alike."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.core.database.samples import card, doubt, finding

from studium.core.database import Database
from studium.core.database.jobs import RETENTION
from studium.core.domain.errors import Conflict, NotFound
from studium.core.domain.job import StoredResponse

PROBLEM = {
    "type": "about:blank",
    "title": "Anki is away",
    "status": 503,
    "detail": "Anki is not there.",
    "remedy": "Start it.",
}
REPLY = StoredResponse(fingerprint="f", status=202, headers={"location": "/api/v1/jobs/1"}, body='{"id": "1"}')


def test_a_job_is_created_started_and_finished(database):
    job = database.jobs.create("cards.sync", {"vault": "notes"})
    assert (job.status, job.request) == ("waiting", {"vault": "notes"})
    assert database.jobs.mark_running(job.id)
    database.jobs.set_progress(job.id, done=3, total=7, item="ospf.md")
    assert (found := database.jobs.get(job.id)).status == "running"
    assert (found.done, found.total, found.item) == (3, 7, "ospf.md")
    assert database.jobs.finish(job.id, "done", result={"run": "r1", "counts": {"create": 2}}, files=["cards.apkg"])
    ended = database.jobs.get(job.id[:-1])
    assert (ended.status, ended.run, ended.files) == ("done", "r1", ("cards.apkg",))
    assert ended.result["counts"] == {"create": 2}
    assert ended.is_finished
    assert ended.ended_at is not None


def test_the_first_end_counts(database):
    job = database.jobs.create("cards.sync", {})
    assert database.jobs.finish(job.id, "cancelled")
    assert not database.jobs.finish(job.id, "done", result={"run": "r1"})
    assert not database.jobs.mark_running(job.id)
    assert database.jobs.get(job.id).status == "cancelled"


def test_a_failed_job_can_be_reopened_but_not_a_finished_one(database):
    failed, done = (database.jobs.create("cards.sync", {}) for _ in range(2))
    database.jobs.finish(failed.id, "failed", problem=PROBLEM)
    database.jobs.finish(done.id, "done")
    assert database.jobs.reopen(failed.id).status == "waiting"
    assert database.jobs.get(failed.id).problem is None
    with pytest.raises(Conflict, match="is done"):
        database.jobs.reopen(done.id)


def test_unfinished_jobs_are_found_oldest_first(database):
    first, second, third = (database.jobs.create(kind, {}) for kind in ("a.x", "b.x", "c.x"))
    database.jobs.mark_running(third.id)
    database.jobs.finish(second.id, "failed")
    assert [job.id for job in database.jobs.unfinished()] == [first.id, third.id]


def test_jobs_are_listed_newest_first_by_kind_and_feature(database):
    placed = [database.jobs.create(kind, {}) for kind in ("cards.sync", "cards.plan", "cardsharp.x")]
    assert [job.id for job in database.jobs.newest()] == [job.id for job in reversed(placed)]
    assert [job.kind for job in database.jobs.newest(job_type="cards")] == ["cards.plan", "cards.sync"]
    assert [job.kind for job in database.jobs.newest(1, 1)] == ["cards.plan"]
    assert database.jobs.count("cards") == 2
    assert database.jobs.count("cards.sync") == 1
    assert database.jobs.count() == 3


def test_an_unknown_job_is_reported(database):
    with pytest.raises(NotFound, match="There is no job 'nine'"):
        database.jobs.get("nine")


def test_a_secret_in_a_problem_is_not_saved(database):
    job = database.jobs.create("cards.sync", {})
    database.jobs.finish(
        job.id, "failed", problem={**PROBLEM, "detail": "GET https://host/?key=AIzaSyA1234567890abcd failed"}
    )
    assert "AIza" not in str(database.jobs.get(job.id).problem)


def test_the_first_reply_to_a_key_is_saved(database):
    assert database.idempotency.get("k") is None
    database.idempotency.save("k", REPLY)
    database.idempotency.save("k", REPLY.model_copy(update={"status": 500}))
    assert database.idempotency.get("k") == REPLY


def test_replies_are_deleted_after_two_days(address):
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with Database.open(address, clock=lambda: now) as database:
        database.idempotency.save("old", REPLY)
        now += RETENTION + timedelta(seconds=1)
        database.idempotency.save("new", REPLY)
        assert database.idempotency.get("old") is None
        assert database.idempotency.get("new") == REPLY


def test_runs_and_reviews_are_counted_and_paged(database):
    runs = [database.runs.start(feature, {}) for feature in ("cards", "questions", "cards")]
    assert database.runs.count() == 3
    assert database.runs.count("cards") == 2
    assert [run.id for run in database.runs.newest(1, 1, feature="cards")] == [runs[0].id]
    assert database.reviews.count() == {}
    database.items.save(runs[0].id, "ospf.md", [doubt("ospf.md#1"), card("ospf.md#2"), doubt("ospf.md#3")])
    database.items.save(runs[1].id, "bgp.md", [doubt("bgp.md#1")])
    assert database.reviews.count() == {"cards": 2, "questions": 1}
    database.reviews.answer(database.reviews.select("open", "questions")[0].id, "approved")
    assert database.reviews.count() == {"cards": 2}
    assert database.reviews.count(None) == {"cards": 2, "questions": 1}


def test_decisions_are_read_in_parts_with_their_findings(database):
    run = database.runs.start("cards", {})
    cards = [card(f"ospf.md#{n}", findings=(finding(message=f"No {n}."),)) for n in range(5)]
    database.items.save(run.id, "ospf.md", [*cards, doubt("ospf.md#9")])
    part, total = database.items.decisions_page(run.id, limit=2, offset=1)
    assert ([each.item for each in part], total) == (["ospf.md#1", "ospf.md#2"], 6)
    assert [str(each.findings[0].message) for each in part] == ["No 1.", "No 2."]
    doubts, total = database.items.decisions_page(run.id, "manual_review")
    assert ([each.item for each in doubts], total) == (["ospf.md#9"], 1)
    assert database.items.decisions_page(run.id, offset=100) == ([], 6)
