import pytest
from tests.core.database.samples import call, card, doubt, finding

from studium.core.database import Database, ItemResult
from studium.core.domain.decision import Action, Decision
from studium.core.domain.errors import NotFound


def test_an_item_is_saved_with_all_its_decisions(database: Database):
    run = database.runs.start("cards", {})
    made = [
        card("ospf.md#1", findings=(finding("a.b"), finding("c.d"))),
        doubt("ospf.md#2"),
        Decision(item="x", action=Action.SKIP),
    ]
    assert database.items.save(run.id, "ospf.md", made) is True
    assert database.items.decisions(run.id) == made
    assert database.items.finished(run.id) == {"ospf.md"}


def test_a_saved_item_does_not_change(database: Database):
    run = database.runs.start("cards", {})
    assert database.items.save(run.id, "ospf.md", [card("first")], [call()])
    assert database.items.save(run.id, "ospf.md", [card("second"), doubt("third")], [call()]) is False
    assert [decision.item for decision in database.items.decisions(run.id)] == ["first"]
    assert database.reviews.select() == []
    assert database.metrics.measure(run.id).spent.calls == 1


def test_the_same_item_in_another_run_is_independent(database: Database):
    first, second = (database.runs.start("cards", {}).id for _ in range(2))
    assert database.items.save(first, "ospf.md", [card("a")])
    assert database.items.save(second, "ospf.md", [card("b")])
    assert [decision.item for decision in database.items.decisions(second)] == ["b"]


def test_an_item_may_be_saved_without_a_decision(database: Database):
    run = database.runs.start("cards", {})
    assert database.items.save(run.id, "empty.md", [])
    assert database.items.finished(run.id) == {"empty.md"}
    assert database.items.decisions(run.id) == []


def test_many_items_are_saved_in_order_and_only_new_ones_count(database: Database):
    run = database.runs.start("cards", {})
    database.items.save(run.id, "n3.md", [card("n3.md#0")])
    batch = [ItemResult(f"n{n}.md", [card(f"n{n}.md#{k}") for k in range(2)]) for n in (9, 3, 1, 9)]
    assert database.items.save_many(run.id, batch) == 2
    assert [each.item for each in database.items.decisions(run.id)] == [
        "n3.md#0",
        "n9.md#0",
        "n9.md#1",
        "n1.md#0",
        "n1.md#1",
    ]


def test_more_items_at_once_than_an_in_list_holds(database: Database):
    run = database.runs.start("cards", {})
    batch = [ItemResult(f"n{n}.md", [card(f"n{n}.md")]) for n in range(1201)]
    assert database.items.save_many(run.id, batch) == 1201
    assert database.items.save_many(run.id, batch) == 0
    assert [each.item for each in database.items.decisions(run.id)] == [each.item for each in batch]


def test_the_decisions_of_a_run_are_its_plan(database: Database):
    run = database.runs.start("cards", {})
    database.items.save(run.id, "ospf.md", [card("a"), card("b"), doubt("c")])
    plan = database.items.plan(run.id[:13])
    assert (plan.run, plan.feature) == (run.id, "cards")
    assert plan.counts == {"create": 2, "update": 0, "skip": 0, "manual_review": 1}


def test_no_items_are_saved_for_an_unknown_run(database: Database):
    with pytest.raises(NotFound, match="There is no run 'nowhere'"):
        database.items.save("nowhere", "ospf.md", [card()])


def test_proposals_are_saved_unchanged(database: Database):
    run = database.runs.start("vocabulary", {})
    odd = "桜 \0 \U0001f338 'quoted' \\u0000"
    made = doubt("桜.md", proposal={"front": odd, "\0 鍵": [1, 2.5, None, {"é": True}]})
    database.items.save(run.id, "桜.md", [made])
    assert database.items.decisions(run.id) == [made]
    assert database.reviews.select()[0].decision == made


def test_half_an_emoji_can_be_shown_and_sent(database: Database):
    run = database.runs.start("vocabulary", {})
    database.items.save(run.id, "桜.md", [doubt("桜.md", proposal={"front": "桜 \ud83d"})])
    (review,) = database.reviews.select()
    assert review.decision.proposal == {"front": "桜 \ufffd"}
    assert database.reviews.find_answer("vocabulary", doubt("桜.md", proposal={"front": "桜 \ud83d"})) is None
    database.reviews.answer(review.id, "approved")
    assert database.reviews.find_answer("vocabulary", doubt("桜.md", proposal={"front": "桜 \ud83d"})) is not None


def test_our_messages_are_saved_without_secrets_and_invalid_characters(database: Database):
    run = database.runs.start("cards", {})
    told = finding(message="HTTP 401 at https://me:geheim@host/?key=AIzaSyA1234567890abcd: \0\udcff")
    database.items.save(run.id, "ospf.md", [doubt(reasons=("token=abcdefgh1234 \0",), findings=(told,))])
    (kept,) = database.items.decisions(run.id)
    assert kept.findings[0].message == "HTTP 401 at https://me:***@host/?key=*** \ufffd?"
    assert kept.reasons == ("token=*** \ufffd",)
    assert database.reviews.select()[0].decision == kept


def test_only_a_decision_for_review_opens_a_review(database: Database):
    run = database.runs.start("cards", {})
    database.items.save(run.id, "ospf.md", [card("sure"), doubt("unsure"), card("known", Action.SKIP)])
    (review,) = database.reviews.select()
    assert (review.run, review.feature, review.decision) == (run.id, "cards", doubt("unsure"))


def test_a_failed_write_leaves_nothing_behind(database: Database):
    run = database.runs.start("cards", {})
    unwritable = card("b", proposal={"front": "x"}).model_copy(update={"proposal": {"front": object()}})
    with pytest.raises(Exception, match="object"):
        database.items.save_many(run.id, [ItemResult("a", [doubt("a")], [call()]), ItemResult("b", [unwritable])])
    assert database.items.finished(run.id) == set()
    assert database.items.decisions(run.id) == database.reviews.select() == []
    assert database.items.save(run.id, "a", [doubt("a")])
