"""All that there is to know about one review, gathered before it is shown."""

from dataclasses import dataclass
from typing import Any

from studium.app.service import Service
from studium.core.domain.decision import Review
from studium.faculties.inbox import changes
from studium.web.inbox.sides import FieldSides, three_sides
from studium.web.inbox.sources import Source, sources_of


@dataclass(frozen=True)
class Look:
    """One review: what it was made from, what changed, and what it would overwrite."""

    review: Review
    arguments: dict[str, Any]
    sources: list[Source]
    changes: list[str]
    sides: list[FieldSides]


def look_at(service: Service, given: str) -> Look:
    """Everything about a review; its sources are read where that is allowed."""
    ledger = service.ledger
    review = ledger.reviews.get(given)
    arguments = ledger.runs.get(review.run).arguments
    sources = sources_of(service, review.decision.evidence, str(arguments.get("vault", "")))
    order = review.decision.order or {}
    known = ledger.published.versions(str(arguments.get("sink", ""))) if order.get("kind") == "update" else {}
    sides = three_sides(order, known.get(str(order.get("card_id", ""))))
    return Look(review, arguments, list(sources), changes(ledger, review), sides)
