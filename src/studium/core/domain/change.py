"""What was published: the base of each card or note, and every change made to a sink, so that it can be undone."""

from enum import StrEnum
from typing import Any

from pydantic import Field

from studium.core.domain.value import Value


class PublishedVersion(Value):
    """What we last wrote under one key of a sink: the fields, and what else the sink needs to know it by."""

    fields: dict[str, str]
    about: dict[str, Any] = Field(default_factory=dict)


class FileState(Value):
    """A file as it was when all that it asks for was settled. `stamp` names the rules it was read by."""

    modified: int
    size: int
    stamp: str


class ChangeStatus(StrEnum):
    """Where a change stands."""

    PLANNED = "planned"
    APPLIED = "applied"
    REFUSED = "refused"
    UNDONE = "undone"


class Change(Value):
    """One change to a sink, written down before it is made: `before` is the pre-image, `None` for what is new."""

    key: str
    kind: str
    before: dict[str, Any] | None
    after: dict[str, Any]
    status: ChangeStatus = ChangeStatus.PLANNED
    position: int = 0
