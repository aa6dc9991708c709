"""When something was, as a person says it."""

from datetime import UTC, datetime

from studium.web.parts.figures import counted

_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def ago(moment: datetime, now: datetime | None = None) -> str:
    """`3 minutes ago`."""
    passed = ((now or datetime.now(UTC)) - moment).total_seconds()
    for seconds, unit in _UNITS:
        if passed >= seconds:
            many = int(passed // seconds)
            return f"{counted(many, unit)} ago"
    return "just now"
