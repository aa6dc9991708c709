"""A person's changes to a proposal, kept on disk until they are sent: no reload and no restart loses one."""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from pydantic import TypeAdapter, ValidationError

from studium.core.domain.errors import BadInput
from studium.core.domain.finding import Finding
from studium.core.files import write_text
from studium.running.concepts.reviewing import Round
from studium.workflows.concepts.changes import Change
from studium.workflows.concepts.proposal import Proposal
from studium.workflows.concepts.revising.applying import apply_changes

_CHANGES = TypeAdapter(tuple[Change, ...])
_WRITING = Lock()


class Draft:
    """What would stand if the person's changes so far were sent; several tabs share it."""

    def __init__(self, waiting: Round, folder: Path) -> None:
        self.round = waiting
        self.quotes = waiting.quotes
        self._given = waiting.proposal
        self._file = folder / f"concepts-{waiting.fingerprint}.json"

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes so far, in their order."""
        try:
            return _CHANGES.validate_json(self._file.read_bytes())
        except (FileNotFoundError, ValidationError):
            return ()

    @property
    def proposal(self) -> Proposal:
        """What stands after the changes so far."""
        return self._after(self.changes)[0]

    def add(self, change: Change) -> None:
        """Make one more change; one that makes no sense is refused, and nothing is changed."""
        with _WRITING:
            changes = (*self.changes, change)
            _, refused = self._after(changes)
            if refused:
                raise BadInput(refused[-1].message, remedy="Nothing was changed by it.")
            self._keep(changes)

    def take_back(self) -> None:
        """Take the last change back."""
        with _WRITING:
            self._keep(self.changes[:-1])

    def forget(self) -> None:
        """Drop all changes, once they were sent."""
        self._file.unlink(missing_ok=True)

    def _keep(self, changes: Sequence[Change]) -> None:
        write_text(self._file, _CHANGES.dump_json(tuple(changes), exclude_defaults=True).decode())

    def _after(self, changes: Sequence[Change]) -> tuple[Proposal, tuple[Finding, ...]]:
        # The ids of new concepts are given when the answer is carried out; until then any will do.
        return apply_changes(
            self._given, changes, quotes=list(self.quotes), new_uuid=lambda title, keys: f"{title} {'|'.join(keys)}"
        )
