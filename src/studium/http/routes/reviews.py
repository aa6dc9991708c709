"""The inbox over HTTP: what waits for a person, and the person's answers."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from studium.app import review_actions
from studium.app.review_actions import RefusedAnswer
from studium.core.domain.decision import Review, ReviewStatus
from studium.core.runs import review_text
from studium.http.deps import Listing, PageParams, ServiceDep

router = APIRouter(prefix="/reviews", tags=["reviews"])

Id = Annotated[str, Path(min_length=1, max_length=64, description="The review's id, or as much of it as is unique.")]
AnswerStatus = Literal["approved", "edited", "rejected", "responded"]


class AnswerRequest(BaseModel):
    """A person's answer to one review; `answer` is the proposal as the person wants it, if it was edited."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"status": "approved", "comment": "As in the book."}]}
    )

    status: AnswerStatus
    answer: dict[str, Any] | None = None
    comment: str | None = Field(None, max_length=10_000)


class BulkAnswerRequest(BaseModel):
    """One answer to many reviews."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"ids": ["4f1c09aa12be"], "status": "approved"}]}
    )

    ids: list[Annotated[str, Field(min_length=1, max_length=64)]] = Field(min_length=1, max_length=5000)
    status: Literal["approved", "rejected"]
    comment: str | None = Field(None, max_length=10_000)


class BulkAnswerResult(BaseModel):
    """Which reviews took the answer, and which did not, with the reason."""

    answered: list[str]
    refused: list[RefusedAnswer]


@router.get("")
def list_reviews(
    service: ServiceDep,
    page: PageParams,
    status: Annotated[ReviewStatus | None, Query(description="Only these; without it, all.")] = None,
    feature: Annotated[str | None, Query(max_length=50)] = None,
) -> Listing[Review]:
    """Reviews, those that wait longest first."""
    found = service.database.reviews.select(status, feature, limit=page.limit, offset=page.offset)
    counts = service.database.reviews.count(status)
    return page.of(found, counts.get(feature, 0) if feature else sum(counts.values()))


@router.get("/counts")
def count_reviews(service: ServiceDep, status: ReviewStatus = ReviewStatus.OPEN) -> dict[str, int]:
    """How many reviews of this status each feature has."""
    return service.database.reviews.count(status)


@router.post("/answers")
async def answer_reviews(service: ServiceDep, answers: BulkAnswerRequest) -> BulkAnswerResult:
    """Give one answer to many reviews; those that were answered meanwhile are named."""
    answered, refused = await review_actions.answer_reviews(service, answers.ids, answers.status, answers.comment)
    return BulkAnswerResult(answered=[review.id for review in answered], refused=refused)


@router.get("/{review}")
def show_review(service: ServiceDep, review: Id) -> Review:
    """One review: the proposal, its evidence, and what was found."""
    return service.database.reviews.get(review)


@router.get("/{review}/changes")
def review_changes(service: ServiceDep, review: Id) -> list[str]:
    """What a person changed in the proposal, or else what changed since the item was last proposed, as a diff."""
    return review_text.review_diff(service.database, service.database.reviews.get(review))


@router.post("/{review}/answer")
async def answer_review(service: ServiceDep, review: Id, answer: AnswerRequest) -> Review:
    """Answer a review; the first answer wins, and whoever comes second is told."""
    return await review_actions.answer_review(service, review, answer.status, answer.answer, answer.comment)


@router.post("/{review}/reopen")
def reopen_review(service: ServiceDep, review: Id) -> Review:
    """Take an answer back."""
    return service.database.reviews.reopen(review)
