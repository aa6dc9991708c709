"""Errors as problem details (RFC 9457)."""

from studium.core.domain.errors import (
    BadInput,
    BadSettings,
    Conflict,
    Interrupted,
    MissingPart,
    NotFound,
    StorageFailed,
    StudiumError,
)
from studium.core.domain.job import ProblemDetails
from studium.core.redaction import redact

# The first match counts, so subclasses come first. Bad settings are the server's fault, not the caller's.
_STATUSES: tuple[tuple[type[StudiumError], int, str], ...] = (
    (BadSettings, 500, "The server's settings cannot be used"),
    (NotFound, 404, "Not found"),
    (Conflict, 409, "Already decided or changed"),
    (BadInput, 422, "The input cannot be used"),
    (MissingPart, 503, "A needed part is missing"),
    (Interrupted, 503, "The run was interrupted"),
    (StorageFailed, 507, "The storage refused it"),
    (StudiumError, 500, "Something failed"),
)

_LONGEST = 300
RESUME_HINT = "Resume it to continue; what is done is kept."
"""What to do about a job that ended early."""


def problem_details(error: StudiumError) -> ProblemDetails:
    """The problem document of an error."""
    status, title = next((status, title) for kind, status, title in _STATUSES if isinstance(error, kind))
    return {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": redact(str(error)),
        "remedy": redact(error.remedy),
    }


def unexpected_problem(error: Exception) -> ProblemDetails:
    """The problem document of an unexpected error, shortened; the log has more."""
    said = " ".join(f"{type(error).__name__}: {error}".split())
    shown = said if len(said) <= _LONGEST else f"{said[:_LONGEST]}…"
    return problem_details(StudiumError(shown, remedy="The server's log says where; report it."))


def crash_problem(code: int | None) -> ProblemDetails:
    """The problem document of a job whose process crashed."""
    how = f"by signal {-code}" if code is not None and code < 0 else f"with code {code}"
    return problem_details(Interrupted(f"The job's process ended {how}.", remedy=RESUME_HINT))
