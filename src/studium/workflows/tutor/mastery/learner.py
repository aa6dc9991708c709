"""The student: her mastery of every topic, and what she did of late."""

from datetime import datetime

from pydantic import Field

from studium.core.domain.value import Value
from studium.workflows.tutor.levels import MasteryLevel
from studium.workflows.tutor.mastery.tracing import SUCCESSES, Mastery, Outcome

REMEMBERED = 30


class Event(Value):
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
    recent: tuple[Event, ...] = ()
    reached: tuple[str, ...] = ()

    def of(self, topic: str) -> Mastery:
        """Her mastery of a topic."""
        return self.mastery.get(topic, Mastery())

    def level(self, topic: str) -> MasteryLevel:
        """Her mastery of a topic in words."""
        return self.of(topic).mastery_level

    def after(self, topic: str, outcome: Outcome, now: datetime, error_type: str = "") -> "Learner":
        """The student once she has done this."""
        event = Event(topic=topic, outcome=outcome, at=now, error_type=error_type)
        return Learner(
            mastery={**self.mastery, topic: self.of(topic).after(outcome, now)},
            recent=(*self.recent, event)[-REMEMBERED:],
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

    def struggle(self, topic: str) -> tuple[Event, ...]:
        """What went wrong in a topic since something last went right in it."""
        events = [event for event in self.recent if event.topic == topic]
        last_success = max((place for place, event in enumerate(events) if event.outcome in SUCCESSES), default=-1)
        return tuple(events[last_success + 1 :])

    def has_open_error(self, topic: str) -> bool:
        """Whether her last mistake in a topic is not mended yet, so that the next good command counts as its fix."""
        return any(event.outcome is Outcome.ERROR for event in self.struggle(topic))
