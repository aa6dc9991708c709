"""Orders: work that was asked for over HTTP, on a page or by an assistant, and is carried out in the background."""

from datetime import datetime
from typing import Any, Literal

from studium.core.domain.value import Value

JobStatus = Literal["waiting", "running", "done", "failed", "cancelled"]
"""Where an order stands; only the first two have anything to come."""


class Job(Value):
    """One piece of work: what was asked for, how far it is, and what came of it.

    `result` is what the command line prints with `--json`; `problem` says why there is none; `files` were made by it.
    """

    id: str
    kind: str
    request: dict[str, Any]
    status: JobStatus = "waiting"
    run: str | None = None
    done: int = 0
    total: int = 0
    item: str = ""
    result: Any = None
    problem: dict[str, Any] | None = None
    files: tuple[str, ...] = ()
    placed_at: datetime
    ended_at: datetime | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to come."""
        return self.status not in ("waiting", "running")


class JobEvent(Value):
    """Something that happened to an order, in the order in which it did: `progress`, `status`, or a feature's own."""

    number: int
    kind: str
    data: dict[str, Any]


class StoredResponse(Value):
    """What was answered to a request that carried an idempotency key, and to which request."""

    fingerprint: str
    status: int
    headers: dict[str, str]
    body: str
