"""What the question loop carries from step to step."""

from dataclasses import dataclass
from typing import TypedDict

from studium.domain.evidence import Evidence
from studium.domain.finding import Finding, Severity
from studium.domain.question import QAPair, RejectedQA, RejectionReason
from studium.domain.value import Value


@dataclass(frozen=True)
class QuestionPolicy:
    """When the loop ends, and who is named as generator and validator."""

    max_consecutive_failures: int = 5
    generator_model: str = "rules"
    validator_model: str = "rules"


class CurrentCandidate(Value):
    """The question in hand, with the evidence that was found for it."""

    question: str
    answer: str
    evidence: tuple[Evidence, ...]


class Rejection(Value):
    """Why the question in hand is refused."""

    reason: RejectionReason
    detail: str
    duplicate_of: str | None = None


class QuestionState(TypedDict, total=False):
    """One document on its way to its questions."""

    document_path: str
    target_count: int
    accepted_questions: list[QAPair]
    rejected_questions: list[RejectedQA]
    current_candidate: CurrentCandidate | None
    rejection: Rejection | None
    consecutive_failures: int
    exhausted: str | None
    findings: list[Finding]
    feedback: list[str]


# The types of ours that a checkpoint of this state holds.
CHECKPOINTED = (QAPair, RejectedQA, RejectionReason, CurrentCandidate, Rejection, Finding, Severity)
