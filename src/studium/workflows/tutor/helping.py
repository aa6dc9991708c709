"""How this student is best helped with this question: by what she knows of its topic, and how long she is stuck."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from studium.domain.lab import Diagnosis, Lab, Typed
from studium.workflows.tutor.levels import Intent
from studium.workflows.tutor.mastery.learner import Learner
from studium.workflows.tutor.mastery.topics import topic_of_error, topic_of_question
from studium.workflows.tutor.state import TutoringState
from studium.workflows.tutor.strategy import choose_strategy, hint_level, lab_hint


def helped(state: TutoringState, intent: Intent, diagnoses: Sequence[Diagnosis], lab: Lab | None) -> dict[str, Any]:
    """The topic, the student's level, the strategy, and the lab's own hint for the next goal."""
    learner = state.get("learner", Learner())
    topics = lab.topics if lab else ()
    trouble = intent == "troubleshooting" and diagnoses
    topic = (
        topic_of_error(diagnoses[-1].error_type) if trouble else topic_of_question(state["student_question"], topics)
    )
    level = hint_level(learner, topic)
    open_checks = state.get("open_checks", [])
    titles = {check.id: check.title for check in lab.checks} if lab else {}
    return {
        "topic": topic,
        "mastery_level": learner.level(topic),
        "tutoring_strategy": choose_strategy(learner, intent, topic),
        "hint_level": level,
        "hint": lab_hint(lab, open_checks[0], level) if lab and open_checks else "",
        "open_goals": [titles[check] for check in open_checks if check in titles],
    }


def foremost_of(diagnoses: Sequence[Diagnosis]) -> Diagnosis | None:
    """The latest mistake; a mere notice only if there is nothing worse."""
    worse = [each for each in diagnoses if each.metadata.get("severity") != "notice"]
    return next(reversed(worse or list(diagnoses)), None)


def way_to(diagnosis: Diagnosis, typed: Sequence[Typed]) -> list[str]:
    """The commands that lead to where a mistake was made; a mistake of the configuration is mended in global mode."""
    way = ["enable", "configure terminal"]
    if "command" not in diagnosis.metadata:
        return way
    at = max((place for place, each in enumerate(typed) if each.command == diagnosis.metadata["command"]), default=-1)
    if at < 0 or "(config" not in typed[at].prompt:
        return way[:1]
    # Those commands before it that changed the prompt and were not refused, since configuration was last entered.
    steps = [
        one.command
        for one, following in pairwise(typed[: at + 1])
        if "(config" in one.prompt and one.prompt != following.prompt and not one.output.strip()
    ]
    return [*way, *steps]
