"""Decisions about questions, and what past runs gave: the same on SQLite and PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.core.database.samples import call
from tests.questions.export.conftest import make_pair

from studium.core.database import Database
from studium.core.domain.decision import Action, Decision
from studium.core.domain.errors import BadInput, Conflict
from studium.questions.domain import GenerationStats
from studium.questions.history import past_runs
from studium.questions.review_repository import QuestionReviewRepository, ReviewState

BURNS = make_pair("How long does the lamp burn?", "7 hours", "The lamp burns for 7 hours.")
KEPT, DROPPED = ReviewState(status="kept"), ReviewState(status="dropped")
EDITED = ReviewState(status="edited", pair=BURNS)


@pytest.fixture
def run(database) -> str:
    return database.runs.start("questions", {"mode": "textual"}).id


@pytest.fixture
def reviews(database) -> QuestionReviewRepository:
    return QuestionReviewRepository(database.transactions)


def test_each_decision_is_a_revision_and_undoing_one_is_another(reviews, run):
    for number, state in enumerate((KEPT, EDITED, DROPPED), 1):
        assert reviews.decide(run, "a.md#1", lambda _, state=state: state).revision == number
    assert reviews.decide(run, "a.md#1", lambda state: state).revision == 3
    stored = reviews.of_run(run)["a.md#1"]
    assert (stored.state, stored.history) == (DROPPED, (ReviewState(), KEPT, EDITED))
    undone = [reviews.undo(run, "a.md#1") for _ in range(3)]
    assert [each.state for each in undone] == [EDITED, KEPT, ReviewState()]
    assert undone[-1].revision == 6
    with pytest.raises(BadInput, match="Nothing was decided"):
        reviews.undo(run, "a.md#1")


def test_what_was_not_seen_is_not_changed(reviews, run):
    reviews.decide(run, "a.md#1", lambda _: KEPT, seen=0)
    for change in (
        lambda: reviews.decide(run, "a.md#1", lambda _: DROPPED, seen=0),
        lambda: reviews.undo(run, "a.md#1", 0),
    ):
        with pytest.raises(Conflict, match="it is kept now"):
            change()
    assert reviews.of_run(run)["a.md#1"].state == KEPT


def test_of_many_at_once_the_first_is_taken(address, reviews, run):
    def decide(state: ReviewState) -> ReviewState | None:
        with Database.open(address) as own:
            try:
                return QuestionReviewRepository(own.transactions).decide(run, "a.md#1", lambda _: state, 0).state
            except Conflict:
                return None

    with ThreadPoolExecutor(6) as people:
        taken = {state for state in people.map(decide, [EDITED, DROPPED, KEPT] * 2) if state}
    assert taken == {reviews.of_run(run)["a.md#1"].state}


def test_the_reviewed_are_counted_and_the_version_changes(reviews, run):
    versions = [reviews.version(run)]
    for item, state in (("a.md#1", KEPT), ("a.md#2", ReviewState(pair=BURNS)), ("a.md#1", DROPPED)):
        reviews.decide(run, item, lambda _, state=state: state)
        versions.append(reviews.version(run))
    assert len(set(versions)) == 4
    assert reviews.count_reviewed(run) == 1, "a regenerated question waits"


def finished(database: Database, name: str, *, accepted: int, exhausted: bool, model: str = "rules", **spent) -> None:
    """A finished run over one document of 1,000 words."""
    stats = GenerationStats(
        document_path=name,
        target_count=20,
        accepted_count=accepted,
        rejected_count=3,
        total_attempts=accepted + 3,
        validation_pass_rate=0.5,
        dedup_rejection_rate=0.0,
        exhausted=exhausted,
        rejection_reasons={"trivial": 3},
        word_count=1000,
        generator_model=model,
    )
    made = database.runs.start("questions", {"mode": "textual"}).id
    summary = Decision(item=f"{name}#", action=Action.SKIP, proposal=stats.model_dump(mode="json"))
    rejected = Decision(item=f"{name}#rejected-1", action=Action.SKIP, proposal={"question": "Why?"})
    database.items.save(made, f"{name}@1", [rejected, summary], [call(model=model, **spent)])
    database.runs.finish(made, "done")


def test_past_runs_are_summed_up_by_generator(database):
    finished(database, "a.md", accepted=20, exhausted=False)
    finished(database, "b.md", accepted=4, exhausted=True)
    finished(database, "c.md", accepted=10, exhausted=True, model="openai:asker", input_tokens=5000, cost=0.5)
    by_rules, by_model = past_runs(database, "rules", "textual"), past_runs(database, "openai:asker", "textual")
    assert (by_rules.runs, by_rules.accepted, by_rules.calls, by_rules.cost) == (2, 24, 0, 0)
    assert by_rules.per_thousand_words == 4, "only what was exhausted shows how much there is"
    assert (by_model.calls, by_model.input_tokens) == (1, 5000)
    assert by_model.per_question(by_model.cost) == 0.05
    assert by_model.seconds > 0
    assert past_runs(database, "rules", "visual").per_thousand_words is None
