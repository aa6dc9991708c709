"""Questions: a question, its answer, and the span of the document that proves it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from pydantic import Field

from studium.core.domain.finding import Evidence
from studium.core.domain.value import Value

GenerationMode = Literal["textual", "visual"]


class Scenario(Value):
    """What the questions are for: whom they test, and in which style."""

    name: str = Field(min_length=1)
    description: str = Field(min_length=1)


class CorpusConfig(Value):
    """What a corpus is, and the scenarios that questions about it can be made for; `corpus.yaml` holds it."""

    name: str = Field(min_length=1)
    corpus_context: str = Field(min_length=1)
    scenarios: Mapping[str, Scenario] = Field(min_length=1)


class GenerationMetadata(Value):
    """Who made a pair and who checked it."""

    generator_model: str
    validator_model: str
    attempt_number: int


class QAPair(Value):
    """A question with its ground truth, and the spans of the document that prove it.

    A visual pair refers to the figures and tables it asks about: the quote is the caption, the place is the page.
    """

    question: str
    answer: str
    source_document: str
    category: GenerationMode = "textual"
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
    """What one run over one document came to; `coverage` is the share of the document's parts that were asked about."""

    document_path: str
    mode: GenerationMode = "textual"
    target_count: int
    accepted_count: int
    rejected_count: int
    total_attempts: int
    validation_pass_rate: float
    dedup_rejection_rate: float
    exhausted: bool
    rejection_reasons: dict[str, int]
    coverage: float = 0.0


class GenerationResult(Value):
    """All that one run over one document produced."""

    accepted: tuple[QAPair, ...]
    rejected: tuple[RejectedQA, ...]
    stats: GenerationStats


class CorpusGenerationResult(Value):
    """The accepted questions of a whole corpus: what an evaluation needs, and no more."""

    corpus_name: str
    corpus_path: str
    scenario: str
    mode: GenerationMode
    questions: tuple[QAPair, ...]
    timestamp: str


@dataclass(frozen=True)
class GenerationPolicy:
    """When the loop ends, who generates and who validates, and with how many questions a new one is compared."""

    max_consecutive_failures: int = 5
    generator_model: str = "rules"
    validator_model: str = "rules"
    compared: int = 12
