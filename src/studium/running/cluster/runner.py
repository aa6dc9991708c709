"""The driver of a run on a cluster: hands the items out, follows them, and reads from the ledger what came of them."""

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from studium.domain.assignment import emit_progress
from studium.domain.errors import BadSettings, Interrupted, MissingPart, StudiumError
from studium.domain.finding import Finding, Severity
from studium.observe.redact import redact
from studium.running.cluster.connecting import connected, no_scheduler, no_worker
from studium.running.cluster.errand import Errand
from studium.running.cluster.worker import work_on
from studium.running.interruption import interruptible
from studium.running.job import Item, Job, Report, refuse
from studium.running.runner import opened_run
from studium.stores.ledger import Ledger, Run, Settlement

if TYPE_CHECKING:
    from distributed import Client, Future


@dataclass(frozen=True)
class ClusterRunner:
    """Runs a job as `Runner` does, on the workers of the cluster at `scheduler`, each of which does the errand.

    The job's checkpoints must be open when it is given: that makes their tables before any worker looks for them.
    `patience` is how many seconds a cluster may be without any worker.
    """

    scheduler: str
    errand: Errand
    ledger: Ledger
    patience: float = 60.0

    async def run(self, job: Job, *, resume: bool = False) -> Report:
        """Run the job, or go on with its unfinished run."""
        if not self.ledger.is_on_server:
            raise BadSettings(
                f"The workers of a cluster cannot share the ledger at {self.ledger.display_name}: it is a file.",
                remedy="Set `ledger: postgresql://USER@HOST/DATABASE`, with a host that every worker can reach.",
            )
        async with connected(self.scheduler, self.patience) as client:
            with opened_run(self.ledger, job, resume=resume) as run, interruptible() as stop:
                return await _Campaign(self, client, job, run).work(stop)


class _Campaign:
    """One driver's way through all the items of a run."""

    def __init__(self, runner: ClusterRunner, client: "Client", job: Job, run: Run) -> None:
        self.runner, self.client, self.job, self.run = runner, client, job, run
        self.ledger = runner.ledger
        self._back = 0

    async def work(self, stop: asyncio.Event) -> Report:
        done = self.ledger.items.finished(self.run.id)
        self.ledger.items.save_many(self.run.id, [Settlement(*each) for each in self.job.decided])
        self.ledger.limits.begin(self.run.id)
        if left := [item for item in self.job.items if item.id not in done]:
            await self._hand_out(left, stop)
        settled = self.ledger.items.finished(self.run.id)
        return Report(self.ledger.items.plan(self.run.id), len(settled) - len(done), len(done))

    async def _hand_out(self, items: Sequence[Item], stop: asyncio.Event) -> None:
        """Give every item to the cluster and wait until all are back, or until something ends the run."""
        keys = [f"{self.job.faculty}-{self.run.id}-{item.id}" for item in items]
        same = [self.runner.errand] * len(items), [self.run.id] * len(items)
        futures = self.client.map(work_on, *same, items, key=keys, pure=False)
        try:
            await _first_of(
                self._follow(dict(zip(keys, items, strict=True)), futures), self._stopped(stop), self._deserted()
            )
        finally:
            # What is in hand is finished and settled by its worker all the same.
            with suppress(OSError, TimeoutError):
                await self.client.cancel(futures)

    async def _follow(self, items: dict[str, Item], futures: "list[Future[None]]") -> None:
        from distributed import as_completed

        async for future in as_completed(futures, loop=self.client.loop):
            item = items[future.key]
            await self._take_back(item, future)
            future.release()
            self._back += 1
            emit_progress(self._back, len(self.job.items), item.id)

    async def _take_back(self, item: Item, future: "Future[None]") -> None:
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
                f"A worker could not begin with {item.id}: {redact(f'{type(error).__name__}: {error}')}",
                remedy="Look at the worker's output; it needs what is installed and set here.",
            )
        message = f"Every worker that had it in hand died: {error.allowed_failures + 1} did."
        finding = Finding(code="item.killed", severity=Severity.ERROR, message=message)
        self.ledger.items.save(self.run.id, item.id, [refuse(item.id, finding, review=True)])

    async def _stopped(self, stop: asyncio.Event) -> None:
        await stop.wait()
        left = len(self.job.items) - self._back
        raise Interrupted(f"Run {self.run.id} was stopped with {left} items left; workers finish those in hand.")

    async def _deserted(self) -> None:
        """Wait until there has been no worker for too long."""
        clock = asyncio.get_running_loop().time
        seen = clock()
        while clock() - seen < self.runner.patience:
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
    """Until one of them ends; how it ends is how this ends, and the others are given up."""
    tasks = [asyncio.ensure_future(each) for each in several]
    try:
        ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in ended:
        task.result()
