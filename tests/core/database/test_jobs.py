"""Orders and replies in the ledger, on SQLite and PostgreSQL alike."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.core.database.samples import card, doubt, finding

from studium.core.database import Database
from studium.core.database.idempotency import RETENTION
from studium.core.domain.errors import Conflict, NotFound
from studium.core.domain.job import StoredResponse

REPLY = StoredResponse(fingerprint="f", status=202, headers={"location": "/api/v1/orders/1"}, body='{"id": "1"}')


def test_an_order_is_placed_begun_and_done(ledger):
    order = ledger.jobs.create("cards.sync", {"vault": "notes"})
    assert (order.status, order.request) == ("waiting", {"vault": "notes"})
    assert ledger.jobs.mark_running(order.id)
    ledger.jobs.set_progress(order.id, done=3, total=7, item="ospf.md")
    assert (found := ledger.jobs.get(order.id)).status == "running"
    assert (found.done, found.total, found.item) == (3, 7, "ospf.md")
    assert ledger.jobs.finish(order.id, "done", result={"run": "r1", "counts": {"create": 2}}, files=["cards.apkg"])
    ended = ledger.jobs.get(order.id[:-1])
    assert (ended.status, ended.run, ended.files) == ("done", "r1", ("cards.apkg",))
    assert ended.result["counts"] == {"create": 2}
    assert ended.is_over
    assert ended.ended_at is not None


def test_the_first_end_counts(ledger):
    order = ledger.jobs.create("cards.sync", {})
    assert ledger.jobs.finish(order.id, "cancelled")
    assert not ledger.jobs.finish(order.id, "done", result={"run": "r1"})
    assert not ledger.jobs.mark_running(order.id)
    assert ledger.jobs.get(order.id).status == "cancelled"


def test_what_failed_can_wait_again_but_what_is_done_cannot(ledger):
    failed, done = (ledger.jobs.create("cards.sync", {}) for _ in range(2))
    ledger.jobs.finish(failed.id, "failed", problem={"detail": "Anki is not there.", "status": 503})
    ledger.jobs.finish(done.id, "done")
    assert ledger.jobs.reopen(failed.id).status == "waiting"
    assert ledger.jobs.get(failed.id).problem is None
    with pytest.raises(Conflict, match="is done"):
        ledger.jobs.reopen(done.id)


def test_unfinished_orders_are_found_oldest_first(ledger):
    first, second, third = (ledger.jobs.create(kind, {}) for kind in ("a.x", "b.x", "c.x"))
    ledger.jobs.mark_running(third.id)
    ledger.jobs.finish(second.id, "failed")
    assert [order.id for order in ledger.jobs.unfinished()] == [first.id, third.id]


def test_orders_are_listed_newest_first_by_kind_and_faculty(ledger):
    placed = [ledger.jobs.create(kind, {}) for kind in ("cards.sync", "cards.plan", "cardsharp.x")]
    assert [order.id for order in ledger.jobs.newest()] == [order.id for order in reversed(placed)]
    assert [order.kind for order in ledger.jobs.newest(job_type="cards")] == ["cards.plan", "cards.sync"]
    assert [order.kind for order in ledger.jobs.newest(1, 1)] == ["cards.plan"]
    assert ledger.jobs.count("cards") == 2
    assert ledger.jobs.count("cards.sync") == 1
    assert ledger.jobs.count() == 3


def test_an_unknown_order_is_told(ledger):
    with pytest.raises(NotFound, match="There is no order 'nine'"):
        ledger.jobs.get("nine")


def test_a_secret_in_a_problem_is_not_kept(ledger):
    order = ledger.jobs.create("cards.sync", {})
    ledger.jobs.finish(order.id, "failed", problem={"detail": "GET https://host/?key=AIzaSyA1234567890abcd failed"})
    assert "AIza" not in str(ledger.jobs.get(order.id).problem)


def test_the_first_reply_to_a_key_is_kept(ledger):
    assert ledger.idempotency.get("k") is None
    ledger.idempotency.save("k", REPLY)
    ledger.idempotency.save("k", REPLY.model_copy(update={"status": 500}))
    assert ledger.idempotency.get("k") == REPLY


def test_replies_go_after_two_days(address):
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with Database.open(address, clock=lambda: now) as ledger:
        ledger.idempotency.save("old", REPLY)
        now += RETENTION + timedelta(seconds=1)
        ledger.idempotency.save("new", REPLY)
        assert ledger.idempotency.get("old") is None
        assert ledger.idempotency.get("new") == REPLY


def test_runs_and_reviews_are_counted_and_paged(ledger):
    runs = [ledger.runs.start(faculty, {}) for faculty in ("cards", "questions", "cards")]
    assert ledger.runs.count() == 3
    assert ledger.runs.count("cards") == 2
    assert [run.id for run in ledger.runs.newest(1, 1, faculty="cards")] == [runs[0].id]
    assert ledger.reviews.count() == {}
    ledger.items.save(runs[0].id, "ospf.md", [doubt("ospf.md#1"), card("ospf.md#2"), doubt("ospf.md#3")])
    ledger.items.save(runs[1].id, "bgp.md", [doubt("bgp.md#1")])
    assert ledger.reviews.count() == {"cards": 2, "questions": 1}
    ledger.reviews.answer(ledger.reviews.select("open", "questions")[0].id, "approved")
    assert ledger.reviews.count() == {"cards": 2}
    assert ledger.reviews.count(None) == {"cards": 2, "questions": 1}


def test_decisions_are_read_in_parts_with_their_findings(ledger):
    run = ledger.runs.start("cards", {})
    cards = [card(f"ospf.md#{n}", findings=(finding(message=f"No {n}."),)) for n in range(5)]
    ledger.items.save(run.id, "ospf.md", [*cards, doubt("ospf.md#9")])
    part, total = ledger.items.decisions_page(run.id, limit=2, offset=1)
    assert ([each.item for each in part], total) == (["ospf.md#1", "ospf.md#2"], 6)
    assert [str(each.findings[0].message) for each in part] == ["No 1.", "No 2."]
    doubts, total = ledger.items.decisions_page(run.id, "manual_review")
    assert ([each.item for each in doubts], total) == (["ospf.md#9"], 1)
    assert ledger.items.decisions_page(run.id, offset=100) == ([], 6)
