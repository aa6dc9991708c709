"""Runs the items of a run spec concurrently; each is saved once, and an interrupted run can be resumed."""

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from studium.core.database import Database, ItemResult, Run, RunStatus
from studium.core.database.reviews import ReviewRepository
from studium.core.domain.decision import Action, Decision, Plan, Review, ReviewStatus
from studium.core.domain.errors import BadInput, BadSettings, InternalFault, Interrupted, StudiumError
from studium.core.domain.finding import ITEM_FAULT, Finding, Severity
from studium.core.domain.ports import SharedLimits
from studium.core.domain.run import (
    RunItem,
    RunReport,
    RunSpec,
    current_context,
    emit_progress,
    reject_item,
    use_context,
)
from studium.core.domain.usage import Budget, Limits
from studium.core.redaction import redact
from studium.core.telemetry import span

Retry = Callable[[dict[str, Any]], Awaitable[Sequence[Decision]]]


async def apply_reviews(
    reviews: ReviewRepository, job: RunSpec, decisions: Sequence[Decision], again: Retry
) -> Sequence[Decision]:
    """Apply a person's answers to decisions under review; with a comment, the model retries once."""
    settled: list[Decision] = []
    for decision in decisions:
        review = reviews.find_answer(job.feature, decision) if decision.action is Action.MANUAL_REVIEW else None
        if review is None:
            settled.append(decision)
        elif review.status is ReviewStatus.RESPONDED:
            tried = await again({"feedback": [review.comment or ""]})
            settled += [each for each in tried if each.item == decision.item] or [decision]
        else:
            settled.append(_answered(job, decision, review))
    return settled


def _answered(job: RunSpec, decision: Decision, review: Review) -> Decision:
    if review.status is ReviewStatus.REJECTED:
        reason = f"Rejected in review: {review.comment}" if review.comment else "Rejected in review."
        return decision.model_copy(update={"action": Action.SKIP, "reasons": (reason,)})
    proposal = review.answer if review.status is ReviewStatus.EDITED else decision.proposal
    accepted = job.accept(decision, proposal)
    return accepted.model_copy(update={"reasons": (f"{review.status.value.title()} in review.",)})


class ItemWorker:
    """Runs items within the budget of a run; `shared` counts across the workers of a cluster."""

    def __init__(
        self, database: Database, job: RunSpec, run: str, limits: Limits, shared: SharedLimits | None = None
    ) -> None:
        self.database, self.job, self.run, self.shared = database, job, run, shared
        spent = database.metrics.measure(run).spent
        # What the run spent before it was resumed counts against its limits.
        self.budget = Budget(
            limits,
            calls=spent.calls - spent.cached,
            tokens=spent.input_tokens + spent.output_tokens,
            cost=spent.cost or 0.0,
        )

    async def run_item(self, item: RunItem) -> ItemResult:
        """Decide about one item, from its checkpoint if it has one; the result is not saved yet."""
        budget = Budget(self.job.item_limits, parent=self.budget)
        context = current_context().for_item(self.run, item.id, budget, self.shared)
        with use_context(context), span("item"):
            decisions = await self._decide(item)
        for decision in decisions:
            log.info("decided", extra={"run": self.run, "item": decision.item, "action": decision.action.value})
        return ItemResult(item.id, decisions, context.calls)

    async def _decide(self, item: RunItem) -> Sequence[Decision]:
        """Run the graph; an error of one item becomes its finding, one that would hit all items ends the run."""
        try:
            decisions = self.job.decide(item, await self._invoke(item, item.start()))
            return await apply_reviews(
                self.database.reviews, self.job, decisions, lambda state: self._retry(item, state)
            )
        except InternalFault as fault:
            return [reject_item(item.id, _fault_finding(fault.what), review=True)]
        except StudiumError as error:
            if isinstance(error, BadSettings) or not isinstance(error, BadInput):
                raise
            return [reject_item(item.id, Finding(code="item.unusable", severity=Severity.ERROR, message=error.what))]
        except Exception as error:
            log.exception("item failed", extra={"run": self.run, "item": item.id})
            return [reject_item(item.id, _fault_finding(f"{type(error).__name__}: {error}"), review=True)]

    async def _retry(self, item: RunItem, more: dict[str, Any]) -> Sequence[Decision]:
        return self.job.decide(item, await self._invoke(item, item.start() | more, thread=f"{item.id}:again"))

    async def _invoke(self, item: RunItem, state: dict[str, Any], thread: str | None = None) -> dict[str, Any]:
        # A loop over all candidates of a long document takes five steps for each.
        config: dict[str, Any] = {"recursion_limit": 100_000}
        if not self.job.checkpointed:
            return dict(await self.job.graph.ainvoke(state, config))
        config["configurable"] = {"thread_id": f"{self.run}:{thread or item.id}"}
        checkpoint = await self.job.graph.checkpointer.aget_tuple(config)
        if checkpoint:
            self.job.on_resume(checkpoint.checkpoint["channel_values"])
        return dict(await self.job.graph.ainvoke(None if checkpoint else state, config, durability="sync"))


