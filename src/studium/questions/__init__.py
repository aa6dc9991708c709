"""Questions: documents become validated question/answer sets."""

from typing import TYPE_CHECKING

from studium.core.features import lazy_names

if TYPE_CHECKING:
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
__getattr__ = lazy_names(
    __name__,
    dict.fromkeys(__all__, "studium.questions.domain") | {"DocumentExhaustedError": "studium.core.domain.errors"},
)
