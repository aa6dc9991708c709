"""The workshop: carries orders out, each in a process of its own.

So whoever serves pages never waits for the work, a cancelled order ends like a command after Ctrl-C, and one that dies
takes nothing along. Orders that were under way when the server ended are gone on with when it starts again; those of
another process that is gone, as of an assistant's, soon after.
"""

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from studium.core.config import Settings
from studium.core.database import Database
from studium.core.domain.errors import Conflict, StudiumError
from studium.core.domain.job import Job, JobEvent
from studium.core.files import file_lock, is_locked
from studium.core.jobs.problem_details import crash_problem, problem_details, unexpected_problem

_KEPT = 2000


class EventLog:
    """The last events of an order; each listener hears them all, at its own pace, from where it left off."""

    def __init__(self) -> None:
        self.is_over = False
        self._events: deque[JobEvent] = deque(maxlen=_KEPT)
        self._number = 0
        self._news = asyncio.Event()

    def tell(self, kind: str, data: dict[str, Any]) -> None:
        """Let everybody hear of it; on the event loop only."""
        self._number += 1
        self._events.append(JobEvent(number=self._number, kind=kind, data=data))
        self.is_over = False
        self._wake()

    def end(self, order: Job) -> None:
        """Let everybody hear how it ended."""
        self.tell("status", order.model_dump(mode="json"))
        self.is_over = True
        self._wake()

    async def heard(self, after: int) -> AsyncIterator[JobEvent]:
        """All events after the one of this number, until it is over."""
        # A number from before a restart is ahead of ours: such a listener hears everything.
        last = after if after <= self._number else 0
        while True:
            news = self._news
            for event in [event for event in self._events if event.number > last]:
                last = event.number
                yield event
            if self.is_over and last == self._number:
                return
            if news is self._news:
                await news.wait()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


log = logging.getLogger(__name__)
_MAX_PARALLEL = 4  # one that watches a vault must not keep the others waiting
_REMEMBERED = 100
_IN_FLIGHT = 3.0  # seconds for what is in flight when an order is cancelled; a document may hold hundreds of questions
_PATIENCE = 10.0  # seconds that a cancelled order has to end by itself
_EVERY = 2.0  # seconds between two looks at what other processes do
_PRELOAD = ["studium.core.jobs.worker", "studium.app.preload"]


