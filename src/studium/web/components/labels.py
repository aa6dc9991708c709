"""Labels: a number with its name, a chip, counts and times in words."""

from datetime import UTC, datetime
from typing import Literal

from nicegui import html, ui

Tone = Literal["neutral", "good", "warn", "bad", "info", "accent"]
"""The colour of a chip; its word always says the same."""

_TONES: dict[str, Tone] = {
    "create": "good",
    "update": "info",
    "skip": "neutral",
    "manual_review": "warn",
    "error": "bad",
    "warning": "warn",
    "info": "info",
    "done": "good",
    "running": "info",
    "waiting": "neutral",
    "failed": "bad",
    "interrupted": "warn",
    "cancelled": "neutral",
    "open": "warn",
    "approved": "good",
    "edited": "info",
    "rejected": "bad",
    "responded": "accent",
}


def stat(name: str, value: object, *, note: str = "") -> ui.element:
    """A number and what it counts."""
    with ui.element("div").classes("s-stat") as made:
        html.span(str(value)).classes("s-stat-value")
        html.span(name).classes("s-stat-name")
        if note:
            html.span(note).classes("s-muted")
    return made


def chip(text: str, tone: Tone | None = None) -> ui.element:
    """A word on a coloured background; actions, severities and statuses have a colour of their own."""
    made: ui.element = html.span(text.replace("_", " ")).classes(f"s-chip s-{tone or _TONES.get(text, 'neutral')}")
    return made


def counted(number: int, one: str, many: str = "") -> str:
    """`1 quote`, `3 quotes`."""
    return f"{number:,} {noun(number, one, many)}"


def noun(number: int, one: str, many: str = "") -> str:
    """The singular or plural: `quote`, `quotes`."""
    return one if number == 1 else many or f"{one}s"


_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def ago(moment: datetime, now: datetime | None = None) -> str:
    """`3 minutes ago`."""
    passed = ((now or datetime.now(UTC)) - moment).total_seconds()
    for seconds, unit in _UNITS:
        if passed >= seconds:
            many = int(passed // seconds)
            return f"{counted(many, unit)} ago"
    return "just now"
