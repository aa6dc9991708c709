"""Pace: no more calls at once than allowed, and their starts evenly spaced."""

import asyncio

import pytest

from studium.core.llm.client import RateLimiter


async def test_the_number_of_calls_in_flight_is_limited():
    pace, running, most = RateLimiter(3), 0, 0

    async def call() -> None:
        nonlocal running, most
        async with pace.slot():
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.001)
            running -= 1

    await asyncio.gather(*(call() for _ in range(12)))
    assert most == 3


async def test_the_starts_of_calls_are_evenly_spaced():
    now, starts = 100.0, []

    async def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    pace = RateLimiter(8, requests_per_minute=30, clock=lambda: now, sleep=sleep)
    for _ in range(4):
        async with pace.slot():
            starts.append(now)
    now += 60
    async with pace.slot():
        starts.append(now)

    assert starts == [100.0, 102.0, 104.0, 106.0, 166.0]


async def test_a_failed_call_releases_its_slot():
    pace = RateLimiter(1)
    for _ in range(3):
        with pytest.raises(ValueError, match="failed"):
            async with asyncio.timeout(1), pace.slot():
                raise ValueError("failed")
    async with asyncio.timeout(1), pace.slot():
        pass
