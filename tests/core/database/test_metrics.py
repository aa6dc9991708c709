from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.database.samples import call, card, doubt, finding

from studium.core.database import Database
from studium.core.database.metrics import per_skill, percentile, score_distribution, spent
from studium.core.domain.usage import Call, CallOutcome

SECONDS = st.floats(0, 100)
CALLS = st.lists(
    st.builds(
        Call,
        skill=st.sampled_from(["cards.map", "cards.write", "questions.ask"]),
        role=st.just("r"),
        model=st.just("m"),
        outcome=st.sampled_from(CallOutcome),
        seconds=SECONDS,
        input_tokens=st.integers(0, 9000),
        output_tokens=st.integers(0, 9000),
        cost=st.none() | st.floats(0, 5),
        cached=st.booleans(),
    )
)


def test_the_metrics_of_a_run_have_its_results_and_costs(database: Database):
    run = database.runs.start("cards", {})
    unsure = doubt("b", score=0.42, findings=(finding("x"), finding("y")))
    database.items.save(run.id, "a.md", [card("a", score=0.95), unsure])
    unscored = card("c", score=None, findings=(finding("x"),))
    database.items.save(run.id, "b.md", [unscored], [call(cached=True, input_tokens=99)])
    for seconds in (1.0, 2.0, 3.0, 10.0):
        taken = call(seconds=seconds, input_tokens=100, output_tokens=10, cost=0.5)
        database.turns.remember(None, taken, run=run.id, item="a.md")
    database.turns.remember(None, call(outcome="invalid", seconds=4.0, cost=None), run=run.id, item="a.md")
    database.turns.remember(None, call(skill="cards.write", cost=None), run=run.id, item="a.md")
    database.turns.remember(None, call(), run="", item="")

    measured = database.metrics.measure(run.id)
    assert measured.items == 2
    assert measured.actions == {"create": 2, "update": 0, "skip": 0, "manual_review": 1}
    assert measured.findings == {"x": 2, "y": 1}
    assert measured.scores.bins == (0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
    assert measured.scores.mean == pytest.approx(0.685)
    assert (measured.spent.calls, measured.spent.cached) == (7, 1)
    assert (measured.spent.input_tokens, measured.spent.output_tokens) == (400, 40)
    assert (measured.spent.cost, measured.spent.unpriced) == (2.0, 2)

    mapping, writing = measured.skills
    assert (mapping.skill, mapping.invalid, mapping.failed, mapping.retry_rate) == ("cards.map", 1, 0, 0.2)
    assert (mapping.p50_seconds, mapping.p95_seconds, mapping.mean_seconds) == (3.0, 10.0, 4.0)
    assert (writing.spent.cost, writing.spent.unpriced) == (None, 1)
    assert database.metrics.measure().spent.calls == 8


def test_an_empty_database_has_no_costs(database: Database):
    measured = database.metrics.measure()
    assert (measured.spent.cost, measured.spent.unpriced, measured.scores.mean, measured.skills) == (0.0, 0, None, ())


@given(CALLS)
def test_the_skills_add_up_to_the_whole(calls: list[Call]):
    whole, parts = spent(calls), per_skill(calls)
    for name in ("calls", "cached", "input_tokens", "output_tokens", "unpriced"):
        assert getattr(whole, name) == sum(getattr(part.spent, name) for part in parts)
    assert isclose(whole.cost or 0, sum(part.spent.cost or 0 for part in parts), abs_tol=1e-9)
    assert whole.calls == len(calls)
    assert all(0 <= part.retry_rate <= 1 for part in parts)


@given(CALLS)
def test_an_unknown_cost_is_not_shown_as_zero(calls: list[Call]):
    whole = spent(calls)
    made = [each for each in calls if not each.cached]
    assert (whole.cost is None) == bool(made and all(each.cost is None for each in made))
    assert whole.unpriced == sum(each.cost is None for each in made)


@given(st.lists(SECONDS, min_size=1), st.sampled_from([0.5, 0.95, 1.0]))
def test_a_percentile_is_a_value_that_the_share_does_not_exceed(seconds: list[float], share: float):
    value = percentile(sorted(seconds), share)
    assert value in seconds
    assert sum(each <= value for each in seconds) >= share * len(seconds) - 1e-9
    assert sum(each < value for each in seconds) < share * len(seconds)


@given(st.lists(st.floats(-1, 2)))
def test_every_score_falls_into_one_bin(scores: list[float]):
    spread = score_distribution(scores)
    assert sum(spread.bins) == len(scores)
    assert len(spread.bins) == 10


def test_the_bins_are_from_0_to_1():
    bins = {0.0: 0, 0.0999: 0, 0.1: 1, 0.5: 5, 0.999: 9, 1.0: 9, 1.7: 9, -3.0: 0}
    assert {score: score_distribution([score]).bins.index(1) for score in bins} == bins
