"""Runs: one piece of work of a feature, from its start to its end."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from studium.core.domain.ports import SharedLimits
from studium.core.domain.usage import Budget, Call, Limits
from studium.core.domain.value import Value

RunStatus = Literal["done", "interrupted", "failed"]
"""How a run ended; only one that is done has nothing left to resume."""


class Run(Value):
    """One run of a feature: what it was asked to do, and how it went."""

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
    """The item in hand. `calls` gathers what costs nothing (rules, cache) until the item is settled.

    `shared` is where the workers on one run count together; a run in one process counts in its budget alone.
    `on_event` hears how far the work is and what happens in it, from whichever thread does it; `on_text` hears an
    answer in plain words as it is written, and only where it is set are answers streamed.
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
        """Set one call aside, here and with the other workers; or say which limit it would pass."""
        refusal = self.budget.reserve(tokens=tokens, cost=cost)
        if refusal is None and self.shared and self._run_is_limited:
            reserve = self.shared.reserve_call
            refusal = await asyncio.to_thread(reserve, self.run, self.budget.run.limits, tokens=tokens, cost=cost)
            if refusal:
                self.budget.release(tokens=tokens, cost=cost)
        return refusal

    async def settle(self, *, reserved_tokens: int, reserved_cost: float, tokens: int, cost: float) -> None:
        """Replace what was set aside for a call by what it really took."""
        self.budget.settle(reserved_tokens=reserved_tokens, reserved_cost=reserved_cost, tokens=tokens, cost=cost)
        if self.shared and self._run_is_limited:
            more_tokens, more_cost = tokens - reserved_tokens, cost - reserved_cost
            await asyncio.to_thread(self.shared.settle_call, self.run, tokens=more_tokens, cost=more_cost)

    @property
    def _run_is_limited(self) -> bool:
        return self.budget.run.limits != Limits()


_context: ContextVar[RunContext | None] = ContextVar("studium_run_context", default=None)


def current_context() -> RunContext:
    """The context in hand; outside a run an empty one without limits."""
    return _context.get() or RunContext()


@contextmanager
def use_context(context: RunContext) -> Iterator[RunContext]:
    """Do the work in this block in this context."""
    token = _context.set(context)
    try:
        yield context
    finally:
        _context.reset(token)


def emit(kind: str, **data: Any) -> None:
    """Let whoever follows the work hear what happens in it."""
    listener = current_context().on_event
    if listener:
        listener(kind, data)


def emit_progress(done: int, total: int, item: str) -> None:
    """Let whoever follows the work hear how far it is."""
    emit("progress", done=done, total=total, item=item)


@contextmanager
def without_progress() -> Iterator[None]:
    """In this block, nobody hears how far the work is: it is a part of something larger; other events are heard."""
    context = current_context()
    listener = context.on_event

    def hear(kind: str, data: dict[str, Any]) -> None:
        if listener and kind != "progress":
            listener(kind, data)

    with use_context(replace(context, on_event=hear)):
        yield


def emit_text(text: str) -> None:
    """Let whoever reads an answer while it is written have the next piece."""
    listener = current_context().on_text
    if listener and text:
        listener(text)
