"""Runs, and the context in which their items are processed."""

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
