"""Pace: how many calls of one model are in flight at once, and how many start in a minute."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic

SECONDS_PER_MINUTE = 60.0


class Pace:
    """Lets a call through when there is room and its turn has come; the starts are evenly spaced."""

    def __init__(
        self,
        max_concurrency: int,
        requests_per_minute: float | None = None,
        *,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._room = asyncio.Semaphore(max_concurrency)
        self._spacing = SECONDS_PER_MINUTE / requests_per_minute if requests_per_minute else 0.0
        self._next_start = 0.0
        self._clock = clock
        self._sleep = sleep

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for the turn of one call, and hold its place while the block runs."""
        async with self._room:
            if self._spacing:
                await self._wait_for_slot()
            yield

    async def _wait_for_slot(self) -> None:
        now = self._clock()
        start = max(now, self._next_start)
        self._next_start = start + self._spacing
        if start > now:
            await self._sleep(start - now)
