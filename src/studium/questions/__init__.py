"""Questions: documents become validated question/answer sets."""

from studium.core.domain.errors import DocumentExhaustedError
from studium.questions.domain import (
    CorpusConfig,
    CorpusGenerationResult,
    GenerationResult,
    GenerationStats,
    QAPair,
    RejectedQA,
    RejectionReason,
    Scenario,
)

__all__ = [
    "CorpusConfig",
    "CorpusGenerationResult",
    "DocumentExhaustedError",
    "GenerationResult",
    "GenerationStats",
    "QAPair",
    "RejectedQA",
    "RejectionReason",
    "Scenario",
]
