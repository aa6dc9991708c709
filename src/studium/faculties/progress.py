"""How long work tells how far it has come."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from studium.running.job import Progress

OnProgress: TypeAlias = "Callable[[Progress], None]"


def ignore(_progress: "Progress") -> None:
    """Tell nobody."""


def counting(what: str, on_progress: OnProgress) -> Callable[[int, int], None]:
    """Hears how much of something is done, and of how much, and tells it on."""
    from studium.running.job import Progress

    return lambda done, total: on_progress(Progress(done, total, what))
