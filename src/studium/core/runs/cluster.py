"""The driver of a cluster run: hands out the items, follows them, and reads their results from the database."""

import asyncio
import platform
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypeVar

from studium.core.database import Database, ItemResult, Run
from studium.core.domain.errors import (
    BadInput,
    BadSettings,
    Interrupted,
    MissingPart,
    ServiceDown,
    StudiumError,
)
from studium.core.domain.finding import Finding, Severity
from studium.core.domain.run import RunItem, RunReport, RunSpec, emit_progress, reject_item
from studium.core.extras import needs_extra
from studium.core.redaction import redact
from studium.core.runs.runner import ItemWorker, Runner, interruptible, open_run

if TYPE_CHECKING:
    from distributed import Client, Future


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
    """The task that Dask runs on a worker: process one item of a run and save its result."""
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


_LONGEST_WAIT = 5.0  # seconds, for the scheduler to answer and then for a worker to be there
_RESUME = "Then run the same command again, with --resume if the run had started."


@asynccontextmanager
async def connect_cluster(scheduler: str, max_wait: float) -> "AsyncIterator[Client]":
    """A client of this scheduler; it has at least one worker, and the same Studium everywhere."""
    wait = min(max_wait, _LONGEST_WAIT)
    with needs_extra("cluster", "Running on a Dask cluster"):
        from distributed import Client
    client = Client(scheduler, asynchronous=True, timeout=wait, set_as_default=False)
    try:
        await _connect(client, scheduler)
        await _wait_for_a_worker(client, scheduler, wait)
        await _check_programs(client, scheduler)
        yield client
    finally:
        await client.close()


async def _connect(client: "Client", scheduler: str) -> None:
    try:
        await client
    except (OSError, TimeoutError) as error:
        raise no_scheduler(scheduler) from error
    except ValueError as error:
        raise BadInput(
            f"`{scheduler}` is not the address of a Dask scheduler.", remedy="Write tcp://HOST:8786."
        ) from error


def no_scheduler(scheduler: str) -> ServiceDown:
    """The error for a scheduler that does not answer."""
    start = f"`dask scheduler` there, then `dask worker {scheduler}` on each worker machine"
    return ServiceDown(f"The Dask scheduler at {scheduler} does not answer.", remedy=f"Start it: {start}. {_RESUME}")


def no_worker(scheduler: str) -> ServiceDown:
    """The error for a scheduler without workers."""
    remedy = f"Start one on each worker machine: `dask worker {scheduler}`. {_RESUME}"
    return ServiceDown(f"The Dask scheduler at {scheduler} has no worker.", remedy=remedy)


async def _wait_for_a_worker(client: "Client", scheduler: str, max_wait: float) -> None:
    try:
        await client.wait_for_workers(1, timeout=max_wait)
    except (OSError, TimeoutError) as error:
        raise no_worker(scheduler) from error


async def _check_programs(client: "Client", scheduler: str) -> None:
    """Refuse a cluster with another version of Studium or Python: it could not unpickle our tasks."""
    ours = _programs(version("studium"), platform.python_version())
    for who, theirs in (await _programs_of_all(client)).items():
        if theirs != ours:
            raise MissingPart(
                f"The {who} of the cluster at {scheduler} has {theirs}; here it is {ours}.",
                remedy="Install the same Studium, on the same Python, for the scheduler and every worker.",
            )


async def _programs_of_all(client: "Client") -> dict[str, str]:
    asked = (version, "studium"), (platform.python_version,)
    workers: list[dict[str, Any]] = [await client.run(*question, on_error="return") for question in asked]
    found = {f"worker {name}": [answers.get(name) for answers in workers] for name in workers[0]}
    found["scheduler"] = await asyncio.gather(
        *(client.run_on_scheduler(*question) for question in asked), return_exceptions=True
    )
    # A worker that has left returns a broken connection; it does no work either.
    return {who: _programs(*answers) for who, answers in found.items() if not any(map(_is_gone, answers))}


def _programs(studium: object, python: object) -> str:
    """`Studium 1.0 on Python 3.12`; patch levels of Python do not matter."""
    ours = f"Studium {studium}" if isinstance(studium, str) else "no Studium"
    return f"{ours} on Python {'.'.join(str(python).split('.')[:2])}"


def _is_gone(answer: object) -> bool:
    return answer is None or isinstance(answer, OSError | TimeoutError)


