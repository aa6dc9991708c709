"""What is remembered of a student: how well she knows each topic, what she typed and what was said in each lab."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pydantic import TypeAdapter, ValidationError

from studium.core.domain.value import Value
from studium.core.files import wait_for_lock, write_text
from studium.tutor.domain import TypedCommand
from studium.tutor.mastery import Learner
from studium.tutor.state import Citation, Proof

_KEPT = 500
MAX_SAVED_EXCHANGES = 100
"""How much of a talk is kept: two hundred messages, half of them hers."""


class ChatExchange(Value):
    """A question of the student and what the tutor said to it, or what went wrong; neither, if she still waits."""

    question: str
    response: str = ""
    citations: tuple[Citation, ...] = ()
    proofs: tuple[Proof, ...] = ()
    problem: str = ""
    remedy: str = ""


class HasLearner(Protocol):
    """Whoever knows the student, as a tutor does."""

    learner: Learner


@dataclass
class _Known:
    learner: Learner = field(default_factory=Learner)


_TALK = TypeAdapter(tuple[ChatExchange, ...])


@dataclass(frozen=True)
class StudentStore:
    """A student's folder."""

    folder: Path

    def learner(self) -> Learner:
        """What she knows; a file that cannot be read is as if there were none."""
        try:
            return Learner.model_validate_json(self._learner.read_text("utf-8"))
        except (FileNotFoundError, ValidationError):
            return Learner()

    @contextmanager
    def learning(self, who: HasLearner | None = None) -> Iterator[HasLearner]:
        """Let her learn: `who` knows what she knows now, and what he knows at the end of the block is kept.

        Nobody else changes it meanwhile, in this process or another; so nothing that takes long belongs in the block.
        """
        who = who or _Known()
        with wait_for_lock(self.folder, "what the student knows"):
            before = who.learner = self.learner()
            yield who
            if who.learner != before:
                write_text(self._learner, who.learner.model_dump_json())

    def history(self, lab: str) -> list[TypedCommand]:
        """What she typed last in a lab; a line that was cut off when the power went is left out."""
        try:
            lines = self._history(lab).read_bytes().splitlines()
        except FileNotFoundError:
            return []
        return list(_read(lines[-_KEPT:]))

    def typed(self, lab: str, typed: TypedCommand) -> None:
        """Keep a command that she typed."""
        path = self._history(lab)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(typed.model_dump_json() + "\n")

    def forget(self, lab: str) -> None:
        """Put aside what she typed and reached in a lab, which she begins anew."""
        self._history(lab).unlink(missing_ok=True)
        with self.learning() as known:
            known.learner = known.learner.beginning(lab)

    def talk(self, lab: str) -> tuple[ChatExchange, ...]:
        """What she and the tutor said in a lab; a file that cannot be read is as if there were none."""
        try:
            return _TALK.validate_json(self._talk(lab).read_bytes())
        except (FileNotFoundError, ValidationError):
            return ()

    def keep_talk(self, lab: str, said: Sequence[ChatExchange]) -> None:
        """Keep the last of what they said, and nothing else."""
        if said:
            write_text(self._talk(lab), _TALK.dump_json(tuple(said[-MAX_SAVED_EXCHANGES:])).decode())
        else:
            self._talk(lab).unlink(missing_ok=True)

    @property
    def _learner(self) -> Path:
        return self.folder / "learner.json"

    def _history(self, lab: str) -> Path:
        return self.folder / "labs" / f"{lab}.jsonl"

    def _talk(self, lab: str) -> Path:
        return self.folder / "talks" / f"{lab}.json"


def _read(lines: Sequence[bytes]) -> Iterator[TypedCommand]:
    for line in lines:
        with suppress(ValidationError):
            yield TypedCommand.model_validate_json(line)
