"""The inbox over HTTP: what waits for a person, and the person's answers."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from studium.api.asked import TheService
from studium.api.paging import Listing, Wanted
from studium.app.review_actions import RefusedAnswer, answer_review, answer_reviews
from studium.core.domain.decision import Review, ReviewStatus
from studium.faculties import inbox

router = APIRouter(prefix="/reviews", tags=["reviews"])

Id = Annotated[str, Path(min_length=1, max_length=64, description="The review's id, or as much of it as is unique.")]
Answered = Literal["approved", "edited", "rejected", "responded"]


class Answer(BaseModel):
    """A person's answer to one review; `answer` is the proposal as the person wants it, if it was edited."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"status": "approved", "comment": "As in the book."}]}
    )

    status: Answered
    answer: dict[str, Any] | None = None
    comment: str | None = Field(None, max_length=10_000)


class Answers(BaseModel):
    """One answer to many reviews."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"ids": ["4f1c09aa12be"], "status": "approved"}]}
    )

    ids: list[Annotated[str, Field(min_length=1, max_length=64)]] = Field(min_length=1, max_length=5000)
    status: Literal["approved", "rejected"]
    comment: str | None = Field(None, max_length=10_000)


class AnsweredMany(BaseModel):
    """Which reviews took the answer, and which did not, with the reason."""

    answered: list[str]
    refused: list[RefusedAnswer]


@router.get("")
def list_reviews(
    service: TheService,
    page: Wanted,
    status: Annotated[ReviewStatus | None, Query(description="Only these; without it, all.")] = None,
    faculty: Annotated[str | None, Query(max_length=50)] = None,
) -> Listing[Review]:
    """Reviews, those that wait longest first."""
    found = service.ledger.reviews.select(status, faculty, limit=page.limit, offset=page.offset)
    counts = service.ledger.reviews.count(status)
    return page.of(found, counts.get(faculty, 0) if faculty else sum(counts.values()))


@router.get("/counts")
def count_reviews(service: TheService, status: ReviewStatus = ReviewStatus.OPEN) -> dict[str, int]:
    """How many reviews of this status each faculty has."""
    return service.ledger.reviews.count(status)


@router.post("/answers")
async def answer_reviews(service: TheService, answers: Answers) -> AnsweredMany:
    """Give one answer to many reviews; those that were answered meanwhile are named."""
    answered, refused = await answer_reviews(service, answers.ids, answers.status, answers.comment)
    return AnsweredMany(answered=[review.id for review in answered], refused=refused)


@router.get("/{review}")
def show_review(service: TheService, review: Id) -> Review:
    """One review: the proposal, its evidence, and what was found."""
    return service.ledger.reviews.get(review)


@router.get("/{review}/changes")
def review_changes(service: TheService, review: Id) -> list[str]:
    """What a person changed in the proposal, or else what changed since the item was last proposed, as a diff."""
    return inbox.changes(service.ledger, service.ledger.reviews.get(review))


@router.post("/{review}/answer")
async def answer_review(service: TheService, review: Id, answer: Answer) -> Review:
    """Answer a review; the first answer wins, and whoever comes second is told."""
    return await answer_review(service, review, answer.status, answer.answer, answer.comment)


@router.post("/{review}/reopen")
def reopen_review(service: TheService, review: Id) -> Review:
    """Take an answer back."""
    return service.ledger.reviews.reopen(review)
