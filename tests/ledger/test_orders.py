"""Orders and replies in the ledger, on SQLite and PostgreSQL alike."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.ledger.samples import card, doubt, finding

from studium.domain.errors import Conflict, NotFound
from studium.domain.order import Reply
from studium.stores.ledger import Ledger
from studium.stores.ledger.replies import KEPT

REPLY = Reply(fingerprint="f", status=202, headers={"location": "/api/v1/orders/1"}, body='{"id": "1"}')


def test_an_order_is_placed_begun_and_done(ledger):
    order = ledger.orders.place("cards.sync", {"vault": "notes"})
    assert (order.status, order.request) == ("waiting", {"vault": "notes"})
    assert ledger.orders.begin(order.id)
    ledger.orders.advance(order.id, done=3, total=7, item="ospf.md")
    assert (found := ledger.orders.find(order.id)).status == "running"
    assert (found.done, found.total, found.item) == (3, 7, "ospf.md")
    assert ledger.orders.end(order.id, "done", result={"run": "r1", "counts": {"create": 2}}, files=["cards.apkg"])
    ended = ledger.orders.find(order.id[:-1])
    assert (ended.status, ended.run, ended.files) == ("done", "r1", ("cards.apkg",))
    assert ended.result["counts"] == {"create": 2}
    assert ended.is_over
    assert ended.ended_at is not None


def test_the_first_end_counts(ledger):
    order = ledger.orders.place("cards.sync", {})
    assert ledger.orders.end(order.id, "cancelled")
    assert not ledger.orders.end(order.id, "done", result={"run": "r1"})
    assert not ledger.orders.begin(order.id)
    assert ledger.orders.find(order.id).status == "cancelled"


def test_what_failed_can_wait_again_but_what_is_done_cannot(ledger):
    failed, done = (ledger.orders.place("cards.sync", {}) for _ in range(2))
    ledger.orders.end(failed.id, "failed", problem={"detail": "Anki is not there.", "status": 503})
    ledger.orders.end(done.id, "done")
    assert ledger.orders.reopen(failed.id).status == "waiting"
    assert ledger.orders.find(failed.id).problem is None
    with pytest.raises(Conflict, match="is done"):
        ledger.orders.reopen(done.id)


def test_unfinished_orders_are_found_oldest_first(ledger):
    first, second, third = (ledger.orders.place(kind, {}) for kind in ("a.x", "b.x", "c.x"))
    ledger.orders.begin(third.id)
    ledger.orders.end(second.id, "failed")
    assert [order.id for order in ledger.orders.unfinished()] == [first.id, third.id]


def test_orders_are_listed_newest_first_by_kind_and_faculty(ledger):
    placed = [ledger.orders.place(kind, {}) for kind in ("cards.sync", "cards.plan", "cardsharp.x")]
    assert [order.id for order in ledger.orders.newest()] == [order.id for order in reversed(placed)]
    assert [order.kind for order in ledger.orders.newest(kind="cards")] == ["cards.plan", "cards.sync"]
    assert [order.kind for order in ledger.orders.newest(1, 1)] == ["cards.plan"]
    assert ledger.orders.count("cards") == 2
    assert ledger.orders.count("cards.sync") == 1
    assert ledger.orders.count() == 3


def test_an_unknown_order_is_told(ledger):
    with pytest.raises(NotFound, match="There is no order 'nine'"):
        ledger.orders.find("nine")


def test_a_secret_in_a_problem_is_not_kept(ledger):
    order = ledger.orders.place("cards.sync", {})
    ledger.orders.end(order.id, "failed", problem={"detail": "GET https://host/?key=AIzaSyA1234567890abcd failed"})
    assert "AIza" not in str(ledger.orders.find(order.id).problem)


def test_the_first_reply_to_a_key_is_kept(ledger):
    assert ledger.replies.recall("k") is None
    ledger.replies.keep("k", REPLY)
    ledger.replies.keep("k", REPLY.model_copy(update={"status": 500}))
    assert ledger.replies.recall("k") == REPLY


def test_replies_go_after_two_days(address):
    now = datetime(2026, 1, 1, tzinfo=UTC)
    with Ledger.open(address, clock=lambda: now) as ledger:
        ledger.replies.keep("old", REPLY)
        now += KEPT + timedelta(seconds=1)
        ledger.replies.keep("new", REPLY)
        assert ledger.replies.recall("old") is None
        assert ledger.replies.recall("new") == REPLY


def test_runs_and_reviews_are_counted_and_paged(ledger):
    runs = [ledger.start_run(faculty, {}) for faculty in ("cards", "questions", "cards")]
    assert ledger.count_runs() == 3
    assert ledger.count_runs("cards") == 2
    assert [run.id for run in ledger.runs(1, 1, faculty="cards")] == [runs[0].id]
    assert ledger.count_reviews() == {}
    ledger.settle(runs[0].id, "ospf.md", [doubt("ospf.md#1"), card("ospf.md#2"), doubt("ospf.md#3")])
    ledger.settle(runs[1].id, "bgp.md", [doubt("bgp.md#1")])
    assert ledger.count_reviews() == {"cards": 2, "questions": 1}
    ledger.answer_review(ledger.reviews("open", "questions")[0].id, "approved")
    assert ledger.count_reviews() == {"cards": 2}
    assert ledger.count_reviews(None) == {"cards": 2, "questions": 1}


def test_decisions_are_read_in_parts_with_their_findings(ledger):
    run = ledger.start_run("cards", {})
    cards = [card(f"ospf.md#{n}", findings=(finding(message=f"No {n}."),)) for n in range(5)]
    ledger.settle(run.id, "ospf.md", [*cards, doubt("ospf.md#9")])
    part, total = ledger.some_decisions(run.id, limit=2, offset=1)
    assert ([each.item for each in part], total) == (["ospf.md#1", "ospf.md#2"], 6)
    assert [str(each.findings[0].message) for each in part] == ["No 1.", "No 2."]
    doubts, total = ledger.some_decisions(run.id, "manual_review")
    assert ([each.item for each in doubts], total) == (["ospf.md#9"], 1)
    assert ledger.some_decisions(run.id, offset=100) == ([], 6)
