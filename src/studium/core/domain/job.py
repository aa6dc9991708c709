"""Jobs: work requested over HTTP, on a page or by an assistant, and done in the background."""

from datetime import datetime
from typing import Any, Literal

from typing_extensions import TypedDict

from studium.core.domain.value import Value

JobStatus = Literal["waiting", "running", "done", "failed", "cancelled"]
"""The state of a job; `waiting` and `running` are unfinished."""


class ProblemDetails(TypedDict):
    """An error as a problem document (RFC 9457), and what to do about it."""

    type: str
    title: str
    status: int
    detail: str
    remedy: str


class Job(Value):
    """One piece of work: its request, its progress and its result.

    `result` is what the command prints with `--json`; `problem` says why there is none; `files` are those it made.
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
    problem: ProblemDetails | None = None
    files: tuple[str, ...] = ()
    placed_at: datetime
    ended_at: datetime | None = None

    @property
    def is_finished(self) -> bool:
        """Whether it has ended, one way or another."""
        return self.status not in ("waiting", "running")


class JobEvent(Value):
    """A numbered event of a job: `progress`, `status`, or a feature's own kind."""

    number: int
    kind: str
    data: dict[str, Any]


class StoredResponse(Value):
    """The response to a request with an idempotency key, and the fingerprint of that request."""

    fingerprint: str
    status: int
    headers: dict[str, str]
    body: str
