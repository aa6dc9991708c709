"""Runs a job: so many items at a time, each settled once, resumable after any end."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from studium.domain.assignment import Assignment, assigned
from studium.domain.budget import Budget, Limits
from studium.domain.decision import Action, Decision
from studium.domain.errors import Interrupted, StudiumError
from studium.domain.finding import Finding, Severity
from studium.domain.usage import Call
from studium.observe.redact import redact
from studium.observe.tracing import span
from studium.running.doubt import settle_doubts
from studium.running.interruption import interruptible
from studium.running.job import Item, Job, Progress, Report
from studium.stores.ledger import Ledger, Run, RunStatus

log = logging.getLogger(__name__)


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
            status = "done" if report.finished else "interrupted"
        except asyncio.CancelledError:
            status = "interrupted"
            raise Interrupted(f"Run {run.id} was stopped at once.") from None
        finally:
            self.ledger.finish_run(run.id, status)
            log.info("run ended", extra={"run": run.id, "status": status})
        if not report.finished:
            raise Interrupted(f"Run {run.id} was stopped with {report.settled + report.resumed} items done.")
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

    async def work(self) -> Report:
        done = self.ledger.settled_items(self.run.id)
        for item, finding in self.job.unreadable:
            if item not in done:
                await self._settle(item, [_refused(item, finding)], [])
        queue = iter([item for item in self.job.items if item.id not in done])
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self.runner.concurrency):
                    group.create_task(self._take_items(queue))
        except ExceptionGroup as several:
            # Workers that hit the same wall raise alike; the first says what the user can do.
            raise several.exceptions[0] from several
        total = len(self.job.items) + len(self.job.unreadable)
        resumed = len(done & ({i.id for i in self.job.items} | {item for item, _ in self.job.unreadable}))
        decisions = self.ledger.decisions(self.run.id)
        return Report(
            run=self.run.id,
            settled=self.settled,
            resumed=resumed,
            waiting=sum(decision.action is Action.MANUAL_REVIEW for decision in decisions),
            finished=self.settled + resumed == total,
        )

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
            decisions = self.job.decide(item, await self._invoke(item, item.state))
            return await settle_doubts(self.ledger, self.job, decisions, lambda state: self._again(item, state))
        except StudiumError:
            raise
        except Exception as error:
            log.exception("item failed", extra={"run": self.run.id, "item": item.id})
            return [_refused(item.id, _failure(error), review=True)]

    async def _again(self, item: Item, more: dict[str, Any]) -> Sequence[Decision]:
        return self.job.decide(item, await self._invoke(item, item.state | more, thread=f"{item.id}:again"))

    async def _invoke(self, item: Item, state: dict[str, Any], thread: str | None = None) -> dict[str, Any]:
        config: dict[str, Any] = {"recursion_limit": 10_000}
        if not self.job.checkpointed:
            return dict(await self.job.graph.ainvoke(state, config))
        config["configurable"] = {"thread_id": f"{self.run.id}:{thread or item.id}"}
        begun = await self.job.graph.checkpointer.aget_tuple(config) is not None
        return dict(await self.job.graph.ainvoke(None if begun else state, config, durability="sync"))

    async def _settle(self, item: str, decisions: Sequence[Decision], calls: Sequence[Call]) -> None:
        await asyncio.to_thread(self.ledger.settle, self.run.id, item, decisions, calls)
        self.settled += 1


def _refused(item: str, finding: Finding, *, review: bool = False) -> Decision:
    action = Action.MANUAL_REVIEW if review else Action.SKIP
    return Decision(item=item, action=action, reasons=(finding.message,), findings=(finding,))


def _failure(error: Exception) -> Finding:
    message = redact(f"{type(error).__name__}: {error}")
    return Finding(code="item.failed", severity=Severity.ERROR, message=message)
