"""What a worker process does: it opens each errand once, and works on its items on one event loop."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from functools import cache
from typing import Any, TypeVar

from studium.running.cluster.errand import Errand
from studium.running.job import Item, Job
from studium.running.runner import Runner
from studium.running.shift import Shift

Result = TypeVar("Result")


def work_on(errand: Errand, run: str, item: Item) -> None:
    """The task that Dask hands to a worker: one item of a run, worked on and settled."""
    from distributed import secede

    office = _office()
    with office.workplace(errand, run) as place, place.room:
        # Dask counts a task as one busy thread, but ours mostly wait for a model: let the next one in.
        secede()
        office.do(place.work_on(item))


class Workplace:
    """An errand that is open in this process, for one run; there is room for as many items as its runner takes."""

    def __init__(self, errand: Errand, run: str) -> None:
        self.errand, self.run = errand, run
        self.visitors = 0

    async def open(self) -> None:
        """Build the job; what was opened for one that cannot be built is given back."""
        async with AsyncExitStack() as things:
            runner, job = await things.enter_async_context(self.errand.open())
            await asyncio.to_thread(self._begin, runner, job)
            self._things = things.pop_all()

    async def work_on(self, item: Item) -> None:
        """Work on the item and settle it, unless that was done before: Dask repeats what a lost worker had done."""
        if await asyncio.to_thread(self._ledger.items.is_finished, self.run, item.id):
            return
        settlement = await self._shift.work_on(item)
        await asyncio.to_thread(self._ledger.items.save_many, self.run, [settlement])

    async def close(self) -> None:
        """Give back what was opened."""
        await self._things.aclose()

    def _begin(self, runner: Runner, job: Job) -> None:
        self._ledger = runner.ledger
        self._shift = Shift(runner.ledger, job, self.run, runner.limits, shared=runner.ledger.limits)
        self.room = threading.Semaphore(runner.concurrency)


class Office:
    """This process's one event loop (two could not share their clients), in its own thread, and what is open on it."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._open: list[Workplace] = []
        threading.Thread(target=self._loop.run_forever, name="studium", daemon=True).start()

    def do(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Do this on the loop; the calling thread waits."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    @contextmanager
    def workplace(self, errand: Errand, run: str) -> Iterator[Workplace]:
        """Where this errand is open; it stays so until there is another and nobody is here any more."""
        with self._lock:
            known = (place for place in self._open if (place.run, place.errand) == (run, errand))
            place = next(known, None) or self._make_room_for(Workplace(errand, run))
            place.visitors += 1
        try:
            yield place
        finally:
            with self._lock:
                place.visitors -= 1

    def _make_room_for(self, new: Workplace) -> Workplace:
        for place in [place for place in self._open if not place.visitors]:
            self._open.remove(place)
            self.do(place.close())
        self.do(new.open())
        self._open.append(new)
        return new


@cache
def _office() -> Office:
    return Office()
