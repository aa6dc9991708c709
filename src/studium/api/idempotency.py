"""Idempotency keys: a write that is sent twice is done once, and answered alike."""

import asyncio
from hashlib import sha256
from typing import Any

from starlette.datastructures import Headers, State
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from studium.api.guarding.refusals import Refusal, refuse
from studium.core.database.idempotency import IdempotencyRepository
from studium.core.domain.job import StoredResponse

_UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
_LONGEST = 255
_SERVER_FAULT = 500
_BAD_KEY = Refusal(400, "Bad key", "An Idempotency-Key has 1 to 255 signs.", "Send a UUID.")
_REUSED = Refusal(422, "Key used before", "This Idempotency-Key came before, with another request.", "Send a new key.")
_UNDER_WAY = Refusal(409, "Under way", "The request with this Idempotency-Key is being answered.", "Ask again soon.")


class Idempotency:
    """Keeps the answers to writes that carry an `Idempotency-Key`, and gives them again for the same request."""

    def __init__(self, app: ASGIApp, *, state: State) -> None:
        self._app, self._state = app, state
        self._under_way: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as before, or let the request through and keep the answer."""
        key = Headers(scope=scope).get("idempotency-key") if _is_write(scope) else None
        if key is None:
            await self._app(scope, receive, send)
        elif not 0 < len(key) <= _LONGEST:
            await refuse(_BAD_KEY, scope, send)
        elif key in self._under_way:
            await refuse(_UNDER_WAY, scope, send)
        else:
            self._under_way.add(key)
            try:
                await self._once(key, scope, receive, send)
            finally:
                self._under_way.discard(key)

    async def _once(self, key: str, scope: Scope, receive: Receive, send: Send) -> None:
        replies: IdempotencyRepository = self._state.service.ledger.idempotency
        body = await _whole(receive)
        query = scope.get("query_string", b"")
        fingerprint = sha256(b"\n".join((scope["method"].encode(), scope["path"].encode(), query, body))).hexdigest()
        known = await asyncio.to_thread(replies.get, key)
        if known and known.fingerprint != fingerprint:
            await refuse(_REUSED, scope, send)
        elif known:
            headers = known.headers | {"idempotent-replayed": "true"}
            await Response(known.body, known.status, headers)(scope, receive, send)
        else:
            held = _Held()
            await self._app(scope, _again(body, receive), held.send)
            if held.status < _SERVER_FAULT:
                await asyncio.to_thread(replies.save, key, held.reply(fingerprint))
            # Only now: whoever has the answer may send the request again at once.
            for message in held.messages:
                await send(message)


class _Held:
    """Holds an answer back until it is kept."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.status, self._headers, self._body = _SERVER_FAULT, Headers(), bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self._headers = message["status"], Headers(raw=message["headers"])
        else:
            self._body += message.get("body", b"")
        self.messages.append(message)

    def reply(self, fingerprint: str) -> StoredResponse:
        kept = {name: value for name, value in self._headers.items() if name in ("content-type", "location")}
        return StoredResponse(fingerprint=fingerprint, status=self.status, headers=kept, body=self._body.decode())


def _is_write(scope: Scope) -> bool:
    # An upload is not held in memory to be compared; it may well be brought twice.
    api = scope["type"] == "http" and scope["method"] in _UNSAFE and scope["path"].startswith("/api/")
    return api and not scope["path"].startswith("/api/v1/uploads")


async def _whole(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """The request once more, as if it had not been read."""
    given: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Any:
        return given.pop() if given else await receive()

    return receive_again
