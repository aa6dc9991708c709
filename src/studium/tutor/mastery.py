"""What a student knows, topic by topic, and when to ask again."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pydantic import Field

from studium.core.domain.value import Value
from studium.tutor.domain import MasteryLevel

if TYPE_CHECKING:
    from fsrs import Scheduler


UNTAUGHT = 0.2
"""The prior probability that a student knows a topic."""
CERTAIN = 0.98
"""The upper limit, so that a later outcome can still change the estimate."""
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
    """The evidence of an outcome: probability of slip and guess, and how much is learnt."""

    slip: float
    guess: float
    learnt: float = 0.0


_EVIDENCE = {
    Outcome.ERROR: _Evidence(slip=0.4, guess=0.3),  # even those who know it mistype
    Outcome.HINT_USED: _Evidence(slip=0.45, guess=0.45),
    Outcome.QUIZ_WRONG: _Evidence(slip=0.15, guess=0.35),
    Outcome.FIXED: _Evidence(slip=0.2, guess=0.5, learnt=0.1),
    Outcome.QUIZ_RIGHT: _Evidence(slip=0.1, guess=0.35, learnt=0.1),
    Outcome.GOAL_REACHED: _Evidence(slip=0.1, guess=0.2, learnt=0.1),
}
_RATING = {  # FSRS: 1 again, 2 hard, 3 good; a hint is not an attempt to remember
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
        """The level for the probability."""
        if self.known < INTERMEDIATE:
            return "novice"
        return "intermediate" if self.known < ADVANCED else "advanced"

    @property
    def due(self) -> datetime | None:
        """When to ask again; never asked, never due."""
        return datetime.fromisoformat(self.memory["due"]) if self.memory else None

    def after(self, outcome: Outcome, now: datetime) -> "Mastery":
        """The mastery after an outcome."""
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
    """What is known about a student; stored as JSON.

    `reached` are the goals (`lab/check`) already reached: each counts once.
    """

    mastery: dict[str, Mastery] = Field(default_factory=dict)
    recent: tuple[LearningEvent, ...] = ()
    reached: tuple[str, ...] = ()

    def of(self, topic: str) -> Mastery:
        """The mastery of a topic."""
        return self.mastery.get(topic, Mastery())

    def level(self, topic: str) -> MasteryLevel:
        """The mastery level of a topic."""
        return self.of(topic).mastery_level

    def after(self, topic: str, outcome: Outcome, now: datetime, error_type: str = "") -> "Learner":
        """The student after an outcome."""
        event = LearningEvent(topic=topic, outcome=outcome, at=now, error_type=error_type)
        return Learner(
            mastery={**self.mastery, topic: self.of(topic).after(outcome, now)},
            recent=(*self.recent, event)[-MAX_RECENT_EVENTS:],
            reached=self.reached,
        )

    def with_goal_reached(self, goal: str, topic: str, now: datetime) -> "Learner":
        """The student after reaching a goal; a repeated goal changes nothing."""
        if goal in self.reached:
            return self
        taught = self.after(topic, Outcome.GOAL_REACHED, now) if topic else self
        return taught.model_copy(update={"reached": (*self.reached, goal)})

    def restart_lab(self, lab: str) -> "Learner":
        """The student before restarting a lab."""
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
        """Whether the last mistake in a topic is still open, so that the next good command fixes it."""
        return any(event.outcome is Outcome.ERROR for event in self.struggle(topic))


GENERAL = "cli"
"""The topic of everything without another one."""


@cache
def topics() -> tuple[str, ...]:
    """All topics."""
    return tuple(_table())


def topic_of_error(error_type: str) -> str:
    """The topic of an error, from the table or its name (`OSPF_AREA_MISMATCH`)."""
    listed = _by_error().get(error_type)
    named = error_type.lower().split("_")
    return listed or next((topic for topic in topics() if topic in named), GENERAL)


def topic_of_question(question: str, lab_topics: Sequence[str] = ()) -> str:
    """The topic a question mentions most; else the lab's first."""
    asked = question.lower()
    spoken = {topic: _weight(words, asked) for topic, words in _words().items()}
    best = max(spoken, key=lambda topic: (spoken[topic], topic in lab_topics))
    if spoken[best]:
        return best
    return lab_topics[0] if lab_topics else GENERAL


def _weight(words: re.Pattern[str], asked: str) -> int:
    """Longer words tell more: `default route` outweighs `route`, `subnet mask` outweighs `address`."""
    return sum(len(found[0]) for found in words.finditer(asked))


@cache
def _table() -> dict[str, dict[str, list[str]]]:
    table: dict[str, dict[str, list[str]]] = json.loads(
        files(__package__).joinpath("data", "tables", "topics.json").read_text("utf-8")
    )
    return table


@cache
def _by_error() -> dict[str, str]:
    return {error: topic for topic, entry in _table().items() for error in entry["errors"]}


@cache
def _words() -> dict[str, re.Pattern[str]]:
    return {topic: _any_of(entry["words"]) for topic, entry in _table().items()}


def _any_of(words: Sequence[str]) -> re.Pattern[str]:
    """Any of the words, the longest first; in the plural too, but not as the beginning of another word."""
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(longest_first)})(?:e?s)?(?![a-z])")
