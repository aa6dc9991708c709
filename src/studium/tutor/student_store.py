"""Stores a student's mastery, and per lab the typed commands and the chat."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from pydantic import TypeAdapter, ValidationError

from studium.core.domain.value import Value
from studium.core.files import keep_private, make_folder, wait_for_lock, write_text
from studium.tutor.domain import TypedCommand
from studium.tutor.mastery import Learner
from studium.tutor.state import Citation, Proof

_KEPT = 500
MAX_SAVED_EXCHANGES = 100
"""How much of a chat is kept: 200 messages."""


class ChatExchange(Value):
    """A question with its answer or error; neither while it is pending."""

    question: str
    response: str = ""
    citations: tuple[Citation, ...] = ()
    proofs: tuple[Proof, ...] = ()
    problem: str = ""
    remedy: str = ""


class HasLearner(Protocol):
    """Something with a learner, such as a tutor."""

    learner: Learner


@dataclass
class _Known:
    learner: Learner = field(default_factory=Learner)


_CONVERSATION = TypeAdapter(tuple[ChatExchange, ...])


@dataclass(frozen=True)
class StudentStore:
    """A student's folder."""

    folder: Path

    def learner(self) -> Learner:
        """Load the learner; a missing or unreadable file gives a new one."""
        try:
            return Learner.model_validate_json(self._learner.read_text("utf-8"))
        except (FileNotFoundError, ValidationError):
            return Learner()

    @contextmanager
    def update_learner(self, who: HasLearner | None = None) -> Iterator[HasLearner]:
        """Update the learner: loads it into `who`, and saves it at the end of the block.

        Holds a lock across processes, so the block must be short.
        """
        who = who or _Known()
        with wait_for_lock(self.folder, "what the student knows"):
            before = who.learner = self.learner()
            yield who
            if who.learner != before:
                write_text(self._learner, who.learner.model_dump_json())

    def history(self, lab: str) -> list[TypedCommand]:
        """The last commands typed in a lab; damaged lines are skipped."""
        try:
            lines = self._history(lab).read_bytes().splitlines()
        except FileNotFoundError:
            return []
        return list(_read(lines[-_KEPT:]))

    def typed(self, lab: str, typed: TypedCommand) -> None:
        """Append a typed command."""
        path = self._history(lab)
        make_folder(path.parent)
        with path.open("a", encoding="utf-8") as file:
            keep_private(path)
            file.write(typed.model_dump_json() + "\n")

    def forget(self, lab: str) -> None:
        """Delete a lab's history and reached goals."""
        self._history(lab).unlink(missing_ok=True)
        with self.update_learner() as known:
            known.learner = known.learner.restart_lab(lab)

    def conversation(self, lab: str) -> tuple[ChatExchange, ...]:
        """Load the chat of a lab; a missing or unreadable file is an empty chat."""
        try:
            return _CONVERSATION.validate_json(self._conversation_file(lab).read_bytes())
        except (FileNotFoundError, ValidationError):
            return ()

    def save_conversation(self, lab: str, said: Sequence[ChatExchange]) -> None:
        """Save the end of the chat."""
        if said:
            write_text(
                self._conversation_file(lab), _CONVERSATION.dump_json(tuple(said[-MAX_SAVED_EXCHANGES:])).decode()
            )
        else:
            self._conversation_file(lab).unlink(missing_ok=True)

    @property
    def _learner(self) -> Path:
        return self.folder / "learner.json"

    def _history(self, lab: str) -> Path:
        return self.folder / "labs" / f"{lab}.jsonl"

    def _conversation_file(self, lab: str) -> Path:
        return self.folder / "talks" / f"{lab}.json"


def _read(lines: Sequence[bytes]) -> Iterator[TypedCommand]:
    for line in lines:
        with suppress(ValidationError):
            yield TypedCommand.model_validate_json(line)
