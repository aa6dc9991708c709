"""What the steps of the tutor work with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from studium.core.domain.ports import Model
from studium.tutor.domain import CheckResult, Diagnosis, Lab
from studium.tutor.error_detection.detector import ErrorDetector
from studium.tutor.knowledge import Knowledge
from studium.tutor.state import Proof


class LiveLab(Protocol):
    """A lab whose devices run; every call waits for them."""

    @property
    def lab(self) -> Lab:
        """The lab."""
        ...

    def running_config(self, device: str) -> str:
        """The running configuration of a device."""
        ...

    def look(self, device: str, command: str) -> str:
        """What a device says to a command that changes nothing; any other command is refused in words."""
        ...

    def check(self) -> Sequence[CheckResult]:
        """Which goals of the lab are reached."""
        ...

    def inject_fault(self, topic: str, /) -> str:
        """Break one thing in the lab, if the student allows it; what she then sees, as a question."""
        ...

    def prove(self, diagnosis: Diagnosis, device: str, way: Sequence[str], /) -> Proof:
        """Try the fix of a diagnosis on a copy of the lab, from the place that `way` leads to; say what came of it."""
        ...


def _nothing_runs() -> LiveLab | None:
    return None


@dataclass(frozen=True)
class TutorDependencies:
    """Who answers, what is known, and the lab's devices where they run."""

    model: Model
    detector: ErrorDetector
    knowledge: Callable[[str], Knowledge]
    lab: Callable[[str], Lab]
    live: Callable[[], LiveLab | None] = _nothing_runs
