"""The assignment: for which item of which run work is being done, and what it may spend.

It is ambient, as a trace context is: whoever answers a skill, writes a log line or opens a span reads it here.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from studium.domain.budget import Budget, Limits
from studium.domain.ports import SharedLimits
from studium.domain.usage import Call


@dataclass
class RunContext:
    """The item in hand. `calls` gathers what costs nothing (rules, cache) until the item is settled.

    `shared` is where the workers on one run count together; a run in one process counts in its budget alone.
    """

    run: str = ""
    item: str = ""
    budget: Budget = field(default_factory=Budget)
    calls: list[Call] = field(default_factory=list)
    shared: SharedLimits | None = None

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


_current: ContextVar[RunContext | None] = ContextVar("studium_assignment", default=None)


def current_context() -> RunContext:
    """The assignment in hand; outside a run an empty one without limits."""
    return _current.get() or RunContext()


@contextmanager
def use_context(context: RunContext) -> Iterator[RunContext]:
    """Do the work in this block for this assignment."""
    token = _current.set(context)
    try:
        yield context
    finally:
        _current.reset(token)
