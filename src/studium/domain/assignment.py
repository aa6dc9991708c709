"""The assignment: for which item of which run work is being done, and what it may spend.

It is ambient, as a trace context is: whoever answers a skill, writes a log line or opens a span reads it here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from studium.domain.budget import Budget
from studium.domain.usage import Call


@dataclass
class Assignment:
    """The item in hand. `calls` gathers what costs nothing (rules, cache) until the item is settled."""

    run: str = ""
    item: str = ""
    budget: Budget = field(default_factory=Budget)
    calls: list[Call] = field(default_factory=list)


_current: ContextVar[Assignment | None] = ContextVar("studium_assignment", default=None)


def current_assignment() -> Assignment:
    """The assignment in hand; outside a run an empty one without limits."""
    return _current.get() or Assignment()


@contextmanager
def assigned(assignment: Assignment) -> Iterator[Assignment]:
    """Do the work in this block for this assignment."""
    token = _current.set(assignment)
    try:
        yield assignment
    finally:
        _current.reset(token)
