"""When something was, as a person says it."""

from datetime import UTC, datetime

_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def ago(moment: datetime, now: datetime | None = None) -> str:
    """`3 minutes ago`."""
    passed = ((now or datetime.now(UTC)) - moment).total_seconds()
    for seconds, unit in _UNITS:
        if passed >= seconds:
            many = int(passed // seconds)
            return f"{many} {unit}{'s' if many > 1 else ''} ago"
    return "just now"
