"""What a run cannot give: fewer questions than were asked for, or others, and what would help.

11 of 20: All 19 questions that the rules can make were asked; 8 were refused (5 unanswerable, 3 duplicate). What
would help: a model as generator (`roles.questions.generator`), or the same text as HTML, EPUB or Markdown.
"""

from collections.abc import Iterator, Mapping

from studium.core.domain.document import Document
from studium.core.domain.finding import Finding, Severity
from studium.questions.domain import GenerationMode, GenerationPolicy, GenerationStats, RejectionReason
from studium.questions.kinds import FOR_MODELS, QuestionKind, QuestionOptions

WORDS_A_QUESTION = 40
"""A document with fewer words for each requested question is called short."""

_TWO_MODELS = "two models with vision as generator and validator (`roles.questions`)"


def explain_shortfall(
    stats: GenerationStats, document: Document, policy: GenerationPolicy, reason: str, *, limited: bool
) -> str:
    """Say how many of the requested questions there are, why not more, and what would help.

    `reason` is why the loop ended; it is `limited` if too many candidates failed in a row.
    """
    words = stats.word_count
    short = words < WORDS_A_QUESTION * stats.target_count
    why = [reason.rstrip(".") or "The loop ended", _refused(stats)]
    if short:
        why.append(f"the document has only {words} words")
    said = "; ".join(part for part in why if part)
    remedies = _remedies(stats, document, policy, limited=limited, short=short)
    return f"{stats.accepted_count} of {stats.target_count}: {said}. What would help: {_either(remedies)}."


def _refused(stats: GenerationStats) -> str:
    if not stats.rejected_count:
        return ""
    by_count = sorted(stats.rejection_reasons.items(), key=lambda each: -each[1])
    reasons = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in by_count)
    return f"{stats.rejected_count} {'was' if stats.rejected_count == 1 else 'were'} refused ({reasons})"


def _remedies(
    stats: GenerationStats, document: Document, policy: GenerationPolicy, *, limited: bool, short: bool
) -> list[str]:
    if not stats.word_count and stats.mode == "textual":
        return ["a document with text; for a scan, `pip install 'studium[ocr]'`"]
    if stats.mode == "visual" and not document.visuals():
        return ["`--mode textual`", "a document with figures or tables"]
    by_rules = policy.generator_model == "rules"
    found = []
    if by_rules:
        is_visual = stats.mode == "visual"
        found.append(_TWO_MODELS if is_visual else "a model as generator (`roles.questions.generator`)")
    if limited:
        found.append(f"more patience (`--max-failures`, now {policy.max_consecutive_failures})")
    if document.kind == "pdf" and not short:
        found.append("the same text as HTML, EPUB or Markdown")
    if short:
        found.append("a longer document")
    if not by_rules and stats.rejection_reasons.get(RejectionReason.DUPLICATE, 0) * 2 > stats.rejected_count:
        found.append("a second document on the subject")
    return found or ["another model as generator or validator", "another scenario"]


def _either(choices: list[str]) -> str:
    *others, last = choices
    return f"{', '.join(others)}, or {last}" if others else last


_REMEDY = "Set `roles.questions.generator` to a model for that."


def not_honoured(
    generator: str, mode: GenerationMode, options: QuestionOptions, mix: Mapping[QuestionKind, int], *, scenario: bool
) -> Iterator[Finding]:
    """What of a request the generator at hand cannot follow; nothing if it can follow all of it."""
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
