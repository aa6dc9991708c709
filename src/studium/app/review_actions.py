"""Answers to reviews, wherever a person gives them."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from studium.app.service import Service
from studium.concepts.jobs import ExtractRequest
from studium.core.domain.decision import Review
from studium.core.domain.errors import BadInput

_AT_ONCE = "concepts"
"""The feature that goes on with an answer at once."""


class RefusedAnswer(BaseModel):
    """An answer that was not taken, and why."""

    id: str
    detail: str


async def answer_review(
    service: Service, review: str, status: str, answer: dict[str, Any] | None = None, comment: str | None = None
) -> Review:
    """Take a person's answer; a book of quotes goes on with it at once, other features with their next run."""
    taken = await asyncio.to_thread(service.database.reviews.answer, review, status, answer, comment)
    await _go_on(service, [taken])
    return taken


async def answer_reviews(
    service: Service, reviews: Sequence[str], status: str, comment: str | None = None
) -> tuple[list[Review], list[RefusedAnswer]]:
    """Give one answer to many; says which took it, and which did not."""
    answered, refused = await asyncio.to_thread(_answer_all, service, dict.fromkeys(reviews), status, comment)
    await _go_on(service, answered)
    return answered, refused


async def reopen_review(service: Service, review: str, seen: datetime | None = None) -> tuple[Review, bool]:
    """Open a review again; says, too, whether the work went on with its answer meanwhile.

    An answer that is not the one given at the moment `seen` is somebody else's, and stays.
    """
    before = await asyncio.to_thread(service.database.reviews.get, review)
    went_on = before.feature == _AT_ONCE and await asyncio.to_thread(_is_carried_out, service, before)
    return await asyncio.to_thread(service.database.reviews.reopen, before.id, seen), went_on


def _answer_all(
    service: Service, reviews: dict[str, None], status: str, comment: str | None
) -> tuple[list[Review], list[RefusedAnswer]]:
    answered, refused = [], []
    for review in reviews:
        try:
            answered.append(service.database.reviews.answer(review, status, None, comment))
        except BadInput as error:
            refused.append(RefusedAnswer(id=review, detail=f"{error.what} {error.remedy}"))
    return answered, refused


async def _go_on(service: Service, answered: Sequence[Review]) -> None:
    """Let each book whose reviews were answered go on, once."""
    for book in dict.fromkeys(review.decision.item for review in answered if review.feature == _AT_ONCE):
        await service.start_job("concepts.extract", ExtractRequest(book=book))


def _is_carried_out(service: Service, review: Review) -> bool:
    """Whether a job took up the answer: then what it kept is kept."""
    jobs = service.database.jobs.newest(50, job_type="concepts.extract")
    mine = (job for job in jobs if job.request.get("book") == review.decision.item)
    return any(review.answered_at and job.placed_at >= review.answered_at for job in mine)
