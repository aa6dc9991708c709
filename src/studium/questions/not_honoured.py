"""What of a request the generator at hand cannot follow, as findings that are said once."""

from collections.abc import Iterator, Mapping

from studium.core.domain.finding import Finding, Severity
from studium.questions.domain import GenerationMode
from studium.questions.kinds import FOR_MODELS, QuestionKind, QuestionOptions

_REMEDY = "Set `roles.questions.generator` to a model for that."


def not_honoured(
    generator: str,
    mode: GenerationMode,
    options: QuestionOptions,
    mix: Mapping[QuestionKind, int],
    *,
    scenario: bool,
) -> list[Finding]:
    """The findings about a request; none if the generator can follow it in everything."""
    return list(_findings(generator, mode, options, mix, scenario=scenario))


def _findings(
    generator: str, mode: GenerationMode, options: QuestionOptions, mix: Mapping[QuestionKind, int], *, scenario: bool
) -> Iterator[Finding]:
    kinds = [kind for kind, weight in mix.items() if weight]
    if mode == "visual" and kinds != ["open"]:
        yield _finding(
            Severity.WARNING, "Questions about figures and tables are all open; the mix of kinds is ignored."
        )
    if generator != "rules":
        return
    if lost := [kind for kind in kinds if kind in FOR_MODELS]:
        yield _finding(Severity.WARNING, f"The rules cannot ask questions of the kind {', '.join(lost)}. {_REMEDY}")
    if wishes := [name for name in ("style", "persona") if getattr(options, name)]:
        yield _finding(Severity.WARNING, f"The rules cannot follow a {' or a '.join(wishes)}. {_REMEDY}")
    if scenario:
        says = (
            "Of a scenario the rules follow the mix, the difficulty, the length, and which facts its description names"
        )
        yield _finding(Severity.INFO, f"{says}; not its audience or tone. {_REMEDY}")


def _finding(severity: Severity, message: str) -> Finding:
    return Finding(code="request.not_honoured", severity=severity, message=message)
