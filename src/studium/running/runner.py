"""Runs a job: so many items at a time, each settled once, resumable after any end."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from studium.domain.assignment import Assignment, assigned
from studium.domain.budget import Budget, Limits
from studium.domain.decision import Decision, Plan
from studium.domain.errors import Interrupted, StudiumError
from studium.domain.finding import Finding, Severity
from studium.domain.usage import Call
from studium.observe.redact import redact
from studium.observe.tracing import span
from studium.running.doubt import settle_doubts
from studium.running.interruption import interruptible
from studium.running.job import Item, Job, Progress, Report, refuse
from studium.stores.ledger import Ledger, Run, RunStatus, Settlement

log = logging.getLogger(__name__)
_TOGETHER = 50


@dataclass(frozen=True)
class Runner:
    """Works through a job's items, at most `concurrency` at once, inside the run's limits."""

    ledger: Ledger
    concurrency: int = 8
    limits: Limits = field(default_factory=Limits)
    on_progress: Callable[[Progress], None] = lambda _: None

    async def run(self, job: Job, *, resume: bool = False) -> Report:
        """Run the job, or go on with its unfinished run."""
        known = self.ledger.unfinished_run(job.faculty, job.arguments) if resume else None
        run = known or self.ledger.start_run(job.faculty, job.arguments)
        log.info("run started", extra={"run": run.id, "faculty": job.faculty, "items": len(job.items)})
        status: RunStatus = "failed"
        try:
            with interruptible() as stop, span("run", run=run.id, faculty=job.faculty):
                report = await _Shift(self, job, run, stop).work()
            status = "done"
        except (Interrupted, asyncio.CancelledError) as cut:
            status = "interrupted"
            raise cut if isinstance(cut, Interrupted) else Interrupted(f"Run {run.id} was stopped at once.") from None
        finally:
            self.ledger.finish_run(run.id, status)
            log.info("run ended", extra={"run": run.id, "status": status})
        return report


class _Shift:
    """One process's work on one run."""

    def __init__(self, runner: Runner, job: Job, run: Run, stop: asyncio.Event) -> None:
        self.runner, self.job, self.run, self.stop = runner, job, run, stop
        self.ledger = runner.ledger
        spent = runner.ledger.metrics(run.id).spent
        # What an earlier part of this run has spent counts against its limits.
        self.budget = Budget(
            runner.limits,
            calls=spent.calls - spent.cached,
            tokens=spent.input_tokens + spent.output_tokens,
            cost=spent.cost or 0.0,
        )
        self.settled = 0
        self._waiting: list[Settlement] = []
        self._decided: list[Decision] = []

    async def work(self) -> Report:
        done = self.ledger.settled_items(self.run.id)
        earlier = self.ledger.decisions(self.run.id) if done else []
        for item, decisions in self.job.decided:
            if item not in done:
                await self._settle(item, decisions, [])
        try:
            await self._work_through([item for item in self.job.items if item.id not in done])
        finally:
            await self._flush()
        left = len(self.job.items) + len(self.job.decided) - self.settled - len(done)
        if left > 0:
            raise Interrupted(f"Run {self.run.id} was stopped with {self.settled + len(done)} items done, {left} left.")
        plan = Plan(run=self.run.id, faculty=self.job.faculty, decisions=(*earlier, *self._decided))
        return Report(plan, self.settled, len(done))

    async def _work_through(self, items: Sequence[Item]) -> None:
        queue = iter(items)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self.runner.concurrency):
                    group.create_task(self._take_items(queue))
        except ExceptionGroup as several:
            # Workers that hit the same wall raise alike; the first says what the user can do.
            raise several.exceptions[0] from several

    async def _take_items(self, queue: Iterator[Item]) -> None:
        for item in queue:
            if self.stop.is_set():
                return
            await self._work_on(item)
            self.runner.on_progress(Progress(self.settled, len(self.job.items), item.id))

    async def _work_on(self, item: Item) -> None:
        assignment = Assignment(self.run.id, item.id, Budget(self.job.item_limits, parent=self.budget))
        with assigned(assignment), span("item"):
            decisions = await self._decide(item)
            await self._settle(item.id, decisions, assignment.calls)
        for decision in decisions:
            log.info("decided", extra={"run": self.run.id, "item": decision.item, "action": decision.action.value})

    async def _decide(self, item: Item) -> Sequence[Decision]:
        """Run the graph; what goes wrong with one item is that item's finding, what would hit all ends the run."""
        try:
            decisions = self.job.decide(item, await self._invoke(item, item.start()))
            return await settle_doubts(self.ledger, self.job, decisions, lambda state: self._again(item, state))
        except StudiumError:
            raise
        except Exception as error:
            log.exception("item failed", extra={"run": self.run.id, "item": item.id})
            return [refuse(item.id, _failure(error), review=True)]

    async def _again(self, item: Item, more: dict[str, Any]) -> Sequence[Decision]:
        return self.job.decide(item, await self._invoke(item, item.start() | more, thread=f"{item.id}:again"))

    async def _invoke(self, item: Item, state: dict[str, Any], thread: str | None = None) -> dict[str, Any]:
        config: dict[str, Any] = {"recursion_limit": 10_000}
        if not self.job.checkpointed:
            return dict(await self.job.graph.ainvoke(state, config))
        config["configurable"] = {"thread_id": f"{self.run.id}:{thread or item.id}"}
        begun = await self.job.graph.checkpointer.aget_tuple(config) is not None
        return dict(await self.job.graph.ainvoke(None if begun else state, config, durability="sync"))

    async def _settle(self, item: str, decisions: Sequence[Decision], calls: Sequence[Call]) -> None:
        """Settle an item with the next few: what was paid for is safe already, the rest is quickly made again."""
        self._waiting.append(Settlement(item, decisions, calls))
        self._decided += decisions
        self.settled += 1
        if len(self._waiting) >= _TOGETHER:
            await self._flush()

    async def _flush(self) -> None:
        together, self._waiting = self._waiting, []
        if together:
            await asyncio.to_thread(self.ledger.settle_many, self.run.id, together)


def _failure(error: Exception) -> Finding:
    message = redact(f"{type(error).__name__}: {error}")
    return Finding(code="item.failed", severity=Severity.ERROR, message=message)
