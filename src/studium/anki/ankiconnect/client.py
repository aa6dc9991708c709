"""A client of AnkiConnect's protocol, version 6; it opens one connection per request, since the add-on closes it."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict, TypeVar

import httpx

from studium.core.certificates import trusted_certificates
from studium.core.domain.errors import BadInput, BadSettings, ServiceDown

_VERSION = 6
_ATTEMPTS = 3
_PAUSE = 0.1
_START = "Start Anki with the AnkiConnect add-on 2055492159, or correct its address (cards.anki_address)."
_REMEDIES = {
    "valid api key must be provided": (
        "refuses our key",
        "Set cards.anki_key to the apiKey of the add-on's configuration.",
    ),
    "collection is not available": ("has no profile open", "Open a profile in Anki, then run the command again."),
    "unsupported action": ("lacks an action that Studium needs", "Update the AnkiConnect add-on in Anki."),
}

Item = TypeVar("Item")


@dataclass(frozen=True)
class ActionRefused:
    """The answer to an action that AnkiConnect refused, with its own words."""

    words: str


@dataclass(frozen=True)
class ConnectAction:
    """One action and its parameters."""

    action: str
    params: Mapping[str, Any]


class _Envelope(TypedDict):
    """An action as it is sent; the key only if one is set."""

    action: str
    version: int
    params: Mapping[str, Any]
    key: NotRequired[str]


class NoReply(ServiceDown):
    """A request was sent and no readable reply came, so it is not known whether it was done."""

    def __init__(self, what: str, *, remedy: str, passing: bool = False) -> None:
        super().__init__(what, remedy=remedy)
        self.passing = passing


class AnkiConnectClient:
    """Sends actions to AnkiConnect and interprets its replies."""

    def __init__(self, address: str, key: str | None, timeout: float) -> None:
        self.address = address
        self._key = key
        self._timeout = timeout
        # The add-on drops connections silently, so none is kept alive.
        self._http = httpx.Client(
            limits=httpx.Limits(max_keepalive_connections=0),
            headers={"Connection": "close"},
            trust_env=False,
            verify=trusted_certificates(trust_env=False),
        )

    def close(self) -> None:
        """Close the client."""
        self._http.close()

    def call(self, action: str, **params: Any) -> Any:
        """Do one action that may be repeated; a refusal is an error."""
        return require_answer(action, self._repeated(self._envelope(ConnectAction(action, params))))

    def call_each(self, actions: Sequence[ConnectAction]) -> list[Any]:
        """Do these actions in one request; a refusal of any of them is an error."""
        answers = self.call_many(actions)
        return [require_answer(each.action, answer) for each, answer in zip(actions, answers, strict=True)]

    def call_once(self, action: str, **params: Any) -> Any:
        """Do one action that must not be repeated; returns its answer or ActionRefused, or raises NoReply."""
        return self._answer(self._envelope(ConnectAction(action, params)))

    def call_many(self, actions: Sequence[ConnectAction], *, once: bool = False, seconds: float = 0) -> list[Any]:
        """Do these actions in one request; each gets its answer or ActionRefused; `seconds` adds to the timeout."""
        if not actions:
            return []
        envelope = self._envelope(ConnectAction("multi", {"actions": [self._envelope(each) for each in actions]}))
        answers = self._answer(envelope, seconds) if once else self._repeated(envelope, seconds)
        if not isinstance(answers, list) or len(answers) != len(actions):
            raise self._not_ankiconnect()
        return [self._opened(answer) for answer in answers]

    def _envelope(self, action: ConnectAction) -> _Envelope:
        # An action inside a `multi` needs the version and the key as well.
        envelope: _Envelope = {"action": action.action, "version": _VERSION, "params": action.params}
        if self._key:
            envelope["key"] = self._key
        return envelope

    def _repeated(self, envelope: _Envelope, seconds: float = 0) -> Any:
        for attempt in range(1, _ATTEMPTS):
            try:
                return self._answer(envelope, seconds)
            except NoReply as lost:
                if not lost.passing:
                    raise
            time.sleep(_PAUSE * attempt)
        return self._answer(envelope, seconds)

    def _answer(self, envelope: _Envelope, seconds: float = 0) -> Any:
        timeout = httpx.Timeout(self._timeout + seconds, connect=min(self._timeout, 5))
        try:
            response = self._http.post(self.address, json=envelope, timeout=timeout)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise BadSettings(f"{self.address} is not an address: {error}") from error
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise ServiceDown(f"Anki does not answer at {self.address}.", remedy=_START) from error
        except httpx.TimeoutException as error:
            raise NoReply(
                f"Anki at {self.address} did not answer within {self._timeout + seconds:.0f} s.",
                remedy="Close any open dialog in Anki, then run the command again.",
            ) from error
        except httpx.TransportError as error:
            what = f"Anki at {self.address} closed the connection."
            raise NoReply(
                what, remedy="Check that Anki is still running, then run the command again.", passing=True
            ) from error
        return self._opened(self._read(response))

    def _read(self, response: httpx.Response) -> Any:
        try:
            return json.loads(response.content) if response.is_success else None
        except ValueError:
            return None

    def _opened(self, reply: Any) -> Any:
        if not isinstance(reply, dict) or not {"result", "error"} <= reply.keys():
            raise self._not_ankiconnect()
        if (words := reply["error"]) is None:
            return reply["result"]
        if words in _REMEDIES:
            what, remedy = _REMEDIES[words]
            raise ServiceDown(f"AnkiConnect at {self.address} {what}.", remedy=remedy)
        return ActionRefused(str(words))

    def _not_ankiconnect(self) -> NoReply:
        return NoReply(f"The server at {self.address} is not AnkiConnect.", remedy=_START)


def require_answer(action: str, answer: Any) -> Any:
    """The answer of an action that must not be refused."""
    if isinstance(answer, ActionRefused):
        raise BadInput(f"AnkiConnect refused {action}: {answer.words}", remedy="Check what Anki shows, then try again.")
    return answer


def batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """The items in order, up to `size` at once."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