def _fault_finding(message: str) -> Finding:
    return Finding(code=ITEM_FAULT, severity=Severity.ERROR, message=redact(message))


@contextmanager
def interruptible() -> Iterator[asyncio.Event]:
    """An event that the first Ctrl-C (or SIGTERM) sets; the second cancels the task in this block."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()

    def on_signal() -> None:
        if stop.is_set() and task is not None:
            task.cancel()
        stop.set()

    # Only the main thread can take signals; elsewhere (a server's worker) the run is stopped by its owner.
    taken = []
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(ValueError, RuntimeError, NotImplementedError):
            loop.add_signal_handler(number, on_signal)
            taken.append(number)
    try:
        yield stop
    finally:
        for number in taken:
            loop.remove_signal_handler(number)


log = logging.getLogger(__name__)
_BATCH_SIZE = 50


@dataclass(frozen=True)
class Runner:
    """Runs items, up to `concurrency` at once, within the run's limits."""

    database: Database
    concurrency: int = 8
    limits: Limits = field(default_factory=Limits)

    async def run(self, job: RunSpec, *, resume: bool = False) -> RunReport:
        """Start a run, or resume the unfinished one."""
        with open_run(self.database, job, resume=resume) as run, interruptible() as stop:
            return await _LocalRun(self, job, run, stop).work()


@contextmanager
def open_run(database: Database, job: RunSpec, *, resume: bool) -> Iterator[Run]:
    """A new or resumed run; how the block ends is how the run ends."""
    known = database.runs.unfinished(job.feature, job.arguments) if resume else None
    run = known or database.runs.start(job.feature, job.arguments, job.note)
    log.info("run started", extra={"run": run.id, "feature": job.feature, "items": len(job.items)})
    status: RunStatus = "failed"
    try:
        with span("run", run=run.id, feature=job.feature):
            yield run
        status = "done"
    except (Interrupted, asyncio.CancelledError) as cut:
        status = "interrupted"
        raise cut if isinstance(cut, Interrupted) else Interrupted(f"Run {run.id} was stopped immediately.") from None
    finally:
        database.runs.finish(run.id, status)
        log.info("run ended", extra={"run": run.id, "status": status})


class _LocalRun:
    """One run in this process."""

    def __init__(self, runner: Runner, job: RunSpec, run: Run, stop: asyncio.Event) -> None:
        self.runner, self.job, self.run, self.stop = runner, job, run, stop
        self.database = runner.database
        self.worker = ItemWorker(runner.database, job, run.id, runner.limits)
        self.settled = 0
        self._unsaved: list[ItemResult] = []
        self._decided: list[Decision] = []

    async def work(self) -> RunReport:
        done = self.database.items.finished(self.run.id)
        earlier = self.database.items.decisions(self.run.id) if done else []
        for item, decisions in self.job.already_decided:
            if item not in done:
                await self._save(ItemResult(item, decisions))
        try:
            await self._run_items([item for item in self.job.items if item.id not in done])
        finally:
            await self._flush()
        left = len(self.job.items) + len(self.job.already_decided) - self.settled - len(done)
        if left > 0:
            raise Interrupted(f"Run {self.run.id} was stopped with {self.settled + len(done)} items done, {left} left.")
        plan = Plan(run=self.run.id, feature=self.job.feature, decisions=(*earlier, *self._decided))
        return RunReport(plan, self.settled, len(done))

    async def _run_items(self, items: Sequence[RunItem]) -> None:
        queue = iter(items)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self.runner.concurrency):
                    group.create_task(self._take_items(queue))
        except ExceptionGroup as several:
            # Workers that fail for the same reason raise alike; the first error is enough.
            raise several.exceptions[0] from several

    async def _take_items(self, queue: Iterator[RunItem]) -> None:
        for item in queue:
            if self.stop.is_set():
                return
            await self._save(await self.worker.run_item(item))
            emit_progress(self.settled, len(self.job.items), item.id)

    async def _save(self, result: ItemResult) -> None:
        """Save results in batches: paid replies are cached already, the rest is quickly recomputed."""
        self._unsaved.append(result)
        self._decided += result.decisions
        self.settled += 1
        if len(self._unsaved) >= _BATCH_SIZE:
            await self._flush()

    async def _flush(self) -> None:
        batch, self._unsaved = self._unsaved, []
        if batch:
            await asyncio.to_thread(self.database.items.save_many, self.run.id, batch)
