"""Small material for the database's tests."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from studium.core.domain.decision import Action, Decision
from studium.core.domain.finding import Evidence, Finding, Locator, Severity
from studium.core.domain.usage import Call, CallOutcome

CARD_SCHEMA = {
    "type": "object",
    "properties": {
        "front": {"type": "string", "minLength": 3},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["front"],
}
OSPF = Locator(path="notes/ospf.md", line=12, end_line=14)


def ticking_clock() -> Callable[[], datetime]:
    """A clock that advances a second whenever it is read."""
    now = datetime(2026, 11, 3, 14, 25, 29, tzinfo=UTC)

    def tick() -> datetime:
        nonlocal now
        now += timedelta(seconds=1)
        return now

    return tick


def finding(code: str = "cloze.leak", message: str = "The answer stands in the question.") -> Finding:
    return Finding(code=code, severity=Severity.WARNING, message=message, where=OSPF)


def card(item: str = "ospf.md#1", action: Action = Action.CREATE, **changes: Any) -> Decision:
    given = {
        "reasons": ("It asks one thing.",),
        "evidence": (Evidence(passage="p1", quote="OSPF floods link states.", where=OSPF),),
        "proposal": {"front": "What does OSPF flood?", "back": "Link states."},
        "proposal_schema": CARD_SCHEMA,
        "score": 0.75,
    }
    return Decision(item=item, action=action, **(given | changes))


def doubt(item: str = "ospf.md#1", **changes: Any) -> Decision:
    return card(item, Action.MANUAL_REVIEW, **({"findings": (finding(),)} | changes))


def call(**changes: Any) -> Call:
    given: dict[str, Any] = {"skill": "cards.map", "role": "cards.mapper", "model": "rules", "seconds": 0.25}
    return Call(**({"outcome": CallOutcome.ANSWERED, "cost": 0.0} | given | changes))
