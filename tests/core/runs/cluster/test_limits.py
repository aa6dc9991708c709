"""Limits that several processes keep to, seen from one of them; the database counts for all."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from studium.core.database import Database
from studium.core.domain.run import RunContext, use_context
from studium.core.domain.usage import Budget, Limits
from studium.core.llm.client import RateLimiter


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(f"sqlite:///{tmp_path}/database.db") as opened:
        yield opened


@pytest.fixture
def run(database: Database) -> str:
    started = database.runs.start("reading", {}).id
    database.limits.begin(started)
    return started


def worker(database: Database, run: str, limits: Limits) -> RunContext:
    """What an item is worked on with, in a process that knows nothing of the others."""
    return RunContext(run, "a.pdf", Budget(Limits(calls=10), parent=Budget(limits)), shared=database.limits)


async def test_one_worker_cannot_spend_what_the_other_spent(database, run):
    here, there = (worker(database, run, Limits(calls=1)) for _ in range(2))
    assert await here.reserve(tokens=10, cost=0.0) is None
    assert await there.reserve(tokens=10, cost=0.0) == "the limit of 1 model calls is reached"
    assert (there.budget.calls, there.budget.run.tokens) == (0, 0), "a call that is not made is not counted"


async def test_an_unused_reservation_is_free_for_the_other_worker(database, run):
    here, there = (worker(database, run, Limits(tokens=100)) for _ in range(2))
    assert await here.reserve(tokens=90, cost=0.0) is None
    assert await there.reserve(tokens=90, cost=0.0)
    await here.settle(reserved_tokens=90, reserved_cost=0.0, tokens=10, cost=0.0)
    assert await there.reserve(tokens=90, cost=0.0) is None


async def test_a_run_without_limits_needs_no_shared_counter(database):
    alone = worker(database, "a run that nobody counts for", Limits())
    assert await alone.reserve(tokens=10, cost=0.0) is None
    await alone.settle(reserved_tokens=10, reserved_cost=0.0, tokens=5, cost=0.0)
    assert alone.budget.tokens == 5


async def test_two_workers_share_the_rate_limit_of_a_model(database, run):
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    paces = [
        RateLimiter(8, requests_per_minute=6, model=name, sleep=sleep) for name in ("openai:m", "openai:m", "openai:n")
    ]
    with use_context(RunContext(run, shared=database.limits)):
        for pace in paces:
            async with pace.slot():
                await asyncio.sleep(0)
    assert waits == [pytest.approx(10, abs=1)], "the second waits for the first; another model for nobody"
