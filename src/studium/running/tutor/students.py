"""What is remembered of a student: how well she knows each topic, and what she typed in each lab."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from studium.domain.lab import Typed
from studium.stores.files import write_text
from studium.workflows.tutor.mastery.learner import Learner

_KEPT = 500


@dataclass(frozen=True)
class Student:
    """A student's folder."""

    folder: Path

    def learner(self) -> Learner:
        """What she knows; a file that cannot be read is as if there were none."""
        try:
            return Learner.model_validate_json(self._learner.read_text("utf-8"))
        except (FileNotFoundError, ValidationError):
            return Learner()

    def remember(self, learner: Learner) -> None:
        """Keep what she knows."""
        write_text(self._learner, learner.model_dump_json())

    def history(self, lab: str) -> list[Typed]:
        """What she typed last in a lab."""
        try:
            lines = self._history(lab).read_text("utf-8").splitlines()
        except FileNotFoundError:
            return []
        return [Typed.model_validate_json(line) for line in lines[-_KEPT:]]

    def typed(self, lab: str, typed: Typed) -> None:
        """Keep a command that she typed."""
        path = self._history(lab)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(typed.model_dump_json() + "\n")

    def forget(self, lab: str) -> None:
        """Put aside what she typed and reached in a lab, which she begins anew."""
        self._history(lab).unlink(missing_ok=True)
        self.remember(self.learner().beginning(lab))

    @property
    def _learner(self) -> Path:
        return self.folder / "learner.json"

    def _history(self, lab: str) -> Path:
        return self.folder / "labs" / f"{lab}.jsonl"
