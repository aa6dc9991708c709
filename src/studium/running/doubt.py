"""Doubts that a person has answered already are settled by that answer."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from studium.domain.decision import Action, Decision, Review, ReviewStatus
from studium.running.job import Job
from studium.stores.ledger.reviews import ReviewRepository

Again = Callable[[dict[str, Any]], Awaitable[Sequence[Decision]]]


async def settle_doubts(
    reviews: ReviewRepository, job: Job, decisions: Sequence[Decision], again: Again
) -> Sequence[Decision]:
    """Replace each doubt that was answered; a remark is given to the mind, which tries once more."""
    settled: list[Decision] = []
    for decision in decisions:
        review = reviews.find_answer(job.faculty, decision) if decision.action is Action.MANUAL_REVIEW else None
        if review is None:
            settled.append(decision)
        elif review.status is ReviewStatus.RESPONDED:
            tried = await again({"feedback": [review.comment or ""]})
            settled += [each for each in tried if each.item == decision.item] or [decision]
        else:
            settled.append(_as_answered(job, decision, review))
    return settled


def _as_answered(job: Job, decision: Decision, review: Review) -> Decision:
    if review.status is ReviewStatus.REJECTED:
        reason = f"Rejected in review: {review.comment}" if review.comment else "Rejected in review."
        return decision.model_copy(update={"action": Action.SKIP, "reasons": (reason,)})
    proposal = review.answer if review.status is ReviewStatus.EDITED else decision.proposal
    accepted = job.accept(decision, proposal)
    return accepted.model_copy(update={"reasons": (f"{review.status.value.title()} in review.",)})
