"""The errors that users see, by who must act.

    StudiumError
    ├── BadInput            the file, flag or answer given to us must change
    │   ├── BadSettings     … in studium.yaml, a STUDIUM_* variable or a flag
    │   ├── NotFound        … it names something that is not there
    │   ├── Conflict        … it was decided or changed meanwhile
    │   └── LimitPassed     … reading it takes more than it may
    ├── MissingPart         a service, model or package must be installed or started
    │   ├── MissingExtra    … a Python package
    │   ├── MissingModel    … a model
    │   └── ServiceDown     … a server does not answer, or refuses us
    ├── DocumentExhaustedError  another document must be chosen: this one yields no further question
    ├── InternalFault       Studium itself failed at this item: it must be reported
    ├── StorageFailed       the disk or database must be made writable
    └── Interrupted         the run was stopped and can be resumed

Rejected material is not here: it is a Finding.
"""

from typing import Any


class StudiumError(Exception):
    """An error that the user can act on: what happened, and the remedy."""

    remedy = "Run the command again with --verbose and report what it prints."

    def __init__(self, what: str, *, remedy: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.remedy = remedy or type(self).remedy

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it by its values: an error passes between processes whatever its constructor takes."""
        return _restore, (type(self), self.args, self.__dict__)


def _restore(kind: type[StudiumError], args: tuple[Any, ...], values: dict[str, Any]) -> StudiumError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(values)
    return error


class BadInput(StudiumError):
    """The input cannot be used."""

    remedy = "Correct what you gave and run the command again."


class BadSettings(BadInput):
    """A setting is unknown or has a value that cannot be used."""

    remedy = "Correct the setting; docs/configuration.md lists every key."


class NotFound(BadInput):
    """The named thing does not exist."""

    remedy = "Check the name."


class Conflict(BadInput):
    """It was decided or changed elsewhere first."""

    remedy = "Look at the current state and decide again."


class LimitPassed(BadInput):
    """Reading it takes more CPU, memory or depth than it may, or crashes its reader; `limit` says which."""

    remedy = "Split or simplify it, or raise the limit under `limits`."

    def __init__(self, what: str, *, remedy: str | None = None, limit: str = "") -> None:
        super().__init__(what, remedy=remedy)
        self.limit = limit


class MissingPart(StudiumError):
    """A required part is missing."""

    remedy = "Run `studium doctor` to see what is missing."


class MissingExtra(MissingPart):
    """An optional Python package is not installed."""


class MissingModel(MissingPart):
    """The model is not on the server."""


class ServiceDown(MissingPart):
    """A server does not answer, or refuses our key."""


class DocumentExhaustedError(StudiumError):
    """The generator reports that no further question can be made from a document."""

    remedy = "Set a model as generator (`roles.questions.generator`), or choose another document."


class InternalFault(StudiumError):
    """Studium itself failed at one item; others may work."""

    remedy = "This is a fault of Studium, not of your file. Please report it; `--verbose` prints where it failed."


class StorageFailed(StudiumError):
    """The disk or the database refused a write; nothing half-written is left."""

    remedy = "Free disk space or make the folder writable, then run the command again."


class Interrupted(StudiumError):
    """The run was stopped; what was done is kept."""

    remedy = "Run the same command with --resume to continue."
