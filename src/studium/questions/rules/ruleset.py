"""The question loop without a model: two engines that know nothing of each other, and a comparison of questions.

The generator reads definitions, numbers, dates, names, lists and tables and asks about them; the validator sees only
the question, looks for what answers it, and takes the answer from there. What they do not agree on is not accepted.
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
    """The rules of this feature; `similarity` helps to see that two questions ask the same in other words."""
    return {
        GENERATE.name: generate,
        GENERATE_VISUAL.name: _cannot_ask,
        DEDUPE.name: dedupe_rule(similarity),
        VALIDATE.name: validate,
        VALIDATE_VISUAL.name: _cannot_see,
    }


def _cannot_ask(_given: GenerateVisualInput, _tools: Sequence[Tool]) -> Exhausted:
    return Exhausted(
        reason="The rules cannot look at pictures. Set `roles.questions.generator` and `roles.questions.validator` to"
        " two models that can see."
    )


def _cannot_see(_given: ValidateInput, _tools: Sequence[Tool]) -> ValidationResult:
    return ValidationResult(answerable=False, detail="The rules cannot look at pictures.")
