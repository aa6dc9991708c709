"""Propose a candidate with evidence that is in the document, choose where to ask next, judge the validator's answer."""

import re
from collections.abc import Iterable, Sequence

from studium.core.domain.document import Document, Visual, content_id
from studium.core.domain.errors import DocumentExhaustedError
from studium.core.domain.finding import Evidence, Finding
from studium.core.domain.ports import Model, Similarity
from studium.questions.document_tools import document_tools
from studium.questions.domain import RejectionReason
from studium.questions.kind_checks import check_kind
from studium.questions.kinds import FOR_MODELS, QuestionKind
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
"""An answer may count up to this number what its quotes list; a greater number must be in the quotes."""


class NoProposalError(Exception):
    """The model gave no candidate; the findings say why."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__("; ".join(map(str, findings)))
        self.findings = tuple(findings)


async def propose_textual(model: Model, document: Document, given: GenerateInput) -> Proposed:
    """Propose a question about the text; raises `DocumentExhaustedError` when no further one can be made."""
    answer = await model.answer(GENERATE, given, tools=document_tools(document, "textual"))
    match answer.output:
        case Candidate() as made:
            found = [evidence for quote in made.quotes if (evidence := document.locate(quote))]
            candidate = CurrentCandidate(
                question=made.question,
                answer=made.answer,
                evidence=tuple(found),
                kind=given.kind,
                choices=made.choices,
                asks=made.asks,
                expected=made.expected,
            )
            faults = _check_quotes(made, found, given.kind) or check_kind(candidate) or check_leak(candidate)
            return candidate, faults
        case Exhausted(reason=reason):
            raise DocumentExhaustedError(reason)
        case None:
            raise NoProposalError(answer.findings)


async def propose_visual(model: Model, document: Document, given: GenerateVisualInput, viewed: list[int]) -> Proposed:
    """Propose a question about figures or tables; the pages that were viewed are added to `viewed`."""
    answer = await model.answer(GENERATE_VISUAL, given, tools=document_tools(document, "visual", viewed))
    match answer.output:
        case VisualCandidate() as made:
            visuals = document.visuals()
            shown = [visuals[number - 1] for number in made.visuals if 0 < number <= len(visuals)]
            candidate = CurrentCandidate(
                question=made.question, answer=made.answer, evidence=tuple(_visual_evidence(each) for each in shown)
            )
            seen = {*given.viewed, *viewed}
            return candidate, _check_visuals(document, made, shown, seen) or check_leak(candidate)
        case Exhausted(reason=reason):
            raise DocumentExhaustedError(reason)
        case None:
            raise NoProposalError(answer.findings)


def _check_quotes(made: Candidate, found: Sequence[Evidence], kind: QuestionKind) -> Rejection | None:
    if len(found) < len(made.quotes):
        return _reject(RejectionReason.VALIDATION_FAILED, "A quote for the answer is not in the document.")
    if kind in FOR_MODELS:  # the answer may be worked out from the quotes
        return None
    return check_numbers(made.answer, [evidence.quote for evidence in found])


def check_numbers(answer: str, quotes: Sequence[str]) -> Rejection | None:
    """Reject an answer with a number that its quotes do not say; a small one may count what they list."""
    stated = {number.rstrip(".,:") for number in _NUMBER.findall("\n".join(quotes))}
    for number in (each.rstrip(".,:") for each in _NUMBER.findall(answer)):
        if number not in stated and not (number.isdigit() and int(number) <= COUNTABLE):
            return _reject(RejectionReason.VALIDATION_FAILED, f"The quotes do not say {number}.")
    return None


def _check_visuals(
    document: Document, made: VisualCandidate, shown: Sequence[Visual], seen: set[int]
) -> Rejection | None:
    if len(shown) < len(made.visuals):
        return _reject(RejectionReason.VALIDATION_FAILED, "It refers to a figure or table that the document lacks.")
    pages = {visual.where.page for visual in shown if visual.where.page}
    if document.paint and pages and not pages & seen:
        return _reject(RejectionReason.VALIDATION_FAILED, "It asks about a page that was not viewed.")
    return None


def _visual_evidence(visual: Visual) -> Evidence:
    caption = visual.caption or visual.source or visual.kind
    return Evidence(passage=content_id(f"{visual.where}\n{caption}"), quote=caption, where=visual.where)


def check_leak(candidate: CurrentCandidate) -> Rejection | None:
    """Reject a question that gives its answer away."""
    if candidate.kind in ("true_false", "unanswerable"):
        return None
    if gives_answer_away(candidate.question, candidate.answer):
        return _reject(RejectionReason.TRIVIAL, "The question gives the answer away.")
    return None


def _reject(reason: RejectionReason, detail: str) -> Rejection:
    return Rejection(reason=reason, detail=detail)


def judge_candidate(
    candidate: CurrentCandidate, validated: ValidationResult, similarity: Similarity | None = None
) -> Rejection | None:
    """Why the candidate is rejected, or None if the validator confirms it.

    What is meant to be unanswerable is confirmed if the validator finds no answer.
    """
    if candidate.kind == "unanswerable":
        return _judge_unanswerable(validated)
    return _judge_question(validated) or _judge_answer(candidate, validated, similarity)


def _judge_question(validated: ValidationResult) -> Rejection | None:
    detail = validated.detail
    if not validated.answerable:
        return Rejection(reason=RejectionReason.UNANSWERABLE, detail=detail or "The document does not say.")
    if validated.ambiguous:
        return Rejection(reason=RejectionReason.AMBIGUOUS, detail=detail or "It has more than one answer.")
    if validated.trivial:
        return Rejection(reason=RejectionReason.TRIVIAL, detail=detail or "It needs no document.")
    if not validated.relevant:
        return Rejection(reason=RejectionReason.TRIVIAL, detail=detail or "It is not relevant for this corpus.")
    return None


def _judge_answer(
    candidate: CurrentCandidate, validated: ValidationResult, similarity: Similarity | None
) -> Rejection | None:
    if not same_answer(candidate.open_answer, validated.answer, similarity, validated.quotes, candidate.open_question):
        detail = f"The validator answered: {validated.answer}"
        return Rejection(reason=RejectionReason.WRONG_ANSWER, detail=detail)
    return None


def _judge_unanswerable(validated: ValidationResult) -> Rejection | None:
    if validated.answerable:
        return _reject(RejectionReason.WRONG_ANSWER, f"The validator found an answer: {validated.answer}")
    if not validated.relevant:
        return _reject(RejectionReason.TRIVIAL, validated.detail or "It is not relevant for this corpus.")
    return None


PARTS = 10
"""The number of equal parts that a document is divided into."""

Lines = tuple[int, int]


def coverage_of(line_count: int, evidence: Iterable[Evidence]) -> float:
    """The share of the document's parts that contain evidence."""
    parts = min(PARTS, line_count)
    if not parts:
        return 0.0
    touched = {
        part
        for first, last in _lines(evidence)
        for part in range((first - 1) * parts // line_count, (min(last, line_count) - 1) * parts // line_count + 1)
    }
    return round(len(touched) / parts, 2)


def next_focus(line_count: int, evidence: Iterable[Evidence], turn: int = 0) -> Lines:
    """The longest range of lines without evidence; after each failure, the next longest."""
    gaps: list[Lines] = []
    free = 1
    for first, last in sorted(_lines(evidence)):
        if first > free:
            gaps.append((free, first - 1))
        free = max(free, last + 1)
    if free <= line_count:
        gaps.append((free, line_count))
    if not gaps:
        return 1, max(line_count, 1)
    longest = sorted(gaps, key=lambda gap: (gap[0] - gap[1], gap[0]))
    return longest[turn % min(len(longest), PARTS)]


def _lines(evidence: Iterable[Evidence]) -> list[Lines]:
    places = (each.where for each in evidence)
    return [(place.line, place.end_line or place.line) for place in places if place.line]
