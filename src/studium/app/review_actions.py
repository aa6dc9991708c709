"""Answering and reopening reviews: the same for the pages, the API and assistants."""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from studium.core.domain.decision import Review
from studium.core.domain.errors import BadInput
from studium.core.features import find_feature
from studium.core.jobs.service import Service


class RefusedAnswer(BaseModel):
    """An answer that was refused, and why."""

    id: str
    detail: str


async def answer_review(
    service: Service, review: str, status: str, answer: dict[str, Any] | None = None, comment: str | None = None
) -> Review:
    """Save a person's answer; features that continue at once start a job, others use it in their next run."""
    answered = await asyncio.to_thread(service.database.reviews.answer, review, status, answer, comment)
    await _start_follow_ups(service, [answered])
    return answered


async def answer_reviews(
    service: Service, reviews: Sequence[str], status: str, comment: str | None = None
) -> tuple[list[Review], list[RefusedAnswer]]:
    """Give one answer to many reviews; returns those that were answered and those that were refused."""
    answered, refused = await asyncio.to_thread(_answer_all, service, dict.fromkeys(reviews), status, comment)
    await _start_follow_ups(service, answered)
    return answered, refused


async def reopen_review(service: Service, review: str, seen: datetime | None = None) -> tuple[Review, bool]:
    """Reopen a review; also returns whether a job has already used its answer.

    An answer that was not given at `seen` was given by someone else, and stays.
    """
    before = await asyncio.to_thread(service.database.reviews.get, review)
    was_used = await asyncio.to_thread(_is_used, service, before)
    return await asyncio.to_thread(service.database.reviews.reopen, before.id, seen), was_used


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


async def _start_follow_ups(service: Service, answered: Sequence[Review]) -> None:
    """Start the jobs that continue with the answers, one for each item."""
    for feature, item in dict.fromkeys((review.feature, review.decision.item) for review in answered):
        if follow_up := find_feature(feature).after_review:
            job_type, field = follow_up
            await service.start_job(job_type, {field: item})


def _is_used(service: Service, review: Review) -> bool:
    """Whether a job has already used the answer: then what it kept stays."""
    follow_up = find_feature(review.feature).after_review
    if not follow_up or not review.answered_at:
        return False
    job_type, field = follow_up
    jobs = service.database.jobs.newest(50, job_type=job_type)
    return any(job.request.get(field) == review.decision.item and job.placed_at >= review.answered_at for job in jobs)
