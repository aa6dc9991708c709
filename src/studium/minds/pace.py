"""Pace: how many calls of one model are in flight at once, and how many start in a minute.

How many are in flight is each process's own affair; the starts are spaced over all the workers on a run.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic

from studium.domain.assignment import current_context

SECONDS_PER_MINUTE = 60.0


class Pace:
    """Lets a call through when there is room and its turn has come; the starts are evenly spaced."""

    def __init__(
        self,
        max_concurrency: int,
        requests_per_minute: float | None = None,
        *,
        model: str = "",
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._room = asyncio.Semaphore(max_concurrency)
        self._spacing = SECONDS_PER_MINUTE / requests_per_minute if requests_per_minute else 0.0
        self._model = model
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
        shared = current_context().shared
        if shared:
            wait = await asyncio.to_thread(shared.take_slot, self._model, self._spacing)
        else:
            wait = self._take_slot()
        if wait > 0:
            await self._sleep(wait)

    def _take_slot(self) -> float:
        now = self._clock()
        start = max(now, self._next_start)
        self._next_start = start + self._spacing
        return start - now
