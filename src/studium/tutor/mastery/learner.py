"""The student: her mastery of every topic, and what she did of late."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from pydantic import Field

from studium.core.domain.value import Value
from studium.tutor.domain import MasteryLevel

if TYPE_CHECKING:
    from fsrs import Scheduler


UNTAUGHT = 0.2
"""How likely it is that somebody who was never seen knows a topic."""
CERTAIN = 0.98
"""Nobody is ever quite sure, so that a later outcome can still change the picture."""
INTERMEDIATE, ADVANCED = 0.4, 0.8


class Outcome(StrEnum):
    """What a student did."""

    ERROR = "error"
    FIXED = "fixed"
    GOAL_REACHED = "goal_reached"
    QUIZ_RIGHT = "quiz_right"
    QUIZ_PARTLY = "quiz_partly"
    QUIZ_WRONG = "quiz_wrong"
    HINT_USED = "hint_used"


SUCCESSES = frozenset({Outcome.FIXED, Outcome.GOAL_REACHED, Outcome.QUIZ_RIGHT})
FAILURES = frozenset({Outcome.ERROR, Outcome.QUIZ_WRONG, Outcome.HINT_USED})


@dataclass(frozen=True)
class _Evidence:
    """How much an outcome tells: how often it comes by a slip or a guess, and what is learnt by it."""

    slip: float
    guess: float
    learnt: float = 0.0


_EVIDENCE = {
    Outcome.ERROR: _Evidence(slip=0.4, guess=0.3),  # even those who know mistype
    Outcome.HINT_USED: _Evidence(slip=0.45, guess=0.45),
    Outcome.QUIZ_WRONG: _Evidence(slip=0.15, guess=0.35),
    Outcome.FIXED: _Evidence(slip=0.2, guess=0.5, learnt=0.1),
    Outcome.QUIZ_RIGHT: _Evidence(slip=0.1, guess=0.35, learnt=0.1),
    Outcome.GOAL_REACHED: _Evidence(slip=0.1, guess=0.2, learnt=0.1),
}
_RATING = {  # FSRS: 1 again, 2 hard, 3 good; a hint is no attempt to remember
    Outcome.ERROR: 1,
    Outcome.QUIZ_WRONG: 1,
    Outcome.QUIZ_PARTLY: 2,
    Outcome.FIXED: 2,
    Outcome.QUIZ_RIGHT: 3,
    Outcome.GOAL_REACHED: 3,
}


class Mastery(Value):
    """How well a topic is known; `memory` is FSRS's card."""

    known: float = Field(default=UNTAUGHT, ge=0.0, le=1.0)
    outcomes: int = 0
    memory: dict[str, Any] | None = None

    @property
    def mastery_level(self) -> MasteryLevel:
        """The likelihood in words."""
        if self.known < INTERMEDIATE:
            return "novice"
        return "intermediate" if self.known < ADVANCED else "advanced"

    @property
    def due(self) -> datetime | None:
        """When to ask again; never asked, never due."""
        return datetime.fromisoformat(self.memory["due"]) if self.memory else None

    def after(self, outcome: Outcome, now: datetime) -> "Mastery":
        """The mastery once this has happened."""
        return Mastery(
            known=_updated(self.known, outcome),
            outcomes=self.outcomes + 1,
            memory=_reviewed(self.memory, outcome, now),
        )


def _updated(known: float, outcome: Outcome) -> float:
    evidence = _EVIDENCE.get(outcome)
    if evidence is None:
        return known
    if outcome in FAILURES:
        right, wrong = known * evidence.slip, (1 - known) * (1 - evidence.guess)
    else:
        right, wrong = known * (1 - evidence.slip), (1 - known) * evidence.guess
    posterior = right / (right + wrong)
    posterior += (1 - posterior) * evidence.learnt
    floor, ceiling = min(known, 1 - CERTAIN), max(known, CERTAIN)
    return min(max(posterior, floor), ceiling)


def _reviewed(memory: dict[str, Any] | None, outcome: Outcome, now: datetime) -> dict[str, Any] | None:
    if outcome not in _RATING:
        return memory
    from fsrs import Card, Rating

    now = now.astimezone(UTC)
    kept: Any = memory and {"card_id": 0, **memory}
    card = Card.from_dict(kept) if kept else Card(card_id=0, due=now)
    if card.last_review and card.last_review > now:  # a clock that was set back
        now = card.last_review
    card, _ = _scheduler().review_card(card, Rating(_RATING[outcome]), now)
    return {key: value for key, value in card.to_dict().items() if key != "card_id"}


def _scheduler() -> "Scheduler":
    from fsrs import Scheduler

    return Scheduler(enable_fuzzing=False)


MAX_RECENT_EVENTS = 30


class LearningEvent(Value):
    """Something a student did, and what it was about."""

    topic: str
    outcome: Outcome
    at: datetime
    error_type: str = ""


class Learner(Value):
    """What is known of a student; its JSON form is all there is to keep.

    `reached` are the goals (`lab/check`) that she has reached: a goal teaches once, however often it is looked at.
    """

    mastery: dict[str, Mastery] = Field(default_factory=dict)
    recent: tuple[LearningEvent, ...] = ()
    reached: tuple[str, ...] = ()

    def of(self, topic: str) -> Mastery:
        """Her mastery of a topic."""
        return self.mastery.get(topic, Mastery())

    def level(self, topic: str) -> MasteryLevel:
        """Her mastery of a topic in words."""
        return self.of(topic).mastery_level

    def after(self, topic: str, outcome: Outcome, now: datetime, error_type: str = "") -> "Learner":
        """The student once she has done this."""
        event = LearningEvent(topic=topic, outcome=outcome, at=now, error_type=error_type)
        return Learner(
            mastery={**self.mastery, topic: self.of(topic).after(outcome, now)},
            recent=(*self.recent, event)[-MAX_RECENT_EVENTS:],
            reached=self.reached,
        )

    def having_reached(self, goal: str, topic: str, now: datetime) -> "Learner":
        """The student once she has reached a goal; the same again teaches nothing."""
        if goal in self.reached:
            return self
        taught = self.after(topic, Outcome.GOAL_REACHED, now) if topic else self
        return taught.model_copy(update={"reached": (*self.reached, goal)})

    def beginning(self, lab: str) -> "Learner":
        """The student before a lab that she begins anew."""
        return self.model_copy(update={"reached": tuple(g for g in self.reached if not g.startswith(f"{lab}/"))})

    def due(self, now: datetime) -> list[str]:
        """The topics to ask about now, the longest overdue first."""
        dues = [(mastery.due, topic) for topic, mastery in self.mastery.items() if mastery.due]
        return [topic for due, topic in sorted(dues) if due <= now]

    def struggle(self, topic: str) -> tuple[LearningEvent, ...]:
        """What went wrong in a topic since something last went right in it."""
        events = [event for event in self.recent if event.topic == topic]
        last_success = max((place for place, event in enumerate(events) if event.outcome in SUCCESSES), default=-1)
        return tuple(events[last_success + 1 :])

    def has_open_error(self, topic: str) -> bool:
        """Whether her last mistake in a topic is not mended yet, so that the next good command counts as its fix."""
        return any(event.outcome is Outcome.ERROR for event in self.struggle(topic))
