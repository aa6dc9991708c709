"""Published versions of cards and notes, and every change made to a sink, so that it can be undone."""

from enum import StrEnum
from typing import Any

from pydantic import Field

from studium.core.domain.value import Value


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
