"""A job: a graph, the items it is to be run on, and how its end state becomes decisions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from studium.domain.budget import Limits
from studium.domain.decision import Decision
from studium.domain.finding import Finding


@dataclass(frozen=True)
class Item:
    """One thing to be worked on; `state` is what its graph starts from."""

    id: str
    state: dict[str, Any]


@dataclass(frozen=True)
class Job:
    """What one run does. Two jobs with the same faculty and arguments are the same job, so one can be resumed.

    `unreadable` are the items that could not even be begun, with the finding that says why.
    """

    faculty: str
    arguments: dict[str, Any]
    graph: Any
    items: Sequence[Item]
    decide: Callable[[Item, dict[str, Any]], Sequence[Decision]]
    item_limits: Limits = field(default_factory=Limits)
    unreadable: Sequence[tuple[str, Finding]] = ()
    checkpointed: bool = False


@dataclass(frozen=True)
class Progress:
    """How far a run has come."""

    done: int
    total: int
    item: str


@dataclass(frozen=True)
class Report:
    """What a run came to: `resumed` items had been settled before, `waiting` ones wait for a person."""

    run: str
    settled: int
    resumed: int
    waiting: int
    finished: bool
