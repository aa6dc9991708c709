"""What the question loop carries from step to step."""

from typing import Annotated, Any, TypedDict

from langgraph.graph.message import add_messages

from studium.core.domain.finding import Evidence, Finding, Severity
from studium.core.domain.value import Value
from studium.questions.domain import CorpusConfig, GenerationMode, QAPair, RejectedQA, RejectionReason, Scenario


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
    """One document on its way to its questions.

    `messages` tells the loop as a conversation: what the generator proposed, and what came of it.
    """

    document_path: str
    corpus_config: CorpusConfig | None
    scenario_name: str | None
    mode: GenerationMode
    target_count: int
    accepted_questions: list[QAPair]
    rejected_questions: list[RejectedQA]
    current_candidate: CurrentCandidate | None
    rejection: Rejection | None
    consecutive_failures: int
    previous_viewed_pages: list[int]
    messages: Annotated[list[Any], add_messages]
    exhausted: str | None
    findings: list[Finding]
    feedback: list[str]


# Whenever one of these changes, the state must be on disk before the next step.
MILESTONES = ("accepted_questions", "rejected_questions", "exhausted")

# The types of ours that a checkpoint of this state holds.
CHECKPOINTED = (
    CorpusConfig,
    Scenario,
    QAPair,
    RejectedQA,
    RejectionReason,
    CurrentCandidate,
    Rejection,
    Finding,
    Severity,
)
