"""How to help: by what a student knows, what she asks, and how long she has been stuck."""

from collections import Counter
from collections.abc import Sequence

from studium.domain.lab import Lab
from studium.workflows.tutor.levels import HintLevel, Intent, MasteryLevel, Strategy
from studium.workflows.tutor.mastery.learner import Event, Learner
from studium.workflows.tutor.mastery.tracing import Outcome

REPEATED = 2
"""So many times the same mistake, and hints are of no use any more."""

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
    """How to answer a question about a topic: every further try without success leads one step nearer to the answer."""
    level, struggle = learner.level(topic), learner.struggle(topic)
    if _same_error_again(struggle):
        return "direct"
    if level == "advanced" and intent != "troubleshooting" and _has_just_succeeded(learner, topic):
        return "challenge"
    ladder = _LADDERS[intent][level]
    return ladder[min(_tries(struggle), len(ladder) - 1)]


def hint_level(learner: Learner, topic: str) -> HintLevel:
    """How much a hint may give away: more with every try since the last success."""
    return (1, 2, 3)[min(_tries(learner.struggle(topic)), 2)]


def lab_hint(lab: Lab, check: str, level: HintLevel) -> str:
    """The lab's hint for a check at a level, or the strongest below it; empty if the lab has none."""
    fitting = [hint for hint in lab.hints if hint.check == check and hint.level <= level]
    return max(fitting, key=lambda hint: hint.level).text if fitting else ""


def _tries(struggle: Sequence[Event]) -> int:
    """Each hint and each wrong answer is a step; the first error of a struggle is what it is about."""
    outcomes = Counter(event.outcome for event in struggle)
    return outcomes[Outcome.HINT_USED] + outcomes[Outcome.QUIZ_WRONG] + max(0, outcomes[Outcome.ERROR] - 1)


def _same_error_again(struggle: Sequence[Event]) -> bool:
    errors = [event.error_type for event in struggle if event.outcome is Outcome.ERROR]
    return bool(errors) and errors.count(errors[-1]) >= REPEATED


def _has_just_succeeded(learner: Learner, topic: str) -> bool:
    last = next((event for event in reversed(learner.recent) if event.topic == topic), None)
    return last is not None and last.outcome in _PROUD
