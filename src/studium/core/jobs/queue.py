"""The job queue: runs each job in a process of its own.

Serving pages therefore never waits for a job, a cancelled job ends like a command after Ctrl-C, and a crash affects
nothing else. A server that starts resumes unfinished jobs, and adopts those of other processes once they have died.
"""

import asyncio
import logging
import os
import signal
import threading
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from multiprocessing import Pipe
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
from studium.core.fork_server import fork_process
from studium.core.jobs.job_types import CANCEL
from studium.core.jobs.problem_details import crash_problem, problem_details, unexpected_problem

log = logging.getLogger(__name__)
_MAX_EVENTS = 2000  # kept for each job
_MAX_LOGS = 100
_MAX_PARALLEL = 4  # a job that watches a vault must not block the others
_IN_FLIGHT = 3.0  # seconds for calls in flight when a job is cancelled; a document may hold hundreds of questions
_CANCEL_TIMEOUT = 10.0  # seconds until a cancelled job is killed
_POLL_INTERVAL = 2.0  # seconds between two looks at the jobs of other processes


def jobs_folder(home: Path) -> Path:
    """The folder for the files of jobs; a home from before jobs got their name keeps them in `orders`."""
    older = home / "orders"
    return older if older.is_dir() else home / "jobs"


class EventLog:
    """The latest events of a job; every follower gets all of them from where it left off."""

    def __init__(self) -> None:
        self.is_finished = False
        self._events: deque[JobEvent] = deque(maxlen=_MAX_EVENTS)
        self._number = 0
        self._changed = asyncio.Event()

    def append(self, kind: str, data: dict[str, Any]) -> None:
        """Add an event; on the event loop only."""
        self._number += 1
        self._events.append(JobEvent(number=self._number, kind=kind, data=data))
        self.is_finished = False
        self._notify()

    def finish(self, job: Job) -> None:
        """Add the job's final status, and let its followers go."""
        self.append("status", job.model_dump(mode="json"))
        self.is_finished = True
        self._notify()

    async def follow(self, after: int) -> AsyncIterator[JobEvent]:
        """All events with a higher number, until the job is finished."""
        # A number from before a restart is ahead of ours: such a follower gets everything.
        last = after if after <= self._number else 0
        while True:
            changed = self._changed
            for event in [event for event in self._events if event.number > last]:
                last = event.number
                yield event
            if self.is_finished and last == self._number:
                return
            if changed is self._changed:
                await changed.wait()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