class JobQueue:
    """Takes orders and carries them out, so many at a time."""

    def __init__(self, settings: Settings, database: Database, *, at_once: int = _MAX_PARALLEL) -> None:
        self.settings, self.database = settings, database
        self.folder = settings.home / "orders"
        self._places = asyncio.Semaphore(at_once)
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(_PRELOAD)
        self._tellings: OrderedDict[str, EventLog] = OrderedDict()
        self._processes: dict[str, ForkServerProcess] = {}
        self._cancelled: set[str] = set()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._minding: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Go on with what was under way when the server ended, and with what others leave lying."""
        await self._go_on()
        self._minding = asyncio.create_task(self._model())

    async def close(self) -> None:
        """Let go of everything; what is under way stays open, to be gone on with."""
        if self._minding:
            self._minding.cancel()
        for task in self._tasks.values():
            task.cancel()
        for process in self._processes.values():
            process.kill()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def place(self, kind: str, request: BaseModel) -> Job:
        """Take an order; it is carried out in its turn."""
        asked = request.model_dump(mode="json")
        order = await asyncio.to_thread(self.database.jobs.create, kind, asked)
        self._begin(order, resume=False)
        return order

    async def resume(self, given: str) -> Job:
        """Go on with an order that failed or was cancelled."""
        found = await self.find(given)
        if under_way := self._tasks.get(found.id):  # its worker has said its last word, and is yet to be gone
            await asyncio.wait({under_way})
        order = await asyncio.to_thread(self.database.jobs.reopen, found.id)
        self._begin(order, resume=True)
        return order

    async def find(self, given: str) -> Job:
        """The order of this id, or of the only id that begins so."""
        return await asyncio.to_thread(self.database.jobs.get, given)

    async def cancel(self, given: str) -> Job:
        """End an order before its time: what is in flight is finished if it can be soon, what was done is kept."""
        order = await self.find(given)
        if order.is_over:
            raise Conflict(f"Order {order.id} is {order.status} already.", remedy="There is nothing to cancel.")
        if order.id not in self._tasks:
            raise Conflict(f"Another process works on order {order.id}.", remedy="Cancel it where it was started.")
        self._cancelled.add(order.id)
        if process := self._processes.get(order.id):
            _signal(process, signal.SIGTERM)
            loop = asyncio.get_running_loop()
            loop.call_later(_IN_FLIGHT, _signal, process, signal.SIGTERM)
            loop.call_later(_PATIENCE, _signal, process, signal.SIGKILL)
        elif task := self._tasks.get(order.id):
            task.cancel()
            await asyncio.to_thread(self.database.jobs.finish, order.id, "cancelled")
            self._telling(order.id).end(await self.find(order.id))
        return await self.find(order.id)

    async def watch(self, given: str, after: int = 0) -> AsyncIterator[JobEvent]:
        """What happens to an order, from now on or from after the event of this number, until it is over."""
        order = await self.find(given)
        told: dict[str, Any] = {}
        while True:
            if telling := self._tellings.get(order.id):
                async for event in telling.heard(after):
                    told = event.data if event.kind == "status" else told
                    yield event
                after = 0  # should we take it up once more, all of that is new
            # Another process may be at it, or have ended it meanwhile: then the database tells.
            order = await self.find(order.id)
            if (now := order.model_dump(mode="json")) != told:
                after, told = after + 1, now
                yield JobEvent(number=after, kind="status", data=now)
            if order.is_over:
                return
            if order.id not in self._tellings:
                if not self._minding and not await asyncio.to_thread(is_locked, *self._lock(order)):
                    return  # nobody is at it, and we take up nothing: there is nothing to wait for
                await asyncio.sleep(_EVERY)

    async def finished(self, given: str) -> Job:
        """The order, when it is over."""
        async for _ in self.watch(given):
            pass
        return await self.find(given)

    def folder_of(self, order: Job) -> Path:
        """Where the files lie that an order made."""
        return self.folder / order.id

    async def _model(self) -> None:
        """Take up what other processes left lying, as long as the server runs."""
        while True:
            await asyncio.sleep(_EVERY)
            with suppress(StudiumError):  # a database that is away for a moment is asked again
                await self._go_on()

    async def _go_on(self) -> None:
        for order in await asyncio.to_thread(self._left_lying):
            if order.id not in self._tasks:
                self._begin(order, resume=order.status == "running")

    def _left_lying(self) -> list[Job]:
        """The orders that are not over and that nobody works on; one that is being cancelled is about to be over."""
        ours = self._tasks.keys() | self._cancelled
        unfinished = self.database.jobs.unfinished()
        return [order for order in unfinished if order.id not in ours and not is_locked(*self._lock(order))]

    def _lock(self, order: Job) -> tuple[Path, str]:
        return self.settings.home / "locks", f"order {order.id}"

    def _begin(self, order: Job, *, resume: bool) -> None:
        self._cancelled.discard(order.id)
        self._telling(order.id).tell("status", order.model_dump(mode="json"))
        task = asyncio.create_task(self._carry_out(order, resume=resume))
        self._tasks[order.id] = task
        task.add_done_callback(partial(self._forget, order.id))

    def _forget(self, order: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(order) is task:
            del self._tasks[order]

    async def _carry_out(self, order: Job, *, resume: bool) -> None:
        """See an order to its end; whatever happens here, whoever watches it hears of an end."""
        ended = order
        try:
            with file_lock(*self._lock(order)):
                ended = await self._work_on(order, resume=resume)
        except Conflict:
            # Another server of this home, or an assistant's own process, is at it: the database tells how far it is.
            log.info("order is carried out elsewhere", extra={"order": order.id})
        except Exception as error:
            log.exception("order failed", extra={"order": order.id})
            why = problem_details(error) if isinstance(error, StudiumError) else unexpected_problem(error)
            ended = order.model_copy(update={"status": "failed", "problem": why})
            with suppress(StudiumError):  # a database that does not answer may be what failed
                await asyncio.to_thread(partial(self.database.jobs.finish, order.id, "failed", problem=why))
        self._telling(order.id).end(ended)
        if not ended.is_over:
            del self._tellings[order.id]

    async def _work_on(self, order: Job, *, resume: bool) -> Job:
        async with self._places:
            if await asyncio.to_thread(self.database.jobs.mark_running, order.id):
                self._telling(order.id).tell("status", (await self.find(order.id)).model_dump(mode="json"))
                code = await self._process(order, resume=resume)
                if not (await self.find(order.id)).is_over:
                    await asyncio.to_thread(self._ended_without_a_word, order.id, code)
            return await self.find(order.id)

    def _ended_without_a_word(self, order: str, code: int | None) -> None:
        if order in self._cancelled:
            self.database.jobs.finish(order, "cancelled")
        else:
            self.database.jobs.finish(order, "failed", problem=crash_problem(code))

    async def _process(self, order: Job, *, resume: bool) -> int | None:
        """Start a process for the order, hear it out, and say how it ended."""
        from studium.core.jobs.worker import run_job

        ours, theirs = self._context.Pipe()
        arguments = (self.settings, order, self.folder_of(order), resume, theirs)
        process = self._context.Process(target=run_job, args=arguments, daemon=True)
        await asyncio.to_thread(process.start)
        theirs.close()
        self._processes[order.id] = process
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        hearing = threading.Thread(target=self._hear, args=(order.id, ours, loop, ended), daemon=True)
        hearing.start()
        try:
            if order.id in self._cancelled:
                _signal(process, signal.SIGTERM)
            await ended.wait()
            await asyncio.to_thread(process.join)
            return process.exitcode
        finally:
            self._processes.pop(order.id, None)
            ours.close()

    def _hear(self, order: str, line: Connection, loop: asyncio.AbstractEventLoop, ended: asyncio.Event) -> None:
        """Hear what the process says, in a thread of its own, until it has no more to say."""
        telling = self._telling(order)
        try:
            with suppress(EOFError, OSError):
                while True:
                    kind, data = line.recv()
                    if kind == "progress":
                        with suppress(StudiumError):  # a database that is away for a moment misses a step
                            self.database.jobs.set_progress(order, **data)
                    loop.call_soon_threadsafe(telling.tell, kind, data)
        finally:
            with suppress(RuntimeError):  # the loop may be gone
                loop.call_soon_threadsafe(ended.set)

    def _telling(self, order: str) -> EventLog:
        if order not in self._tellings:
            self._tellings[order] = EventLog()
            for old in list(self._tellings)[:-_REMEMBERED]:
                if self._tellings[old].is_over:
                    del self._tellings[old]
        return self._tellings[order]


def _signal(process: ForkServerProcess, number: int) -> None:
    with suppress(ProcessLookupError, ValueError, AttributeError):
        if process.exitcode is None and process.pid:
            os.kill(process.pid, number)
