"""What the flags of `studium concepts review` say to a proposal."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium.cli.editing import edited
from studium.core.domain.errors import BadInput
from studium.faculties.inbox import as_yaml, read_yaml

if TYPE_CHECKING:
    from studium.running.concepts.reviewing import Round
    from studium.workflows.concepts.changes import Change, ReviewAnswer


@dataclass(frozen=True)
class Wish:
    """What the flags of `review` ask for."""

    approve: bool = False
    reject: tuple[str, ...] = ()
    restore: tuple[str, ...] = ()
    unmerge: tuple[str, ...] = ()
    merge: tuple[str, ...] = ()
    feedback: str = ""
    file: Path | None = None
    edit: bool = False

    def changes(self) -> "tuple[Change, ...]":
        """The changes to the proposal that these flags mean."""
        from studium.workflows.concepts.changes import Change

        merged = [[key.strip() for key in keys.split(",")] for keys in self.merge]
        return (
            *(Change(action="restore", concept=key) for key in self.restore),
            *(Change(action="unmerge", concept=key) for key in self.unmerge),
            *(Change(action="merge", concept=keys[0], others=tuple(keys[1:])) for keys in merged),
            *(Change(action="reject", concept=key) for key in self.reject),
            *(_changes_in(self.file) if self.file else ()),
        )

    def answer(self, waiting: "Round") -> "ReviewAnswer | None":
        """The answer that these flags give to what waits, and the person's editor, if that is wanted."""
        from studium.workflows.concepts.changes import ReviewAnswer
        from studium.workflows.concepts.revising.editing import changes_from

        wanted = list(self.changes())

        def take(document: dict[str, Any]) -> None:
            wanted.extend(changes_from(waiting.proposal, document))

        if self.edit and not edited(as_yaml(waiting.document()), take, may_ask=sys.stdin.isatty()) and not wanted:
            return None
        if not (wanted or self.feedback or self.approve):
            return None
        return ReviewAnswer(approved=self.approve, feedback=self.feedback, changes=tuple(wanted))


def _changes_in(file: Path) -> "list[Change]":
    from pydantic import TypeAdapter, ValidationError

    from studium.workflows.concepts.changes import Change

    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}.") from error
    try:
        return TypeAdapter(list[Change]).validate_python(read_yaml(text).get("changes"))
    except ValidationError as error:
        raise BadInput(f"{file} holds no changes: {error}", remedy="Write them as `changes: [{action: …}]`.") from error