class JobQueue:
    """Accepts jobs and runs up to `parallel` of them at once."""

    def __init__(self, settings: Settings, database: Database, *, parallel: int = _MAX_PARALLEL) -> None:
        self.settings, self.database = settings, database
        self.folder = jobs_folder(settings.home)
        self._slots = asyncio.Semaphore(parallel)
        self._logs: OrderedDict[str, EventLog] = OrderedDict()
        self._processes: dict[str, ForkServerProcess] = {}
        self._pipes: dict[str, Connection] = {}
        self._cancelled: set[str] = set()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._adopting: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Resume unfinished jobs, now and whenever the process that runs one dies."""
        await self._resume_orphans()
        self._adopting = asyncio.create_task(self._adopt_orphans())

    async def close(self) -> None:
        """Stop everything; running jobs stay unfinished, to be resumed."""
        if self._adopting:
            self._adopting.cancel()
        for task in self._tasks.values():
            task.cancel()
        for process in self._processes.values():
            process.kill()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def submit(self, kind: str, request: BaseModel) -> Job:
        """Add a job; it starts as soon as there is a free slot."""
        job = await asyncio.to_thread(self.database.jobs.create, kind, request.model_dump(mode="json"))
        self._begin(job, resume=False)
        return job

    async def resume(self, given: str) -> Job:
        """Resume a job that failed or was cancelled."""
        found = await self.find(given)
        if running := self._tasks.get(found.id):  # finished but not yet exited
            await asyncio.wait({running})
        job = await asyncio.to_thread(self.database.jobs.reopen, found.id)
        self._begin(job, resume=True)
        return job

    async def find(self, given: str) -> Job:
        """The job with this id, or the only one whose id starts so."""
        return await asyncio.to_thread(self.database.jobs.get, given)

    async def cancel(self, given: str) -> Job:
        """Stop a job: calls in flight get a few seconds, and what is done is kept."""
        job = await self.find(given)
        if job.is_finished:
            raise Conflict(f"Job {job.id} is {job.status} already.", remedy="There is nothing to cancel.")
        if job.id not in self._tasks:
            raise Conflict(f"Job {job.id} runs in another process.", remedy="Cancel it where it was started.")
        self._cancelled.add(job.id)
        if process := self._processes.get(job.id):
            self._stop_process(job.id, process)
            loop = asyncio.get_running_loop()
            loop.call_later(_IN_FLIGHT, _signal, process, signal.SIGTERM)
            loop.call_later(_CANCEL_TIMEOUT, _signal, process, signal.SIGKILL)
        elif task := self._tasks.get(job.id):
            task.cancel()
            await asyncio.to_thread(self.database.jobs.finish, job.id, "cancelled")
            self._log(job.id).finish(await self.find(job.id))
        return await self.find(job.id)

    async def watch(self, given: str, after: int = 0) -> AsyncIterator[JobEvent]:
        """The events of a job, after the one with this number, until it is finished."""
        job = await self.find(given)
        known: dict[str, Any] = {}
        while True:
            if event_log := self._logs.get(job.id):
                async for event in event_log.follow(after):
                    known = event.data if event.kind == "status" else known
                    yield event
                after = 0  # if we adopt the job later, its events are numbered from 1
            # Another process may run it or have finished it: the database knows.
            job = await self.find(job.id)
            if (now := job.model_dump(mode="json")) != known:
                after, known = after + 1, now
                yield JobEvent(number=after, kind="status", data=now)
            if job.is_finished:
                return
            if job.id not in self._logs:
                if not self._adopting and not await asyncio.to_thread(is_locked, *self._lock(job)):
                    return  # no process runs it, and we adopt nothing: there is nothing to wait for
                await asyncio.sleep(_POLL_INTERVAL)

    async def wait(self, given: str) -> Job:
        """The job, once it is finished."""
        async for _ in self.watch(given):
            pass
        return await self.find(given)

    def folder_of(self, job: Job) -> Path:
        """The folder with the files of a job."""
        return self.folder / job.id

    async def _adopt_orphans(self) -> None:
        while True:
            await asyncio.sleep(_POLL_INTERVAL)
            with suppress(StudiumError):  # a database that is briefly unavailable is asked again
                await self._resume_orphans()

    async def _resume_orphans(self) -> None:
        for job in await asyncio.to_thread(self._orphaned):
            if job.id not in self._tasks:
                self._begin(job, resume=job.status == "running")

    def _orphaned(self) -> list[Job]:
        """The unfinished jobs that no process runs; one that is being cancelled is not restarted."""
        ours = self._tasks.keys() | self._cancelled
        unfinished = self.database.jobs.unfinished()
        return [job for job in unfinished if job.id not in ours and not is_locked(*self._lock(job))]

    def _lock(self, job: Job) -> tuple[Path, str]:
        return self.settings.home / "locks", f"job {job.id}"

    def _begin(self, job: Job, *, resume: bool) -> None:
        self._cancelled.discard(job.id)
        self._log(job.id).append("status", job.model_dump(mode="json"))
        task = asyncio.create_task(self._run(job, resume=resume))
        self._tasks[job.id] = task
        task.add_done_callback(partial(self._forget, job.id))

    def _forget(self, job: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(job) is task:
            del self._tasks[job]

    async def _run(self, job: Job, *, resume: bool) -> None:
        """Run a job to its end; its followers always see it end."""
        ended = job
        try:
            with file_lock(*self._lock(job)):
                ended = await self._run_in_slot(job, resume=resume)
        except Conflict:
            # Another server of this home, or an assistant's process, runs it: the database has its progress.
            log.info("job runs in another process", extra={"job": job.id})
        except Exception as error:
            log.exception("job failed", extra={"job": job.id})
            why = problem_details(error) if isinstance(error, StudiumError) else unexpected_problem(error)
            ended = job.model_copy(update={"status": "failed", "problem": why})
            with suppress(StudiumError):  # a database that does not answer may be what failed
                await asyncio.to_thread(partial(self.database.jobs.finish, job.id, "failed", problem=why))
        self._log(job.id).finish(ended)
        if not ended.is_finished:
            del self._logs[job.id]

    async def _run_in_slot(self, job: Job, *, resume: bool) -> Job:
        async with self._slots:
            if await asyncio.to_thread(self.database.jobs.mark_running, job.id):
                self._log(job.id).append("status", (await self.find(job.id)).model_dump(mode="json"))
                code = await self._run_process(job, resume=resume)
                if not (await self.find(job.id)).is_finished:
                    await asyncio.to_thread(self._record_crash, job.id, code)
            return await self.find(job.id)

    def _record_crash(self, job: str, code: int | None) -> None:
        if job in self._cancelled:
            self.database.jobs.finish(job, "cancelled")
        else:
            self.database.jobs.finish(job, "failed", problem=crash_problem(code))

    async def _run_process(self, job: Job, *, resume: bool) -> int | None:
        """Start a process for the job, read its events, and return its exit code."""
        from studium.core.jobs.worker import run_job

        ours, theirs = Pipe()
        arguments = (self.settings, job, self.folder_of(job), resume, theirs)
        process = await asyncio.to_thread(fork_process, run_job, *arguments)
        theirs.close()
        self._processes[job.id], self._pipes[job.id] = process, ours
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        reader = threading.Thread(target=self._read_events, args=(job.id, ours, loop, ended), daemon=True)
        reader.start()
        try:
            if job.id in self._cancelled:
                self._stop_process(job.id, process)
            await ended.wait()
            await asyncio.to_thread(process.join)
            return process.exitcode
        finally:
            self._processes.pop(job.id, None)
            self._pipes.pop(job.id, None)
            ours.close()

    def _stop_process(self, job: str, process: ForkServerProcess) -> None:
        """Ask a process to stop, and say that its job is cancelled: any other signal to end leaves it unfinished."""
        with suppress(OSError, KeyError):
            self._pipes[job].send(CANCEL)
        _signal(process, signal.SIGTERM)

    def _read_events(self, job: str, pipe: Connection, loop: asyncio.AbstractEventLoop, ended: asyncio.Event) -> None:
        """Read the events of the process until it closes the pipe; in a thread of its own."""
        event_log = self._log(job)
        try:
            with suppress(EOFError, OSError):
                while True:
                    kind, data = pipe.recv()
                    if kind == "progress":
                        with suppress(StudiumError):  # if the database is briefly unavailable, a step is missed
                            self.database.jobs.set_progress(job, **data)
                    loop.call_soon_threadsafe(event_log.append, kind, data)
        finally:
            with suppress(RuntimeError):  # the loop may be closed
                loop.call_soon_threadsafe(ended.set)

    def _log(self, job: str) -> EventLog:
        if job not in self._logs:
            self._logs[job] = EventLog()
            for old in list(self._logs)[:-_MAX_LOGS]:
                if self._logs[old].is_finished:
                    del self._logs[old]
        return self._logs[job]


def _signal(process: ForkServerProcess, number: int) -> None:
    with suppress(ProcessLookupError, ValueError, AttributeError):
        if process.exitcode is None and process.pid:
            os.kill(process.pid, number)
