"""A worker process of a cluster run: opens each run once, and processes its items on one event loop."""

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
    """How a worker builds the job: a function (`module:function`) and its arguments; all of it must pickle.

    The function returns an async context manager over a runner and the job. The job's own items are not used: each
    item comes from the driver, pickled with its `start`.
    """

    build: str
    settings: Any = field(repr=False)  # there may be keys in them, and Dask logs the arguments of tasks that fail
    arguments: Any = field(repr=False)

    def open(self) -> AbstractAsyncContextManager[tuple[Runner, RunSpec]]:
        """Build the runner and the job in this process."""
        module, _, name = self.build.partition(":")
        opened: AbstractAsyncContextManager[tuple[Runner, RunSpec]] = getattr(import_module(module), name)(
            self.settings, self.arguments
        )
        return opened


Result = TypeVar("Result")


def run_item(spec: WorkerSpec, run: str, item: RunItem) -> None:
    """The task that Dask hands to a worker: process one item of a run and save its result."""
    from distributed import secede

    loop = _worker_loop()
    with loop.session(spec, run) as session, session.slots:
        # Dask counts a task as one busy thread, but ours mostly wait for a model: let the next one in.
        secede()
        loop.run(session.run_item(item))


class WorkerSession:
    """A run that is open in this process; it takes as many items at once as its runner allows."""

    def __init__(self, spec: WorkerSpec, run: str) -> None:
        self.spec, self.run = spec, run
        self.users = 0

    async def open(self) -> None:
        """Build the job; if that fails, close what was opened for it."""
        async with AsyncExitStack() as resources:
            runner, job = await resources.enter_async_context(self.spec.open())
            await asyncio.to_thread(self._begin, runner, job)
            self._resources = resources.pop_all()

    async def run_item(self, item: RunItem) -> None:
        """Process the item and save its result, unless that was done before: Dask repeats what a lost worker did."""
        if await asyncio.to_thread(self._database.items.is_finished, self.run, item.id):
            return
        result = await self._worker.run_item(item)
        await asyncio.to_thread(self._database.items.save_many, self.run, [result])

    async def close(self) -> None:
        """Close what was opened."""
        await self._resources.aclose()

    def _begin(self, runner: Runner, job: RunSpec) -> None:
        self._database = runner.database
        self._worker = ItemWorker(runner.database, job, self.run, runner.limits, shared=runner.database.limits)
        self.slots = threading.Semaphore(runner.concurrency)


class WorkerLoop:
    """This process's one event loop (two could not share their clients), in its own thread, with its open sessions."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._sessions: list[WorkerSession] = []
        threading.Thread(target=self._loop.run_forever, name="studium", daemon=True).start()

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run this on the loop; the calling thread waits."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    @contextmanager
    def session(self, spec: WorkerSpec, run: str) -> Iterator[WorkerSession]:
        """The session for this run; it stays open until another is needed and no item uses it."""
        with self._lock:
            known = (session for session in self._sessions if (session.run, session.spec) == (run, spec))
            session = next(known, None) or self._open(WorkerSession(spec, run))
            session.users += 1
        try:
            yield session
        finally:
            with self._lock:
                session.users -= 1

    def _open(self, new: WorkerSession) -> WorkerSession:
        for session in [session for session in self._sessions if not session.users]:
            self._sessions.remove(session)
            self.run(session.close())
        self.run(new.open())
        self._sessions.append(new)
        return new


@cache
def _worker_loop() -> WorkerLoop:
    return WorkerLoop()
