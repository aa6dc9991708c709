"""A job: a graph, the items it is to be run on, and how its end state becomes decisions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from studium.core.domain.decision import Action, Decision, Plan
from studium.core.domain.finding import Finding
from studium.core.domain.usage import Limits


@dataclass(frozen=True)
class RunItem:
    """One thing to be worked on; `start` gives what its graph starts from, when its turn comes and no sooner."""

    id: str
    start: Callable[[], dict[str, Any]]


def accept_as_new(decision: Decision, proposal: dict[str, Any] | None) -> Decision:
    """Publish what was proposed, or what a person wrote in its place."""
    return decision.model_copy(update={"action": Action.CREATE, "proposal": proposal})


def reject_item(item: str, *findings: Finding, review: bool = False) -> Decision:
    """Leave an item alone because of what was found; or ask a person about it."""
    action = Action.MANUAL_REVIEW if review else Action.SKIP
    return Decision(item=item, action=action, reasons=tuple(f.message for f in findings), findings=findings)


@dataclass(frozen=True)
class RunSpec:
    """What one run does. Two jobs with the same feature and arguments are the same job, so one can be resumed.

    `note` says in a few words what it is about; `decided` are items that need no graph; `accept` makes a decision of a
    doubt that a person approved, or corrected; `resumed` hears the state from which an item is gone on with.
    """

    feature: str
    arguments: dict[str, Any]
    note: str
    graph: Any
    items: Sequence[RunItem]
    decide: Callable[[RunItem, dict[str, Any]], Sequence[Decision]]
    item_limits: Limits = field(default_factory=Limits)
    decided: Sequence[tuple[str, Sequence[Decision]]] = ()
    accept: Callable[[Decision, dict[str, Any] | None], Decision] = accept_as_new
    checkpointed: bool = False
    resumed: Callable[[dict[str, Any]], None] = lambda _: None


@dataclass(frozen=True)
class RunReport:
    """What a run came to: `resumed` items had been settled before."""

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
