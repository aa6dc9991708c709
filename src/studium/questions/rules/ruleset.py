"""The rules that answer the skills of questions without a model.

The generator asks about definitions, numbers, dates, names, lists and tables. The validator is a separate engine: it
sees only the question and answers it from the document. A question is accepted only if both agree.
"""

from collections.abc import Sequence

from studium.core.domain.ports import Similarity
from studium.core.domain.skill import Tool
from studium.core.llm.models import Rule
from studium.questions.rules.duplicate_detection.same_question import dedupe_rule
from studium.questions.rules.generation.generate import generate
from studium.questions.rules.validation.validate import validate
from studium.questions.skills import (
    DEDUPE,
    GENERATE,
    GENERATE_VISUAL,
    VALIDATE,
    VALIDATE_VISUAL,
    Exhausted,
    GenerateVisualInput,
    ValidateInput,
    ValidationResult,
)


def rules(similarity: Similarity | None = None) -> dict[str, Rule]:
    """The rule for each skill; `similarity` helps to recognise the same question in other words."""
    return {
        GENERATE.name: generate,
        GENERATE_VISUAL.name: _cannot_ask,
        DEDUPE.name: dedupe_rule(similarity),
        VALIDATE.name: validate,
        VALIDATE_VISUAL.name: _cannot_see,
    }


def _cannot_ask(_given: GenerateVisualInput, _tools: Sequence[Tool]) -> Exhausted:
    return Exhausted(
        reason="The rules cannot see pictures. Set `roles.questions.generator` and `roles.questions.validator` to"
        " two models with vision."
    )


def _cannot_see(_given: ValidateInput, _tools: Sequence[Tool]) -> ValidationResult:
    return ValidationResult(answerable=False, detail="The rules cannot see pictures.")
