"""What all the workers on a run keep to together."""

import pytest
from tests.core.database.samples import call
from tests.core.database.workers import processes, reserve_calls

from studium.core.database import Database
from studium.core.domain.errors import NotFound
from studium.core.domain.usage import Limits


@pytest.fixture
def run(database: Database) -> str:
    started = database.runs.start("questions", {}).id
    database.limits.begin(started)
    return started


def test_calls_are_reserved_up_to_the_limit_and_then_refused(database: Database, run: str):
    limits = Limits(calls=2)
    assert [database.limits.reserve(run, limits, tokens=5, cost=0.0) for _ in range(3)] == [
        None,
        None,
        "the limit of 2 model calls is reached",
    ]


def test_an_unused_reservation_can_be_spent_on_the_next_call(database: Database, run: str):
    limits = Limits(tokens=1000, cost=1.0)
    assert database.limits.reserve(run, limits, tokens=900, cost=0.9) is None
    assert database.limits.reserve(run, limits, tokens=900, cost=0.1) == "the limit of 1000 tokens would be passed"
    assert database.limits.reserve(run, limits, tokens=10, cost=0.9) == "the limit of 1.00 in money would be passed"
    database.limits.settle(run, tokens=-850, cost=-0.85)
    assert database.limits.reserve(run, limits, tokens=900, cost=0.9) is None


def test_earlier_spending_of_the_run_counts(database: Database):
    run = database.runs.start("questions", {}).id
    for cached in (False, True):
        database.turns.remember(
            None, call(input_tokens=60, output_tokens=40, cost=0.5, cached=cached), run=run, item="a.pdf"
        )
    database.limits.begin(run)
    assert database.limits.reserve(run, Limits(calls=1), tokens=0, cost=0.0) == "the limit of 1 model calls is reached"
    assert database.limits.reserve(run, Limits(tokens=149), tokens=50, cost=0.0)
    assert database.limits.reserve(run, Limits(tokens=150, cost=0.5), tokens=50, cost=0.0) is None


def test_starting_a_count_again_keeps_it(database: Database, run: str):
    assert database.limits.reserve(run, Limits(calls=1), tokens=0, cost=0.0) is None
    database.limits.begin(run)
    assert database.limits.reserve(run, Limits(calls=1), tokens=0, cost=0.0), (
        "a worker that died may have made its call"
    )


def test_each_run_has_its_own_count(database: Database, run: str):
    other = database.runs.start("questions", {}).id
    database.limits.begin(other)
    assert database.limits.reserve(run, Limits(calls=1), tokens=0, cost=0.0) is None
    assert database.limits.reserve(other, Limits(calls=1), tokens=0, cost=0.0) is None


def test_a_run_without_a_counter_is_refused(database: Database):
    with pytest.raises(NotFound, match="Run 'none' has no shared limits"):
        database.limits.reserve("none", Limits(calls=1), tokens=0, cost=0.0)


def test_concurrent_processes_use_up_the_limit_and_never_exceed_it(run: str, address: str):
    here, there = processes.Pipe()
    limits = Limits(calls=120, tokens=100_000, cost=100.0)
    for _ in range(3):
        processes.Process(target=reserve_calls, args=(address, run, limits, 100, there)).start()
    assert sum(here.recv() for _ in range(3)) == 120


def test_the_starts_of_a_models_calls_are_evenly_spaced(database: Database):
    waits = [database.limits.take_slot("openai:m", 10.0) for _ in range(4)]
    assert waits == pytest.approx([0, 10, 20, 30], abs=1)
    assert database.limits.take_slot("openai:other", 10.0) == pytest.approx(0, abs=1), "each model has its own pace"


def test_an_idle_model_accumulates_no_starts(database: Database):
    database.limits.take_slot("openai:m", 0.001)
    assert database.limits.take_slot("openai:m", 10.0) == pytest.approx(0, abs=1)
    assert database.limits.take_slot("openai:m", 10.0) == pytest.approx(10, abs=1)


def test_an_item_is_saved_completely_or_not_at_all(database: Database, run: str):
    database.items.save(run, "a.pdf", [])
    assert database.items.is_finished(run, "a.pdf")
    assert not database.items.is_finished(run, "b.pdf")
