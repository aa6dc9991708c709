"""AnkiConnect's protocol, version 6: one connection a request, because the add-on closes it after each reply."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx

from studium.core.domain.errors import BadInput, BadSettings, ServiceDown

_VERSION = 6
_ATTEMPTS = 3
_PAUSE = 0.1
_START = "Start Anki with the AnkiConnect add-on 2055492159, or correct the address at which it listens."
_REMEDIES = {
    "valid api key must be provided": (
        "refuses our key",
        "Set the key that stands as apiKey in the add-on's configuration.",
    ),
    "collection is not available": ("has no profile open", "Open a profile in Anki, then run the command again."),
    "unsupported action": ("lacks an action that Studium needs", "Update the AnkiConnect add-on in Anki."),
}

Item = TypeVar("Item")


@dataclass(frozen=True)
class ActionRefused:
    """An action that was not done, and the add-on's own words for why."""

    words: str


@dataclass(frozen=True)
class ConnectAction:
    """One action and its parameters."""

    action: str
    params: Mapping[str, Any]


class NoReply(ServiceDown):
    """A request was sent and no reply came that can be read: whether it was done is not known."""

    def __init__(self, what: str, *, remedy: str, passing: bool = False) -> None:
        super().__init__(what, remedy=remedy)
        self.passing = passing


class AnkiConnectClient:
    """Asks AnkiConnect, and makes sense of how it answers or does not."""

    def __init__(self, address: str, key: str | None, timeout: float) -> None:
        self.address = address
        self._key = key
        self._timeout = timeout
        # The add-on drops connections without a word, so none is kept.
        self._http = httpx.Client(
            limits=httpx.Limits(max_keepalive_connections=0), headers={"Connection": "close"}, trust_env=False
        )

    def close(self) -> None:
        """Let go of the client."""
        self._http.close()

    def ask(self, action: str, **params: Any) -> Any:
        """Do one action that may be repeated; a refusal is the caller's mistake."""
        return require_answer(action, self._repeated(self._envelope(ConnectAction(action, params))))

    def ask_each(self, asks: Sequence[ConnectAction]) -> list[Any]:
        """Do these actions in one request; none of them may be refused."""
        return [require_answer(ask.action, answer) for ask, answer in zip(asks, self.ask_all(asks), strict=True)]

    def ask_once(self, action: str, **params: Any) -> Any:
        """Do one action that must not be done twice: its answer or its Refusal, or NoReply."""
        return self._answer(self._envelope(ConnectAction(action, params)))

    def ask_all(self, asks: Sequence[ConnectAction], *, once: bool = False, seconds: float = 0) -> list[Any]:
        """Do these actions in one request; each gets its answer or its Refusal. `seconds` are allowed on top."""
        if not asks:
            return []
        envelope = self._envelope(ConnectAction("multi", {"actions": [self._envelope(ask) for ask in asks]}))
        answers = self._answer(envelope, seconds) if once else self._repeated(envelope, seconds)
        if not isinstance(answers, list) or len(answers) != len(asks):
            raise self._nonsense()
        return [self._opened(answer) for answer in answers]

    def _envelope(self, ask: ConnectAction) -> dict[str, Any]:
        # An action inside a `multi` needs the version and the key as well.
        envelope = {"action": ask.action, "version": _VERSION, "params": ask.params}
        return envelope | {"key": self._key} if self._key else envelope

    def _repeated(self, envelope: dict[str, Any], seconds: float = 0) -> Any:
        for attempt in range(1, _ATTEMPTS):
            try:
                return self._answer(envelope, seconds)
            except NoReply as lost:
                if not lost.passing:
                    raise
            time.sleep(_PAUSE * attempt)
        return self._answer(envelope, seconds)

    def _answer(self, envelope: dict[str, Any], seconds: float = 0) -> Any:
        patience = httpx.Timeout(self._timeout + seconds, connect=min(self._timeout, 5))
        try:
            response = self._http.post(self.address, json=envelope, timeout=patience)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise BadSettings(f"{self.address} is not an address: {error}") from error
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise ServiceDown(f"Anki does not answer at {self.address}.", remedy=_START) from error
        except httpx.TimeoutException as error:
            raise NoReply(
                f"Anki at {self.address} did not answer within {self._timeout + seconds:.0f} s.",
                remedy="See whether one of Anki's dialogs waits for you, then run the command again.",
            ) from error
        except httpx.TransportError as error:
            what = f"Anki at {self.address} broke off the connection."
            raise NoReply(
                what, remedy="See whether Anki still runs, then run the command again.", passing=True
            ) from error
        return self._opened(self._read(response))

    def _read(self, response: httpx.Response) -> Any:
        try:
            return json.loads(response.content) if response.is_success else None
        except ValueError:
            return None

    def _opened(self, reply: Any) -> Any:
        if not isinstance(reply, dict) or not {"result", "error"} <= reply.keys():
            raise self._nonsense()
        if (words := reply["error"]) is None:
            return reply["result"]
        if words in _REMEDIES:
            what, remedy = _REMEDIES[words]
            raise ServiceDown(f"AnkiConnect at {self.address} {what}.", remedy=remedy)
        return ActionRefused(str(words))

    def _nonsense(self) -> NoReply:
        return NoReply(f"What answers at {self.address} does not speak like AnkiConnect.", remedy=_START)


def require_answer(action: str, answer: Any) -> Any:
    """The answer, unless it is a Refusal that nobody expected."""
    if isinstance(answer, ActionRefused):
        raise BadInput(f"AnkiConnect refused {action}: {answer.words}", remedy="See what Anki shows, then try again.")
    return answer


def batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """The items in order, so many at a time."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
