"""A run spec: a graph, the items to run it on, and how its final state becomes decisions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from studium.core.domain.decision import Action, Decision, Plan
from studium.core.domain.finding import Finding
from studium.core.domain.usage import Limits


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
