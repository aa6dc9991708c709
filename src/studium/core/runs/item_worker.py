"""A shift: one process's work on the items of one run, wherever the process stands."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from studium.core.database import Database, ItemResult
from studium.core.database.reviews import ReviewRepository
from studium.core.domain.decision import Action, Decision, Review, ReviewStatus
from studium.core.domain.errors import BadInput, BadSettings, StudiumError
from studium.core.domain.finding import Finding, Severity
from studium.core.domain.ports import SharedLimits
from studium.core.domain.run import current_context, use_context
from studium.core.domain.usage import Budget, Limits
from studium.core.runs.run_spec import RunItem, RunSpec, reject_item
from studium.core.telemetry.redaction import redact
from studium.core.telemetry.tracing import span

Retry = Callable[[dict[str, Any]], Awaitable[Sequence[Decision]]]


async def apply_reviews(
    reviews: ReviewRepository, job: RunSpec, decisions: Sequence[Decision], again: Retry
) -> Sequence[Decision]:
    """Replace each doubt that was answered; a remark is given to the model, which tries once more."""
    settled: list[Decision] = []
    for decision in decisions:
        review = reviews.find_answer(job.feature, decision) if decision.action is Action.MANUAL_REVIEW else None
        if review is None:
            settled.append(decision)
        elif review.status is ReviewStatus.RESPONDED:
            tried = await again({"feedback": [review.comment or ""]})
            settled += [each for each in tried if each.item == decision.item] or [decision]
        else:
            settled.append(_as_answered(job, decision, review))
    return settled


def _as_answered(job: RunSpec, decision: Decision, review: Review) -> Decision:
    if review.status is ReviewStatus.REJECTED:
        reason = f"Rejected in review: {review.comment}" if review.comment else "Rejected in review."
        return decision.model_copy(update={"action": Action.SKIP, "reasons": (reason,)})
    proposal = review.answer if review.status is ReviewStatus.EDITED else decision.proposal
    accepted = job.accept(decision, proposal)
    return accepted.model_copy(update={"reasons": (f"{review.status.value.title()} in review.",)})


log = logging.getLogger(__name__)


class ItemWorker:
    """Works on items inside what the run may spend; `shared` is where several shifts on one run count together."""

    def __init__(
        self, database: Database, job: RunSpec, run: str, limits: Limits, shared: SharedLimits | None = None
    ) -> None:
        self.database, self.job, self.run, self.shared = database, job, run, shared
        spent = database.metrics.measure(run).spent
        # What an earlier part of this run has spent counts against its limits.
        self.budget = Budget(
            limits,
            calls=spent.calls - spent.cached,
            tokens=spent.input_tokens + spent.output_tokens,
            cost=spent.cost or 0.0,
        )

    async def run_item(self, item: RunItem) -> ItemResult:
        """Decide about one item, from where its checkpoint left it; what comes back is yet to be settled."""
        budget = Budget(self.job.item_limits, parent=self.budget)
        context = current_context().for_item(self.run, item.id, budget, self.shared)
        with use_context(context), span("item"):
            decisions = await self._decide(item)
        for decision in decisions:
            log.info("decided", extra={"run": self.run, "item": decision.item, "action": decision.action.value})
        return ItemResult(item.id, decisions, context.calls)

    async def _decide(self, item: RunItem) -> Sequence[Decision]:
        """Run the graph; what goes wrong with one item is that item's finding, what would hit all ends the run."""
        try:
            decisions = self.job.decide(item, await self._invoke(item, item.start()))
            return await apply_reviews(
                self.database.reviews, self.job, decisions, lambda state: self._again(item, state)
            )
        except StudiumError as error:
            if isinstance(error, BadSettings) or not isinstance(error, BadInput):
                raise
            return [reject_item(item.id, Finding(code="item.unusable", severity=Severity.ERROR, message=error.what))]
        except Exception as error:
            log.exception("item failed", extra={"run": self.run, "item": item.id})
            return [reject_item(item.id, _failure(error), review=True)]

    async def _again(self, item: RunItem, more: dict[str, Any]) -> Sequence[Decision]:
        return self.job.decide(item, await self._invoke(item, item.start() | more, thread=f"{item.id}:again"))

    async def _invoke(self, item: RunItem, state: dict[str, Any], thread: str | None = None) -> dict[str, Any]:
        config: dict[str, Any] = {"recursion_limit": 10_000}
        if not self.job.checkpointed:
            return dict(await self.job.graph.ainvoke(state, config))
        config["configurable"] = {"thread_id": f"{self.run}:{thread or item.id}"}
        begun = await self.job.graph.checkpointer.aget_tuple(config)
        if begun:
            self.job.resumed(begun.checkpoint["channel_values"])
        return dict(await self.job.graph.ainvoke(None if begun else state, config, durability="sync"))


def _failure(error: Exception) -> Finding:
    message = redact(f"{type(error).__name__}: {error}")
    return Finding(code="item.failed", severity=Severity.ERROR, message=message)
