"""Decisions, plans and reviews: what should happen to each item; and changes: what was published, to be undone."""

import json
from collections import Counter
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any

from pydantic import AliasChoices, Field

from studium.core.domain.finding import Evidence, Finding
from studium.core.domain.value import Value


class Action(StrEnum):
    """What happens to an item."""

    CREATE = "create"
    UPDATE = "update"
    SKIP = "skip"
    MANUAL_REVIEW = "manual_review"


class Decision(Value):
    """What should happen to one item, and why.

    `proposal` is the material itself in JSON, `proposal_schema` the JSON schema that a person's edit must satisfy,
    `change` what to do in the destination, as the feature stores it (`AnkiChange` for cards). Plans made before the
    field had this name call it `order`.
    """

    item: str
    action: Action
    reasons: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    proposal: dict[str, Any] | None = None
    proposal_schema: dict[str, Any] | None = None
    change: dict[str, Any] | None = Field(default=None, validation_alias=AliasChoices("change", "order"))
    score: float | None = None


class Plan(Value):
    """The decisions of one run: it can be shown, saved, applied and undone."""

    run: str
    feature: str
    decisions: tuple[Decision, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many decisions there are of each action."""
        found = Counter(decision.action for decision in self.decisions)
        return {action.value: found[action] for action in Action}


class ReviewStatus(StrEnum):
    """The status of a review."""

    OPEN = "open"
    APPROVED = "approved"
    EDITED = "edited"
    REJECTED = "rejected"
    RESPONDED = "responded"


class Review(Value):
    """A decision that waits for a person, or the person's answer to it.

    Its id is a hash of the item and the proposal, so the same question is never asked twice.
    """

    id: str
    run: str
    feature: str
    decision: Decision
    status: ReviewStatus = ReviewStatus.OPEN
    answer: dict[str, Any] | None = None
    comment: str | None = None
    opened_at: datetime
    answered_at: datetime | None = None


class ReviewLine(Value):
    """A review in one line: what it is about, and the first reason for it."""

    id: str
    feature: str
    item: str
    status: ReviewStatus
    doubt: str
    opened_at: datetime


def review_id(feature: str, decision: Decision) -> str:
    """The id of a review: a hash of feature, item, proposal and the codes of its findings."""
    doubt = decision.model_dump(mode="json", include={"item", "proposal"})
    codes = sorted(finding.code for finding in decision.findings)
    return sha256(json.dumps([feature, doubt, codes], sort_keys=True).encode()).hexdigest()[:12]


class PublishedVersion(Value):
    """What we last wrote under one key of a sink: the fields, and the feature's details (`CardDetails` for cards)."""

    fields: dict[str, str]
    about: dict[str, Any] = Field(default_factory=dict)


class FileState(Value):
    """A file as it was when it was last synced completely; `stamp` identifies the rules it was read by."""

    modified: int
    size: int
    stamp: str


class ChangeStatus(StrEnum):
    """The status of a change."""

    PLANNED = "planned"
    APPLIED = "applied"
    REFUSED = "refused"
    UNDONE = "undone"


class Change(Value):
    """One change to a sink, recorded before it is made; `before` is `None` for something new."""

    key: str
    kind: str
    before: dict[str, Any] | None
    after: dict[str, Any]
    status: ChangeStatus = ChangeStatus.PLANNED
    position: int = 0