@dataclass(frozen=True)
class ClusterRunner:
    """Runs a job as `Runner` does, on the workers of the cluster at `scheduler`.

    Open the checkpoints first: that creates their tables before any worker needs them.
    `timeout` is how many seconds the cluster may be without a worker.
    """

    scheduler: str
    worker_spec: WorkerSpec
    database: Database
    timeout: float = 60.0

    async def run(self, job: RunSpec, *, resume: bool = False) -> RunReport:
        """Start a run, or resume the unfinished one."""
        if not self.database.is_on_server:
            raise BadSettings(
                f"The workers of a cluster cannot share the database at {self.database.display_name}: it is a file.",
                remedy="Set `database: postgresql://USER@HOST/DATABASE`, with a host that every worker can reach.",
            )
        async with connect_cluster(self.scheduler, self.timeout) as client:
            with open_run(self.database, job, resume=resume) as run, interruptible() as stop:
                return await _ClusterRun(self, client, job, run).work(stop)


class _ClusterRun:
    """One run on a cluster, seen from the driver."""

    def __init__(self, runner: ClusterRunner, client: "Client", job: RunSpec, run: Run) -> None:
        self.runner, self.client, self.job, self.run = runner, client, job, run
        self.database = runner.database
        self._back = 0

    async def work(self, stop: asyncio.Event) -> RunReport:
        done = self.database.items.finished(self.run.id)
        self.database.items.save_many(self.run.id, [ItemResult(*each) for each in self.job.already_decided])
        self.database.limits.begin(self.run.id)
        if left := [item for item in self.job.items if item.id not in done]:
            await self._submit(left, stop)
        settled = self.database.items.finished(self.run.id)
        return RunReport(self.database.items.plan(self.run.id), len(settled) - len(done), len(done))

    async def _submit(self, items: Sequence[RunItem], stop: asyncio.Event) -> None:
        """Submit every item to the cluster, and wait until all are done or the run ends."""
        keys = [f"{self.job.feature}-{self.run.id}-{item.id}" for item in items]
        same = [self.runner.worker_spec] * len(items), [self.run.id] * len(items)
        futures = self.client.map(run_item, *same, items, key=keys, pure=False)
        try:
            await _first_of(
                self._follow(dict(zip(keys, items, strict=True)), futures),
                self._wait_until_stopped(stop),
                self._wait_until_no_workers(),
            )
        finally:
            # Workers still finish and save the items they have started.
            with suppress(OSError, TimeoutError):
                await self.client.cancel(futures)

    async def _follow(self, items: dict[str, RunItem], futures: "list[Future[None]]") -> None:
        from distributed import as_completed

        async for future in as_completed(futures, loop=self.client.loop):
            item = items[future.key]
            await self._collect(item, future)
            future.release()
            self._back += 1
            emit_progress(self._back, len(self.job.items), item.id)

    async def _collect(self, item: RunItem, future: "Future[None]") -> None:
        from distributed.scheduler import KilledWorker

        if future.status == "finished":
            return
        if future.status != "error":
            raise no_scheduler(self.runner.scheduler)
        error = await future.exception()
        if isinstance(error, StudiumError):
            raise type(error)(f"On a worker: {error.what}", remedy=error.remedy) from error
        if not isinstance(error, KilledWorker):
            raise MissingPart(
                f"A worker could not start {item.id}: {redact(f'{type(error).__name__}: {error}')}",
                remedy="See the worker's output; it needs the same packages and settings as this machine.",
            )
        message = f"{error.allowed_failures + 1} workers died while running it."
        finding = Finding(code="item.killed", severity=Severity.ERROR, message=message)
        self.database.items.save(self.run.id, item.id, [reject_item(item.id, finding, review=True)])

    async def _wait_until_stopped(self, stop: asyncio.Event) -> None:
        await stop.wait()
        left = len(self.job.items) - self._back
        raise Interrupted(
            f"Run {self.run.id} was stopped with {left} items left; workers finish those they have started."
        )

    async def _wait_until_no_workers(self) -> None:
        """Wait until the cluster has been without workers for too long."""
        clock = asyncio.get_running_loop().time
        seen = clock()
        while clock() - seen < self.runner.timeout:
            if await self._workers():
                seen = clock()
            await asyncio.sleep(1)
        raise no_worker(self.runner.scheduler)

    async def _workers(self) -> int:
        try:
            return len(await self.client.nthreads())
        except OSError as error:
            raise no_scheduler(self.runner.scheduler) from error


async def _first_of(*several: Coroutine[Any, Any, None]) -> None:
    """Wait for the first of several to end, cancel the others, and end as it did."""
    tasks = [asyncio.ensure_future(each) for each in several]
    try:
        ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in ended:
        task.result()
