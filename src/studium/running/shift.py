"""A shift: one process's work on the items of one run, wherever the process stands."""

import logging
from collections.abc import Sequence
from typing import Any

from studium.domain.assignment import current_context, use_context
from studium.domain.budget import Budget, Limits
from studium.domain.decision import Decision
from studium.domain.errors import BadInput, BadSettings, StudiumError
from studium.domain.finding import Finding, Severity
from studium.domain.ports import SharedLimits
from studium.observe.redact import redact
from studium.observe.tracing import span
from studium.running.doubt import settle_doubts
from studium.running.job import Item, Job, refuse
from studium.stores.ledger import Ledger, Settlement

log = logging.getLogger(__name__)


class Shift:
    """Works on items inside what the run may spend; `shared` is where several shifts on one run count together."""

    def __init__(self, ledger: Ledger, job: Job, run: str, limits: Limits, shared: SharedLimits | None = None) -> None:
        self.ledger, self.job, self.run, self.shared = ledger, job, run, shared
        spent = ledger.metrics.measure(run).spent
        # What an earlier part of this run has spent counts against its limits.
        self.budget = Budget(
            limits,
            calls=spent.calls - spent.cached,
            tokens=spent.input_tokens + spent.output_tokens,
            cost=spent.cost or 0.0,
        )

    async def work_on(self, item: Item) -> Settlement:
        """Decide about one item, from where its checkpoint left it; what comes back is yet to be settled."""
        budget = Budget(self.job.item_limits, parent=self.budget)
        context = current_context().for_item(self.run, item.id, budget, self.shared)
        with use_context(context), span("item"):
            decisions = await self._decide(item)
        for decision in decisions:
            log.info("decided", extra={"run": self.run, "item": decision.item, "action": decision.action.value})
        return Settlement(item.id, decisions, context.calls)

    async def _decide(self, item: Item) -> Sequence[Decision]:
        """Run the graph; what goes wrong with one item is that item's finding, what would hit all ends the run."""
        try:
            decisions = self.job.decide(item, await self._invoke(item, item.start()))
            return await settle_doubts(self.ledger.reviews, self.job, decisions, lambda state: self._again(item, state))
        except StudiumError as error:
            if isinstance(error, BadSettings) or not isinstance(error, BadInput):
                raise
            return [refuse(item.id, Finding(code="item.unusable", severity=Severity.ERROR, message=error.what))]
        except Exception as error:
            log.exception("item failed", extra={"run": self.run, "item": item.id})
            return [refuse(item.id, _failure(error), review=True)]

    async def _again(self, item: Item, more: dict[str, Any]) -> Sequence[Decision]:
        return self.job.decide(item, await self._invoke(item, item.start() | more, thread=f"{item.id}:again"))

    async def _invoke(self, item: Item, state: dict[str, Any], thread: str | None = None) -> dict[str, Any]:
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
