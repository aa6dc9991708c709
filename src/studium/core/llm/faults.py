"""Faults: what went wrong in a call, whichever client raised it, and what that means for the user.

Every client has its own exceptions over its own HTTP library (httpx, httpx2, aiohttp), and some throw away the reply
they came from. So a fault is read from the whole chain of causes, by status code and by kind.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus

from studium.core.domain.errors import MissingModel, ServiceDown, StudiumError
from studium.core.domain.finding import Finding, Severity
from studium.core.llm.providers import KEY_VARIABLES, ModelSpec
from studium.core.redaction import redact

LONGEST_WAIT = 60.0
_FIRST_WAIT = 0.5
_LONGEST_DETAIL = 300
_RETRY_DELAY = re.compile(r"""retryDelay["']?\s*:\s*["'](\d+(?:\.\d+)?)s""")


class FaultKind(StrEnum):
    """Why a call failed, in words for a message."""

    BUSY = "too many requests"
    BROKEN = "an error of the server"
    SLOW = "no reply in time"
    DROPPED = "the connection was dropped"
    GARBLED = "a reply that cannot be read"
    REFUSED = "no connection"
    DENIED = "the key was refused"
    NO_MODEL = "the model is not there"
    REJECTED = "the request was rejected"


_TRANSIENT = frozenset(
    {FaultKind.BUSY, FaultKind.BROKEN, FaultKind.SLOW, FaultKind.DROPPED, FaultKind.GARBLED, FaultKind.REFUSED}
)
_BY_STATUS = {
    401: FaultKind.DENIED,
    403: FaultKind.DENIED,
    404: FaultKind.NO_MODEL,
    408: FaultKind.SLOW,
    409: FaultKind.BUSY,
    429: FaultKind.BUSY,
}
# The names are shared by httpx, httpx2, the clients built on them, and aiohttp.
_BY_NAME = (
    (re.compile("Timeout"), FaultKind.SLOW),
    (re.compile("^(ConnectError|ConnectionError|ClientConnectorError)$"), FaultKind.REFUSED),
    (
        re.compile("^(ReadError|WriteError|RemoteProtocolError|CloseError|ConnectionResetError|BrokenPipeError)$"),
        FaultKind.DROPPED,
    ),
    (re.compile("^(ServerDisconnectedError|ClientOSError|ClientPayloadError)$"), FaultKind.DROPPED),
)


@dataclass(frozen=True)
class Fault:
    """Why one call failed; `wait` is how long the server asked us to wait."""

    kind: FaultKind
    detail: str
    wait: float | None = None

    def __str__(self) -> str:
        return f"{self.kind} ({self.detail})" if self.detail else self.kind

    @property
    def is_transient(self) -> bool:
        """Whether the same call may succeed later."""
        return self.kind in _TRANSIENT and (self.wait or 0.0) <= LONGEST_WAIT

    def delay(self, attempt: int, random: Callable[[], float]) -> float:
        """How long to wait before the next attempt: what the server asked, or longer each time, with jitter."""
        longest = self.wait if self.wait is not None else min(_FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT)
        jitter = 0.5 * random()
        return longest * (1 + jitter) if self.wait is not None else longest * (0.5 + jitter)


def diagnose(error: Exception) -> Fault | None:
    """The fault behind a client's exception; `None` if it is a bug of ours."""
    causes = list(_causes(error))
    detail = redact(" ".join(str(error).split()))[:_LONGEST_DETAIL]
    kind = _by_status(causes) or _by_name(causes) or _by_type(causes)
    return Fault(kind, detail, _asked_wait(causes)) if kind else None


def fatal_error(fault: Fault, spec: ModelSpec) -> StudiumError | None:
    """The error that ends the run, for a fault that would hit every item."""
    variable = KEY_VARIABLES[spec.provider]
    if fault.kind is FaultKind.DENIED:
        remedy = f"Set {variable}, or `api_key` of the model {spec.name}, to a valid key."
        return ServiceDown(f"{spec.address} refused the key for {spec.name}: {fault.detail}", remedy=remedy)
    if fault.kind is FaultKind.NO_MODEL:
        pull = f"ollama pull {spec.model}" if spec.provider == "ollama" else "Check the name of the model."
        return MissingModel(f"{spec.address} has no model {spec.model}: {fault.detail}", remedy=pull)
    if fault.kind is FaultKind.REFUSED:
        start = "ollama serve" if spec.provider == "ollama" else "Check the address and the network, then run again."
        return ServiceDown(f"{spec.address} does not answer ({spec.name})", remedy=start)
    return None


def fault_finding(fault: Fault, spec: ModelSpec, skill: str, attempts: int) -> Finding:
    """The finding for an item whose call failed for good."""
    code = "mind.rejected" if fault.kind is FaultKind.REJECTED else "mind.unavailable"
    tries = "once" if attempts == 1 else f"{attempts} times"
    message = f"{spec.name} was asked {tries} about {skill} and gave no answer: {fault}"
    return Finding(code=code, severity=Severity.ERROR, message=message)


def _causes(error: BaseException) -> Iterator[BaseException]:
    # Also what `raise … from None` hides: Ollama's client drops the headers that way.
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__ or seen.__context__


def _by_status(causes: list[BaseException]) -> FaultKind | None:
    for cause in causes:
        status = _status(cause)
        if status is None:
            continue
        # Gemini answers a wrong key with 400.
        if status == HTTPStatus.BAD_REQUEST and "api key" in str(cause).lower():
            return FaultKind.DENIED
        otherwise = FaultKind.BROKEN if status >= HTTPStatus.INTERNAL_SERVER_ERROR else FaultKind.REJECTED
        return _BY_STATUS.get(status, otherwise)
    return None


def _status(cause: BaseException) -> int | None:
    """The HTTP status of an error reply; a garbled success has none."""
    if type(cause).__module__ == "aiohttp.http_exceptions":  # it says 400 of a reply that was cut off
        return None
    response = getattr(cause, "response", None)
    for holder, name in ((cause, "status_code"), (cause, "code"), (response, "status_code")):
        status = getattr(holder, name, None)
        if isinstance(status, int) and status >= HTTPStatus.BAD_REQUEST:
            return status
    return None


def _by_name(causes: list[BaseException]) -> FaultKind | None:
    # The deepest cause says most: a client's "connection error" may hide a time-out.
    names = [ancestor.__name__ for cause in reversed(causes) for ancestor in type(cause).__mro__]
    return next((kind for name in names for pattern, kind in _BY_NAME if pattern.search(name)), None)


def _by_type(causes: list[BaseException]) -> FaultKind | None:
    """A client that cannot make sense of a reply raises what Python raised in it."""
    unreadable = any(isinstance(cause, ValueError | KeyError | TypeError) for cause in causes)
    return FaultKind.GARBLED if unreadable else None


def _asked_wait(causes: list[BaseException]) -> float | None:
    for cause in causes:
        headers = getattr(getattr(cause, "response", None), "headers", None) or {}
        with suppress(ValueError):  # it may be a date
            if asked := headers.get("retry-after"):
                return float(asked)
    found = next((found for cause in causes if (found := _RETRY_DELAY.search(str(cause)))), None)
    return float(found[1]) if found else None
