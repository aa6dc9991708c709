"""Tools for the inbox: what waits for a person, and the person's answer."""

from typing import Any, Literal

from pydantic import Field

from studium.app.review_actions import answer_review
from studium.app.service import Service
from studium.assistant.looking import Page, Shown, quick, shown
from studium.assistant.tool import Answer, Call, Tool
from studium.core.domain.decision import Review, ReviewStatus
from studium.faculties import inbox
from studium.service.kinds.kind import Name, Request


class Reviews(Page):
    """Which reviews to list."""

    faculty: Literal["cards", "vocabulary", "questions", "concepts", "tutor"] | None = None
    """Only of this faculty."""
    status: ReviewStatus | None = ReviewStatus.OPEN
    """Only these; null for all."""


class Decided(Request):
    """What the person decided about a review."""

    id: Name
    """The review's id, or as much of it as is unique."""
    status: Literal["approved", "edited", "rejected", "responded"]
    """What the person decided."""
    answer: dict[str, Any] | None = None
    """The whole proposal as the person wants it, if it was edited; or what was asked for."""
    comment: str | None = Field(None, max_length=10_000)
    """What the person said about it."""


def review_json(service: Service, review: Review) -> dict[str, Any]:
    """A review with what is new in it."""
    return review.model_dump(mode="json") | {"changes": inbox.changes(service.ledger, review)}


def waiting(service: Service, asked: Reviews) -> dict[str, Any]:
    """Reviews in a line each, and how many there are."""
    found = service.ledger.reviews.select(asked.status, asked.faculty, limit=asked.limit, offset=asked.offset)
    counts = service.ledger.reviews.count(asked.status)
    total = counts.get(asked.faculty, 0) if asked.faculty else sum(counts.values())
    return {"total": total, "offset": asked.offset, "reviews": [_line(review) for review in found]}


def _line(review: Review) -> dict[str, Any]:
    doubts = [finding.message for finding in review.decision.findings] or list(review.decision.reasons)
    about = {"item": review.decision.item, "doubt": next(iter(doubts), "")}
    return review.model_dump(mode="json", include={"id", "faculty", "status", "opened_at"}) | about


def _list(service: Service, asked: Reviews) -> Answer:
    found = waiting(service, asked)
    return Answer(f"{found['total']} reviews; {len(found['reviews'])} are given.", found)


def _show(service: Service, asked: Shown) -> Answer:
    review = service.ledger.reviews.get(asked.id)
    return shown(asked, f"Review {review.id} is {review.status}.", review_json(service, review))


async def _answer(call: Call, asked: Decided) -> Answer:
    taken = await answer_review(call.service, asked.id, asked.status, asked.answer, asked.comment)
    return Answer(f"Review {taken.id} is {taken.status}.", taken.model_dump(mode="json"))


TOOLS = (
    Tool("list_reviews", "List what waits for the person's decision, longest waiting first.", Reviews, quick(_list)),
    Tool("show_review", "Show one review: the proposal, its evidence, and what was found.", Shown, quick(_show)),
    Tool(
        "answer_review",
        "Pass on the person's decision on one review. The decision is the person's, never yours: show the proposal and"
        " what was found, ask, and call this only with what the person then said. The first answer counts.",
        Decided,
        _answer,
        reads=False,
        writes=True,
    ),
)
