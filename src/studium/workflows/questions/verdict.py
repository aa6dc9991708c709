"""Code's verdict on a candidate, given what the validator answered."""

from studium.domain.question import RejectionReason
from studium.workflows.questions.answers import same_answer
from studium.workflows.questions.skills import Validated
from studium.workflows.questions.state import CurrentCandidate, Rejection


def verdict(candidate: CurrentCandidate, validated: Validated) -> Rejection | None:
    """Why the candidate is refused, or None where the validator confirms it."""
    if not validated.answerable:
        return Rejection(reason=RejectionReason.UNANSWERABLE, detail=validated.detail or "The document does not say.")
    if validated.ambiguous:
        return Rejection(reason=RejectionReason.AMBIGUOUS, detail=validated.detail or "It has more than one answer.")
    if validated.trivial:
        return Rejection(reason=RejectionReason.TRIVIAL, detail=validated.detail or "It needs no document.")
    if not same_answer(candidate.answer, validated.answer):
        detail = f"The validator answered: {validated.answer}"
        return Rejection(reason=RejectionReason.WRONG_ANSWER, detail=detail)
    return None
