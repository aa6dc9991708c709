"""Runs: what one does, the context in which its items are processed, and its report."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from studium.core.domain.decision import Action, Decision, Plan
from studium.core.domain.finding import Finding
from studium.core.domain.ports import SharedLimits
from studium.core.domain.usage import Budget, Call, Limits
from studium.core.domain.value import Value

RunStatus = Literal["done", "interrupted", "failed"]
"""How a run ended; all but `done` can be resumed."""


class Run(Value):
    """One run of a feature: its arguments and its status."""

    id: str
    feature: str
    arguments: dict[str, Any]
    status: RunStatus | Literal["running"] = "running"
    started_at: datetime
    finished_at: datetime | None = None
    note: str | None = None


EventListener = Callable[[str, dict[str, Any]], None]
TextListener = Callable[[str], None]


@dataclass
class RunContext:
    """The context of the current item; `calls` collects free calls (rules, cache) until the item is saved.

    `shared` counts across the workers of a cluster run. `on_event` gets progress and events, from any thread; `on_text`
    gets a text answer piece by piece, and answers are streamed only where it is set.
    """

    run: str = ""
    item: str = ""
    budget: Budget = field(default_factory=Budget)
    calls: list[Call] = field(default_factory=list)
    shared: SharedLimits | None = None
    on_event: EventListener | None = None
    on_text: TextListener | None = None

    def for_item(self, run: str, item: str, budget: Budget, shared: SharedLimits | None = None) -> "RunContext":
        """The context of one item: a budget and calls of its own, the same listeners."""
        return replace(self, run=run, item=item, budget=budget, calls=[], shared=shared)

    async def reserve(self, *, tokens: int, cost: float) -> str | None:
        """Reserve one call, here and with the other workers; or return the limit that it would exceed."""
        refusal = self.budget.reserve(tokens=tokens, cost=cost)
        if refusal is None and self.shared and self._run_is_limited:
            reserve = self.shared.reserve
            refusal = await asyncio.to_thread(reserve, self.run, self.budget.run.limits, tokens=tokens, cost=cost)
            if refusal:
                self.budget.release(tokens=tokens, cost=cost)
        return refusal

    async def settle(self, *, reserved_tokens: int, reserved_cost: float, tokens: int, cost: float) -> None:
        """Replace a call's reservation by what it really cost."""
        self.budget.settle(reserved_tokens=reserved_tokens, reserved_cost=reserved_cost, tokens=tokens, cost=cost)
        if self.shared and self._run_is_limited:
            more_tokens, more_cost = tokens - reserved_tokens, cost - reserved_cost
            await asyncio.to_thread(self.shared.settle, self.run, tokens=more_tokens, cost=more_cost)

    @property
    def _run_is_limited(self) -> bool:
        return self.budget.run.limits != Limits()


_context: ContextVar[RunContext | None] = ContextVar("studium_run_context", default=None)


def current_context() -> RunContext:
    """The current context; outside a run, an empty one without limits."""
    return _context.get() or RunContext()


@contextmanager
def use_context(context: RunContext) -> Iterator[RunContext]:
    """Use this context in this block."""
    token = _context.set(context)
    try:
        yield context
    finally:
        _context.reset(token)


def emit(kind: str, **data: Any) -> None:
    """Send an event to the listener, if there is one."""
    listener = current_context().on_event
    if listener:
        listener(kind, data)


def emit_progress(done: int, total: int, item: str) -> None:
    """Send a progress event."""
    emit("progress", done=done, total=total, item=item)


@contextmanager
def without_progress() -> Iterator[None]:
    """Suppress progress events in this block, which is part of larger work; other events pass."""
    context = current_context()
    listener = context.on_event

    def hear(kind: str, data: dict[str, Any]) -> None:
        if listener and kind != "progress":
            listener(kind, data)

    with use_context(replace(context, on_event=hear)):
        yield


def emit_text(text: str) -> None:
    """Send the next piece of a text answer to the listener, if there is one."""
    listener = current_context().on_text
    if listener and text:
        listener(text)


@dataclass(frozen=True)
class RunItem:
    """One item of a run; `start` builds its initial graph state, only when it is needed."""

    id: str
    start: Callable[[], dict[str, Any]]


def accept_as_new(decision: Decision, proposal: dict[str, Any] | None) -> Decision:
    """Accept a proposal, or a person's version of it."""
    return decision.model_copy(update={"action": Action.CREATE, "proposal": proposal})


def reject_item(item: str, *findings: Finding, review: bool = False) -> Decision:
    """Skip an item because of findings, or send it to review."""
    action = Action.MANUAL_REVIEW if review else Action.SKIP
    return Decision(item=item, action=action, reasons=tuple(f.message for f in findings), findings=findings)


@dataclass(frozen=True)
class RunSpec:
    """What one run does. Specs with the same feature and arguments are the same, so a run can be resumed.

    `note` describes it in a few words; `already_decided` are items that need no graph; `accept` makes a decision of a
    proposal that a person approved or edited; `on_resume` gets the state that an item resumes from. `decide` and
    `on_resume` get the state of the feature's own graph.
    """

    feature: str
    arguments: dict[str, Any]
    note: str
    graph: Any
    items: Sequence[RunItem]
    decide: Callable[[RunItem, Any], Sequence[Decision]]
    item_limits: Limits = field(default_factory=Limits)
    already_decided: Sequence[tuple[str, Sequence[Decision]]] = ()
    accept: Callable[[Decision, dict[str, Any] | None], Decision] = accept_as_new
    checkpointed: bool = False
    on_resume: Callable[[Any], None] = lambda _: None


@dataclass(frozen=True)
class RunReport:
    """The result of a run; `resumed` items were finished before."""

    plan: Plan
    settled: int
    resumed: int

    @property
    def run(self) -> str:
        """The run's id."""
        return self.plan.run

    @property
    def waiting(self) -> int:
        """How many decisions wait for a person."""
        return self.plan.counts[Action.MANUAL_REVIEW]
