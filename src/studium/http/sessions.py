"""Sessions of people who logged in.

A session is `until.id.signature`, signed with a random secret of the home and the token together: a cookie tells
nothing about the token, and another token ends every session. The secret is in a file that only its owner can read,
with the ids of the sessions that were logged out. It is looked at whenever a session is checked, so that a server
notices at once that another process renewed it (`studium serve --revoke`) or logged somebody out.
"""

import asyncio
import hmac
import json
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from time import time

from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

from studium.core.domain.errors import StudiumError
from studium.core.files import wait_for_lock, write_text

log = logging.getLogger(__name__)

SESSIONS_FILE = "sessions.json"
"""The name of the file in the home."""
SESSION_SECONDS = 30 * 24 * 3600
"""How long a session lasts."""
LINK_SECONDS = 15 * 60
"""How long a login link can be used."""

_SECRET_BYTES = 32
_MAX_ENDED = 10_000  # after as many log-outs the secret is renewed instead
_MAX_LENGTH = 200
_LOCK = "the sessions"


@dataclass(frozen=True)
class _Record:
    """The contents of the file: the secret, and the sessions that were logged out, with the time they would end."""

    secret: str = field(default_factory=lambda: secrets.token_hex(_SECRET_BYTES))
    ended: dict[str, int] = field(default_factory=dict)


class Sessions:
    """The sessions of one home; without a file, those of this process."""

    def __init__(self, file: Path | None = None, clock: Callable[[], float] = time) -> None:
        self._file, self._clock = file, clock
        self._record = _Record()
        self._stamp: tuple[int, int, int] | None = None
        self._links: dict[str, float] = {}

    def start(self, token: bytes) -> str:
        """A new session for somebody who gave this token."""
        begun = f"{int(self._clock()) + SESSION_SECONDS}.{secrets.token_hex(16)}"
        return f"{begun}.{self._sign(begun, token)}"

    def is_valid(self, session: str, token: bytes) -> bool:
        """Whether a session was started with this token, has not expired, and was neither logged out nor revoked."""
        begun, _, signature = session.rpartition(".")
        until, _, key = begun.partition(".")
        return (
            len(session) <= _MAX_LENGTH
            and hmac.compare_digest(signature.encode(), self._sign(begun, token).encode())
            and int(until) > self._clock()
            and key not in self._current().ended
        )

    def end(self, session: str, token: bytes) -> None:
        """Log a session out, for every server of this home."""
        if self.is_valid(session, token):
            until, key, _ = session.split(".")
            self._change(lambda record: _with_ended(record, key, int(until), self._clock()))

    def revoke(self) -> None:
        """End all sessions; fails if the file cannot be written."""
        self._save(lambda _: _Record())

    def login_code(self) -> str:
        """A code that logs one browser in, once, within a quarter of an hour."""
        code = secrets.token_urlsafe(_SECRET_BYTES)
        self._links[_digest(code)] = self._clock() + LINK_SECONDS
        return code

    def use_login_code(self, code: str) -> bool:
        """Whether a code is good; it is used up with that."""
        return self._links.pop(_digest(code), 0.0) > self._clock()

    def _sign(self, begun: str, token: bytes) -> str:
        key = hmac.digest(bytes.fromhex(self._current().secret), token, "sha256")
        return hmac.new(key, f"studium session {begun}".encode("utf-8", "replace"), sha256).hexdigest()

    def _current(self) -> _Record:
        """What the file holds now; a missing or damaged one is replaced, which ends all sessions."""
        if self._file is None:
            return self._record
        stamp = _stamp(self._file)
        if stamp is None:
            self._change(lambda record: record)
        elif stamp != self._stamp:
            self._record, self._stamp = _read(self._file) or self._renewed(), stamp
        return self._record

    def _renewed(self) -> _Record:
        log.warning("the file of sessions was damaged; everybody has to log in again", extra={"file": str(self._file)})
        self._change(lambda _: _Record())
        return self._record

    def _change(self, change: Callable[[_Record], _Record]) -> None:
        """Change what the file holds; if it cannot be written, at least this process knows."""
        try:
            self._save(change)
        except StudiumError as error:
            log.warning("the sessions cannot be saved", extra={"file": str(self._file), "reason": str(error)})
            self._record = change(self._record)

    def _save(self, change: Callable[[_Record], _Record]) -> None:
        if self._file is None:
            self._record = change(self._record)
            return
        with wait_for_lock(self._file.parent / "locks", _LOCK):
            self._record = change(_read(self._file) or _Record())
            write_text(self._file, json.dumps({"secret": self._record.secret, "ended": self._record.ended}))
            self._stamp = _stamp(self._file)


def _with_ended(record: _Record, key: str, until: int, now: float) -> _Record:
    ended = {known: end for known, end in record.ended.items() if end > now} | {key: until}
    return _Record() if len(ended) > _MAX_ENDED else _Record(record.secret, ended)


def _read(file: Path) -> _Record | None:
    """The record in a file; None if it is missing or damaged."""
    try:
        found = json.loads(file.read_text("utf-8"))
        record = _Record(found["secret"], {str(key): int(until) for key, until in found["ended"].items()})
        return record if len(bytes.fromhex(record.secret)) >= _SECRET_BYTES else None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _digest(code: str) -> str:
    return sha256(code.encode("utf-8", "replace")).hexdigest()


_CHECK_SECONDS = 1.0
_POLICY_VIOLATION = 1008  # the close code of RFC 6455


class SessionWatch:
    """Ends a connection that outlives its session: a WebSocket is closed, a stream of events ends.

    Other responses are finished: they say how long they are.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send, is_valid: Callable[[], bool]) -> None:
        self._is_socket = scope["type"] == "websocket"
        self._receive, self._send, self._is_valid = receive, send, is_valid
        self._is_open = self._is_socket
        self._has_ended = False

    async def receive(self) -> Message:
        """The next message; a disconnection as soon as the session has ended."""
        if self._has_ended:
            return self._disconnection()
        waiting = asyncio.ensure_future(self._receive())
        try:
            while not waiting.done():
                await asyncio.wait({waiting}, timeout=_CHECK_SECONDS)
                if self._is_open and not self._is_valid():
                    await self._end()
                    return self._disconnection()
            return waiting.result()
        finally:
            waiting.cancel()

    async def send(self, message: Message) -> None:
        """Send a message, unless the session has ended."""
        if self._is_open and not self._is_valid():
            await self._end()
        if self._has_ended:
            return
        if message["type"] == "http.response.start":
            self._is_open = "content-length" not in Headers(raw=message.get("headers", []))
        elif message["type"] == "websocket.close" or not message.get("more_body", self._is_socket):
            self._is_open = False
        await self._send(message)

    async def _end(self) -> None:
        """Tell the client that this was all; reading and writing may both find it out."""
        if self._has_ended:
            return
        self._has_ended = True
        if self._is_socket:
            await self._send({"type": "websocket.close", "code": _POLICY_VIOLATION, "reason": "Logged out"})
        else:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    def _disconnection(self) -> Message:
        if self._is_socket:
            return {"type": "websocket.disconnect", "code": _POLICY_VIOLATION, "reason": "Logged out"}
        return {"type": "http.disconnect"}
