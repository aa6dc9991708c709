"""The state of the question loop."""

from typing import Annotated, Any, TypedDict

from langgraph.graph.message import add_messages

from studium.core.domain.finding import Evidence, Finding, Severity
from studium.core.domain.value import Value
from studium.questions.domain import CorpusConfig, GenerationMode, QAPair, RejectedQA, RejectionReason, Scenario
from studium.questions.kinds import QuestionKind, QuestionOptions


class CurrentCandidate(Value):
    """The candidate being checked, with the evidence found for it.

    `asks` and `expected` are the question and its answer in open form, where they differ from the candidate's own.
    """

    question: str
    answer: str
    evidence: tuple[Evidence, ...]
    kind: QuestionKind = "open"
    choices: tuple[str, ...] = ()
    asks: str = ""
    expected: str = ""

    @property
    def open_question(self) -> str:
        """What the validator and the deduplicator see."""
        return self.asks or self.question

    @property
    def open_answer(self) -> str:
        """What the validator's answer is compared with."""
        return self.expected or self.answer


class Rejection(Value):
    """Why the current candidate is rejected."""

    reason: RejectionReason
    detail: str
    duplicate_of: str | None = None


class QuestionState(TypedDict, total=False):
    """The state of one document.

    It ends `exhausted`, with the reason, `limited` if that is the limit of failures, or because the total of the run
    is reached. With a `focus`, questions are wanted about these lines; without, about the longest part without one.
    `messages` shows the loop as a conversation: what the generator proposed, and whether it was accepted.
    `spent_kinds` are the kinds of questions of which the generator has no further one.
    """

    document_path: str
    corpus_config: CorpusConfig | None
    scenario_name: str | None
    mode: GenerationMode
    target_count: int
    options: QuestionOptions
    spent_kinds: list[QuestionKind]
    accepted_questions: list[QAPair]
    rejected_questions: list[RejectedQA]
    current_candidate: CurrentCandidate | None
    rejection: Rejection | None
    consecutive_failures: int
    previous_viewed_pages: list[int]
    messages: Annotated[list[Any], add_messages]
    exhausted: str | None
    limited: bool
    total_reached: bool
    focus: tuple[int, int]
    findings: list[Finding]
    feedback: list[str]


# When one of these changes, the state is written to disk before the next step.
MILESTONES = ("accepted_questions", "rejected_questions", "exhausted")

# Our types that a checkpoint of this state contains.
CHECKPOINTED = (
    CorpusConfig,
    Scenario,
    QuestionOptions,
    QAPair,
    RejectedQA,
    RejectionReason,
    CurrentCandidate,
    Rejection,
    Finding,
    Severity,
)
