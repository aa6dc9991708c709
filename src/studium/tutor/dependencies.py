"""What the tutor's graph nodes depend on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from studium.core.domain.ports import Model
from studium.tutor.domain import CheckResult, Diagnosis, Lab
from studium.tutor.error_detection.detector import ErrorDetector
from studium.tutor.knowledge import Knowledge
from studium.tutor.state import Proof


class LiveLab(Protocol):
    """A running lab; calls block until the devices answer."""

    @property
    def lab(self) -> Lab:
        """The lab."""
        ...

    def running_config(self, device: str) -> str:
        """The running configuration of a device."""
        ...

    def look(self, device: str, command: str) -> str:
        """Run a read-only command on a device; other commands return a refusal message."""
        ...

    def check(self) -> Sequence[CheckResult]:
        """Which goals of the lab are reached."""
        ...

    def inject_fault(self, topic: str, /) -> str:
        """Break one thing in the lab if the student allows it; return the symptom as a question."""
        ...

    def prove(self, diagnosis: Diagnosis, device: str, way: Sequence[str], /) -> Proof:
        """Try a fix on a copy of the lab, after the commands in `way`, and report the result."""
        ...


def _nothing_runs() -> LiveLab | None:
    return None


@dataclass(frozen=True)
class TutorDependencies:
    """The models, the knowledge base and the lab's devices."""

    model: Model
    detector: ErrorDetector
    knowledge: Callable[[str], Knowledge]
    lab: Callable[[str], Lab]
    live: Callable[[], LiveLab | None] = _nothing_runs
