"""Runs and reviews over HTTP."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from studium.app import review_actions
from studium.app.review_actions import RefusedAnswer
from studium.core.database import Metrics
from studium.core.domain.decision import Action, Decision, Review, ReviewStatus
from studium.core.domain.run import Run
from studium.core.runs import review_text
from studium.http.deps import Listing, PageParams, ServiceDep

router = APIRouter(tags=["runs"])

RunId = Annotated[str, Path(min_length=1, max_length=64, description="The run's id, or a unique beginning of it.")]


@router.get("/runs")
def list_runs(
    service: ServiceDep, page: PageParams, feature: Annotated[str | None, Query(max_length=50)] = None
) -> Listing[Run]:
    """The last runs, newest first."""
    found = service.database.runs.newest(page.limit, page.offset, feature=feature)
    return page.of(found, service.database.runs.count(feature))


@router.get("/runs/{run}")
def show_run(service: ServiceDep, run: RunId) -> Run:
    """One run."""
    return service.database.runs.get(run)


@router.get("/runs/{run}/metrics")
def run_metrics(service: ServiceDep, run: RunId) -> Metrics:
    """The metrics of a run: actions, scores, findings, and each skill's calls, latency and cost."""
    return service.database.metrics.measure(service.database.runs.get(run).id)


@router.get("/runs/{run}/decisions")
def run_decisions(
    service: ServiceDep,
    page: PageParams,
    run: RunId,
    action: Annotated[Action | None, Query(description="Only these; all by default.")] = None,
) -> Listing[Decision]:
    """What was decided in a run, in order."""
    found, total = service.database.items.decisions_page(run, action, limit=page.limit, offset=page.offset)
    return page.of(found, total)


@router.get("/metrics")
def all_metrics(service: ServiceDep) -> Metrics:
    """The metrics of all runs together."""
    return service.database.metrics.measure()


reviews_router = APIRouter(prefix="/reviews", tags=["reviews"])

ReviewId = Annotated[
    str, Path(min_length=1, max_length=64, description="The review's id, or a unique beginning of it.")
]
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
    """Which reviews were answered, and which were not, with the reason."""

    answered: list[str]
    refused: list[RefusedAnswer]


@reviews_router.get("")
def list_reviews(
    service: ServiceDep,
    page: PageParams,
    status: Annotated[ReviewStatus | None, Query(description="Only these; all by default.")] = None,
    feature: Annotated[str | None, Query(max_length=50)] = None,
) -> Listing[Review]:
    """Reviews, the oldest first."""
    found = service.database.reviews.select(status, feature, limit=page.limit, offset=page.offset)
    counts = service.database.reviews.count(status)
    return page.of(found, counts.get(feature, 0) if feature else sum(counts.values()))


@reviews_router.get("/counts")
def count_reviews(service: ServiceDep, status: ReviewStatus = ReviewStatus.OPEN) -> dict[str, int]:
    """How many reviews of this status each feature has."""
    return service.database.reviews.count(status)


@reviews_router.post("/answers")
async def answer_reviews(service: ServiceDep, answers: BulkAnswerRequest) -> BulkAnswerResult:
    """Give one answer to many reviews; lists those that were answered in the meantime."""
    answered, refused = await review_actions.answer_reviews(service, answers.ids, answers.status, answers.comment)
    return BulkAnswerResult(answered=[review.id for review in answered], refused=refused)


@reviews_router.get("/{review}")
def show_review(service: ServiceDep, review: ReviewId) -> Review:
    """One review: the proposal, its evidence, and what was found."""
    return service.database.reviews.get(review)


@reviews_router.get("/{review}/changes")
def review_changes(service: ServiceDep, review: ReviewId) -> list[str]:
    """What a person changed in the proposal, or else what changed since the item was last proposed, as a diff."""
    return review_text.review_diff(service.database, service.database.reviews.get(review))


@reviews_router.post("/{review}/answer")
async def answer_review(service: ServiceDep, review: ReviewId, answer: AnswerRequest) -> Review:
    """Answer a review; the first answer wins, a second one is refused."""
    return await review_actions.answer_review(service, review, answer.status, answer.answer, answer.comment)


@reviews_router.post("/{review}/reopen")
def reopen_review(service: ServiceDep, review: ReviewId) -> Review:
    """Take an answer back."""
    return service.database.reviews.reopen(review)
