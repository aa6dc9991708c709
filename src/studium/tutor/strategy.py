"""Choose how to help, by mastery, question and how long the student has been stuck."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from studium.tutor.domain import Diagnosis, HintLevel, Intent, Lab, MasteryLevel, Strategy, TypedCommand
from studium.tutor.mastery import Learner, LearningEvent, Outcome, topic_of_error, topic_of_question
from studium.tutor.state import TutoringState

REPEATED = 2
"""After this many repeats of a mistake, hints no longer help."""

_WITH_TROUBLE: dict[MasteryLevel, tuple[Strategy, ...]] = {
    "novice": ("direct",),
    "intermediate": ("hint", "hint", "direct"),
    "advanced": ("socratic", "hint", "direct"),
}
_WITH_CONCEPTS: dict[MasteryLevel, tuple[Strategy, ...]] = {
    "novice": ("direct",),
    "intermediate": ("socratic", "hint", "direct"),
    "advanced": ("direct",),
}
_WITHOUT_QUESTION: dict[MasteryLevel, tuple[Strategy, ...]] = {
    "novice": ("direct",),
    "intermediate": ("hint", "hint", "direct"),
    "advanced": ("hint", "direct"),
}
_LADDERS = {"troubleshooting": _WITH_TROUBLE, "teaching": _WITH_CONCEPTS, "ambiguous": _WITHOUT_QUESTION}
_PROUD = frozenset({Outcome.GOAL_REACHED, Outcome.QUIZ_RIGHT})


def choose_strategy(learner: Learner, intent: Intent, topic: str) -> Strategy:
    """Choose the strategy for a topic; each failed try leads one step closer to the answer."""
    level, struggle = learner.level(topic), learner.struggle(topic)
    if _same_error_again(struggle):
        return "direct"
    if level == "advanced" and intent != "troubleshooting" and _has_just_succeeded(learner, topic):
        return "challenge"
    ladder = _LADDERS[intent][level]
    return ladder[min(_tries(struggle), len(ladder) - 1)]


def hint_level(learner: Learner, topic: str) -> HintLevel:
    """The hint level: higher with every try since the last success."""
    return (1, 2, 3)[min(_tries(learner.struggle(topic)), 2)]


def lab_hint(lab: Lab, check: str, level: HintLevel) -> str:
    """The lab's hint for a check at a level, or the strongest below it; empty if the lab has none."""
    fitting = [hint for hint in lab.hints if hint.check == check and hint.level <= level]
    return max(fitting, key=lambda hint: hint.level).text if fitting else ""


def _tries(struggle: Sequence[LearningEvent]) -> int:
    """The number of tries: hints, wrong answers, and errors after the first."""
    outcomes = Counter(event.outcome for event in struggle)
    return outcomes[Outcome.HINT_USED] + outcomes[Outcome.QUIZ_WRONG] + max(0, outcomes[Outcome.ERROR] - 1)


def _same_error_again(struggle: Sequence[LearningEvent]) -> bool:
    errors = [event.error_type for event in struggle if event.outcome is Outcome.ERROR]
    return bool(errors) and errors.count(errors[-1]) >= REPEATED


def _has_just_succeeded(learner: Learner, topic: str) -> bool:
    last = next((event for event in reversed(learner.recent) if event.topic == topic), None)
    return last is not None and last.outcome in _PROUD


def plan_help(state: TutoringState, intent: Intent, diagnoses: Sequence[Diagnosis], lab: Lab | None) -> TutoringState:
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


def most_serious(diagnoses: Sequence[Diagnosis]) -> Diagnosis | None:
    """The latest mistake; a notice only if there is nothing worse."""
    worse = [each for each in diagnoses if each.metadata.get("severity") != "notice"]
    return next(reversed(worse or list(diagnoses)), None)


def commands_to_mode(diagnosis: Diagnosis, typed: Sequence[TypedCommand]) -> list[str]:
    """The commands that lead to the mode of a mistake; silent mistakes are fixed in global mode."""
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
