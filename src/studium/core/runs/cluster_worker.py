"""What a worker process does: it opens each errand once, and works on its items on one event loop."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from studium.core.runs.item_worker import ItemWorker
from studium.core.runs.run_spec import RunItem, RunSpec
from studium.core.runs.runner import Runner


@dataclass(frozen=True)
class WorkerSpec:
    """Who builds the job on a worker (`module:function`), and from what; all of it must pickle.

    The function gives an async context manager over a runner and the job. The items of that job are not asked for:
    each comes from the driver, with `start` pickled, so that a worker need not look for what it is not to work on.
    """

    build: str
    settings: Any = field(repr=False)  # there may be keys in them, and Dask logs the arguments of tasks that fail
    arguments: Any = field(repr=False)

    def open(self) -> AbstractAsyncContextManager[tuple[Runner, RunSpec]]:
        """The runner and the job, made anew in this process."""
        module, _, name = self.build.partition(":")
        opened: AbstractAsyncContextManager[tuple[Runner, RunSpec]] = getattr(import_module(module), name)(
            self.settings, self.arguments
        )
        return opened


Result = TypeVar("Result")


def run_item(errand: WorkerSpec, run: str, item: RunItem) -> None:
    """The task that Dask hands to a worker: one item of a run, worked on and settled."""
    from distributed import secede

    office = _worker_loop()
    with office.workplace(errand, run) as place, place.room:
        # Dask counts a task as one busy thread, but ours mostly wait for a model: let the next one in.
        secede()
        office.do(place.work_on(item))


class WorkerSession:
    """An errand that is open in this process, for one run; there is room for as many items as its runner takes."""

    def __init__(self, errand: WorkerSpec, run: str) -> None:
        self.errand, self.run = errand, run
        self.visitors = 0

    async def open(self) -> None:
        """Build the job; what was opened for one that cannot be built is given back."""
        async with AsyncExitStack() as things:
            runner, job = await things.enter_async_context(self.errand.open())
            await asyncio.to_thread(self._begin, runner, job)
            self._things = things.pop_all()

    async def work_on(self, item: RunItem) -> None:
        """Work on the item and settle it, unless that was done before: Dask repeats what a lost worker had done."""
        if await asyncio.to_thread(self._database.items.is_finished, self.run, item.id):
            return
        settlement = await self._shift.work_on(item)
        await asyncio.to_thread(self._database.items.save_many, self.run, [settlement])

    async def close(self) -> None:
        """Give back what was opened."""
        await self._things.aclose()

    def _begin(self, runner: Runner, job: RunSpec) -> None:
        self._database = runner.database
        self._shift = ItemWorker(runner.database, job, self.run, runner.limits, shared=runner.database.limits)
        self.room = threading.Semaphore(runner.concurrency)


class WorkerLoop:
    """This process's one event loop (two could not share their clients), in its own thread, and what is open on it."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._open: list[WorkerSession] = []
        threading.Thread(target=self._loop.run_forever, name="studium", daemon=True).start()

    def do(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Do this on the loop; the calling thread waits."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    @contextmanager
    def workplace(self, errand: WorkerSpec, run: str) -> Iterator[WorkerSession]:
        """Where this errand is open; it stays so until there is another and nobody is here any more."""
        with self._lock:
            known = (place for place in self._open if (place.run, place.errand) == (run, errand))
            place = next(known, None) or self._make_room_for(WorkerSession(errand, run))
            place.visitors += 1
        try:
            yield place
        finally:
            with self._lock:
                place.visitors -= 1

    def _make_room_for(self, new: WorkerSession) -> WorkerSession:
        for place in [place for place in self._open if not place.visitors]:
            self._open.remove(place)
            self.do(place.close())
        self.do(new.open())
        self._open.append(new)
        return new


@cache
def _worker_loop() -> WorkerLoop:
    return WorkerLoop()
