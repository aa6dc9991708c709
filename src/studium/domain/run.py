"""Runs: one piece of work of a faculty, from its start to its end."""

from datetime import datetime
from typing import Any, Literal

from studium.domain.value import Value

RunStatus = Literal["done", "interrupted", "failed"]
"""How a run ended; only one that is done has nothing left to resume."""


class Run(Value):
    """One run of a faculty: what it was asked to do, and how it went."""

    id: str
    faculty: str
    arguments: dict[str, Any]
    status: RunStatus | Literal["running"] = "running"
    started_at: datetime
    finished_at: datetime | None = None
    note: str | None = None
