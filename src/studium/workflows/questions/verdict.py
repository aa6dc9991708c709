"""Code's verdict on a candidate, given what the validator answered."""

from studium.core.domain.ports import Similarity
from studium.domain.question import RejectionReason
from studium.workflows.questions.answers import same_answer
from studium.workflows.questions.skills import Validated
from studium.workflows.questions.state import CurrentCandidate, Rejection


def verdict(
    candidate: CurrentCandidate, validated: Validated, similarity: Similarity | None = None
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
