"""The state of the tutor's graph."""

from typing import Any, TypedDict

from studium.core.domain.value import Value
from studium.tutor.domain import Diagnosis, HintLevel, Intent, MasteryLevel, Strategy
from studium.tutor.mastery import Learner


class Citation(Value):
    """A passage that an answer rests on."""

    number: int
    source: str
    heading: str = ""
    quote: str = ""


class Proof(Value):
    """The result of trying a fix on a copy of the lab."""

    device: str
    commands: tuple[str, ...]
    proved: bool
    told: str


class CitedAnswer(TypedDict):
    """An answer with its passages and the fixes that were tried, both as JSON."""

    response: str
    citations: list[dict[str, Any]]
    proofs: list[dict[str, Any]]


class TutorAnswer(CitedAnswer):
    """An answer with how it was chosen and the mistakes (as JSON) that it is about."""

    intent: Intent
    strategy: Strategy
    mastery_level: MasteryLevel
    topic: str
    diagnoses: list[dict[str, Any]]


class TutoringState(TypedDict, total=False):
    """The state of answering one question.

    `learner` is what is known of the student; the level, the strategy and the hint follow from it.
    `cli_history` holds the last commands (`command`, `output`, `prompt`, `device`); `cli_diagnoses` what is wrong with
    them, found when they came in.
    """

    student_question: str
    cli_history: list[dict[str, Any]]
    cli_diagnoses: list[Diagnosis]
    conversation_history: list[dict[str, str]]
    current_lab: str
    lab_title: str
    lab_goal: str
    lab_instructions: str
    open_checks: list[str]
    open_goals: list[str]
    learner: Learner
    intent: Intent
    tutoring_strategy: Strategy
    mastery_level: MasteryLevel
    topic: str
    hint_level: HintLevel
    hint: str
    reasoning_mode: bool
    retrieved_docs: list[str]
    citations: list[Citation]
    device_facts: list[str]
    proofs: list[Proof]
    feedback_message: str
    findings: list[str]
