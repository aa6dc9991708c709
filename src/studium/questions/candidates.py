"""The generator: it explores the document by its tools and proposes one question, with proof that code has checked."""

import re
from collections.abc import Sequence

from studium.core.domain.document import Document, Visual, content_id
from studium.core.domain.errors import DocumentExhaustedError
from studium.core.domain.finding import Evidence, Finding
from studium.core.domain.ports import Model, Similarity
from studium.questions.document_tools import document_tools
from studium.questions.domain import RejectionReason
from studium.questions.rules.comparison.answers import gives_answer_away, same_answer
from studium.questions.skills import (
    GENERATE,
    GENERATE_VISUAL,
    Candidate,
    Exhausted,
    GenerateInput,
    GenerateVisualInput,
    ValidationResult,
    VisualCandidate,
)
from studium.questions.state import CurrentCandidate, Rejection

Proposed = tuple[CurrentCandidate, Rejection | None]

_NUMBER = re.compile(r"\d[\d.,:]*")
COUNTABLE = 12
"""Up to this number an answer may count what its quotes list; a greater one must stand in them."""


class NoProposalError(Exception):
    """The mind gave no candidate; the findings say why."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__("; ".join(map(str, findings)))
        self.findings = tuple(findings)


async def propose_textual(model: Model, document: Document, given: GenerateInput) -> Proposed:
    """A question about what the document says; raises `DocumentExhaustedError` when no further one can be made."""
    answer = await model.answer(GENERATE, given, tools=document_tools(document, "textual"))
    match answer.output:
        case Candidate() as made:
            found = [evidence for quote in made.quotes if (evidence := document.locate(quote))]
            candidate = CurrentCandidate(question=made.question, answer=made.answer, evidence=tuple(found))
            return candidate, _unproved(made, found) or _leak(candidate)
        case Exhausted(reason=reason):
            raise DocumentExhaustedError(reason)
        case None:
            raise NoProposalError(answer.findings)


async def propose_visual(model: Model, document: Document, given: GenerateVisualInput, viewed: list[int]) -> Proposed:
    """A question about what the document shows; the pages that were looked at are added to `viewed`."""
    answer = await model.answer(GENERATE_VISUAL, given, tools=document_tools(document, "visual", viewed))
    match answer.output:
        case VisualCandidate() as made:
            visuals = document.visuals()
            shown = [visuals[number - 1] for number in made.visuals if 0 < number <= len(visuals)]
            candidate = CurrentCandidate(
                question=made.question, answer=made.answer, evidence=tuple(_seen(each) for each in shown)
            )
            seen = {*given.viewed, *viewed}
            return candidate, _unseen(document, made, shown, seen) or _leak(candidate)
        case Exhausted(reason=reason):
            raise DocumentExhaustedError(reason)
        case None:
            raise NoProposalError(answer.findings)


def _unproved(made: Candidate, found: Sequence[Evidence]) -> Rejection | None:
    if len(found) < len(made.quotes):
        return _refusal(RejectionReason.VALIDATION_FAILED, "A quote of the answer is not in the document.")
    quoted = "\n".join(evidence.quote for evidence in found)
    stated = {number.rstrip(".,:") for number in _NUMBER.findall(quoted)}
    for number in (each.rstrip(".,:") for each in _NUMBER.findall(made.answer)):
        if number not in stated and not (number.isdigit() and int(number) <= COUNTABLE):
            return _refusal(RejectionReason.VALIDATION_FAILED, f"The quotes do not say {number}.")
    return None


def _unseen(document: Document, made: VisualCandidate, shown: Sequence[Visual], seen: set[int]) -> Rejection | None:
    if len(shown) < len(made.visuals):
        return _refusal(RejectionReason.VALIDATION_FAILED, "It refers to a figure or table that the document lacks.")
    pages = {visual.where.page for visual in shown if visual.where.page}
    if document.paint and pages and not pages & seen:
        return _refusal(RejectionReason.VALIDATION_FAILED, "It asks about a page that was not looked at.")
    return None


def _seen(visual: Visual) -> Evidence:
    caption = visual.caption or visual.source or visual.kind
    return Evidence(passage=content_id(f"{visual.where}\n{caption}"), quote=caption, where=visual.where)


def _leak(candidate: CurrentCandidate) -> Rejection | None:
    if gives_answer_away(candidate.question, candidate.answer):
        return _refusal(RejectionReason.TRIVIAL, "The question gives the answer away.")
    return None


def _refusal(reason: RejectionReason, detail: str) -> Rejection:
    return Rejection(reason=reason, detail=detail)


def judge_candidate(
    candidate: CurrentCandidate, validated: ValidationResult, similarity: Similarity | None = None
) -> Rejection | None:
    """Why the candidate is refused, or None where the validator confirms it."""
    said = validated.detail
    if not validated.answerable:
        return Rejection(reason=RejectionReason.UNANSWERABLE, detail=said or "The document does not say.")
    if validated.ambiguous:
        return Rejection(reason=RejectionReason.AMBIGUOUS, detail=said or "It has more than one answer.")
    if validated.trivial:
        return Rejection(reason=RejectionReason.TRIVIAL, detail=said or "It needs no document.")
    if not validated.relevant:
        return Rejection(reason=RejectionReason.TRIVIAL, detail=said or "It does not matter for this corpus.")
    if not same_answer(candidate.answer, validated.answer, similarity):
        detail = f"The validator answered: {validated.answer}"
        return Rejection(reason=RejectionReason.WRONG_ANSWER, detail=detail)
    return None
