"""Numbers as people read them: how long, how much, which share."""

from datetime import UTC, datetime

from studium.core.database.metrics import Spent
from studium.core.domain.run import Run

_LEAST, _TEN_MS, _MINUTE, _HOUR = 0.000_1, 0.01, 60, 3_600


def duration(seconds: float | None) -> str:
    """`1.2 s`, `340 ms`, `2 min 5 s`; a dash where nothing was measured."""
    if seconds is None:
        return "–"
    if seconds >= _HOUR:
        return f"{seconds // _HOUR:.0f} h {seconds % _HOUR // _MINUTE:.0f} min"
    if seconds >= _MINUTE:
        return f"{seconds // _MINUTE:.0f} min {seconds % _MINUTE:.0f} s"
    if seconds < _LEAST:
        return "< 0.1 ms"
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.{int(seconds < _TEN_MS)}f} ms"


def took(run: Run) -> str:
    """How long a run took, or has taken so far."""
    return duration(((run.finished_at or datetime.now(UTC)) - run.started_at).total_seconds())


def money(spent: Spent) -> str:
    """What calls cost; what nobody knows is said, not taken for nothing."""
    if spent.cost is None:
        return "unknown"
    told = f"{spent.cost:.2f}" if spent.cost >= 1 else f"{spent.cost:.4f}".rstrip("0").rstrip(".")
    return f"{'≥ ' if spent.unpriced else ''}{told}"


def moment(when: datetime) -> str:
    """A moment by the clock of the computer Studium runs on."""
    return f"{when.astimezone():%Y-%m-%d %H:%M}"
