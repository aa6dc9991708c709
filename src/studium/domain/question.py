"""Questions: a question, its answer, and the span of the document that proves it."""

from enum import StrEnum

from studium.domain.evidence import Evidence
from studium.domain.value import Value


class GenerationMetadata(Value):
    """Who made a pair and who checked it."""

    generator_model: str
    validator_model: str
    attempt_number: int


class QAPair(Value):
    """A question with its ground truth, and the spans of the document that prove it."""

    question: str
    answer: str
    source_document: str
    content_refs: tuple[Evidence, ...]
    generation_metadata: GenerationMetadata


class RejectionReason(StrEnum):
    """Why a candidate was not accepted."""

    VALIDATION_FAILED = "validation_failed"
    DUPLICATE = "duplicate"
    UNANSWERABLE = "unanswerable"
    WRONG_ANSWER = "wrong_answer"
    AMBIGUOUS = "ambiguous"
    TRIVIAL = "trivial"


class RejectedQA(Value):
    """A candidate that was not accepted, and why."""

    question: str
    answer: str
    rejection_reason: RejectionReason
    rejection_detail: str
    duplicate_of: str | None = None


class GenerationStats(Value):
    """What one run over one document came to."""

    document_path: str
    target_count: int
    accepted_count: int
    rejected_count: int
    total_attempts: int
    validation_pass_rate: float
    dedup_rejection_rate: float
    exhausted: bool
    rejection_reasons: dict[str, int]


class GenerationResult(Value):
    """All that one run over one document produced."""

    accepted: tuple[QAPair, ...]
    rejected: tuple[RejectedQA, ...]
    stats: GenerationStats
