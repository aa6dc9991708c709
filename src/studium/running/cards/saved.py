"""A plan as a file: `studium cards plan --json` writes it, `studium cards apply` takes it."""

import json
from pathlib import Path

from pydantic import ValidationError

from studium.core.domain.change import FileState
from studium.core.domain.errors import BadInput, Conflict
from studium.core.domain.value import Value
from studium.running.cards.scanning import NoteFile, Scan
from studium.running.cards.syncing import Synced


class SavedPlan(Value):
    """What a plan was made for and of: the run that holds its decisions, and the notes as they were."""

    run: str
    vault: Path
    to: str
    notes: dict[str, FileState]

    @classmethod
    def of(cls, synced: Synced, to: str) -> "SavedPlan":
        """What has to be kept of a plan."""
        notes = {file.name: file.seen for file in synced.scan.changed}
        return cls(run=synced.plan.run, vault=synced.scan.root.resolve(), to=to, notes=notes)

    @classmethod
    def read(cls, path: Path) -> "SavedPlan":
        """Read a plan that was saved."""
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
            return cls.model_validate({name: known[name] for name in cls.model_fields})
        except OSError as error:
            raise BadInput(f"{path} cannot be read: {error.strerror}.") from error
        except (ValueError, KeyError, TypeError, ValidationError) as error:
            raise BadInput(
                f"{path} is not a plan of cards.", remedy="Make one: studium cards plan VAULT --json"
            ) from error

    def scan(self) -> Scan:
        """The notes of the plan; a Conflict if one of them is not as it was."""
        for name, seen in self.notes.items():
            try:
                found = (self.vault / name).stat()
            except OSError as error:
                raise _changed(name) from error
            if (found.st_mtime_ns, found.st_size) != (seen.modified, seen.size):
                raise _changed(name)
        files = {name: NoteFile(name, self.vault / name, seen) for name, seen in self.notes.items()}
        return Scan(self.vault, files, tuple(files.values()), frozenset(files), whole=False)


def _changed(name: str) -> Conflict:
    return Conflict(f"{name} changed since the plan was made; nothing was written.", remedy="Make a new plan.")
