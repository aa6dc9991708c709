"""Middleware for the limits of JSON, idempotency keys, ETags and unexpected errors."""

import asyncio
import logging
from hashlib import blake2b, sha256
from typing import Any

from starlette.datastructures import Headers, MutableHeaders, State
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from studium.core.database.jobs import IdempotencyRepository
from studium.core.domain.job import StoredResponse
from studium.core.json_files import UnreadableJson, check_json
from studium.http.request_checks import Refusal, refuse

_UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
_MAX_KEY = 255
_SERVER_FAULT = 500
_BAD_KEY = Refusal(400, "Bad key", "An Idempotency-Key has 1–255 characters.", "Send a UUID.")
_REUSED = Refusal(422, "Key used before", "This Idempotency-Key was used with another request.", "Send a new key.")
_IN_PROGRESS = Refusal(
    409, "In progress", "A request with this Idempotency-Key is in progress.", "Try again in a moment."
)


MAX_VALUES = 50_000
"""How many values a JSON body may have."""


class JsonLimitMiddleware:
    """Refuses bodies that are nested too deeply or have too many values, before anything parses them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request or pass it on."""
        if not _may_be_json(scope):
            await self._app(scope, receive, send)
            return
        body = await _read_body(receive)
        try:
            await asyncio.to_thread(check_json, body, max_values=MAX_VALUES)
        except UnreadableJson as error:
            remedy = "Send less at once; see /docs for the fields and their limits."
            await refuse(
                Refusal(422, "The request cannot be read", f"The request cannot be read: {error.reason}.", remedy),
                scope,
                send,
            )
            return
        await self._app(scope, _replay(body, receive), send)


def _may_be_json(scope: Scope) -> bool:
    """Whether a route may parse the body as JSON, which may be sent without its type; a file is not held in memory."""
    api = scope["type"] == "http" and scope["path"].startswith(("/api/", "/mcp"))
    return api and scope["method"] in _UNSAFE and not scope["path"].startswith("/api/v1/uploads")


class IdempotencyMiddleware:
    """Saves responses to writes with an `Idempotency-Key`, and repeats them for the same request."""

    def __init__(self, app: ASGIApp, *, state: State) -> None:
        self._app, self._state = app, state
        self._in_progress: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Repeat the saved response, or pass the request on and save its response."""
        key = Headers(scope=scope).get("idempotency-key") if _is_write(scope) else None
        if key is None:
            await self._app(scope, receive, send)
        elif not 0 < len(key) <= _MAX_KEY:
            await refuse(_BAD_KEY, scope, send)
        elif key in self._in_progress:
            await refuse(_IN_PROGRESS, scope, send)
        else:
            self._in_progress.add(key)
            try:
                await self._once(key, scope, receive, send)
            finally:
                self._in_progress.discard(key)

    async def _once(self, key: str, scope: Scope, receive: Receive, send: Send) -> None:
        replies: IdempotencyRepository = self._state.service.database.idempotency
        body = await _read_body(receive)
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
            await self._app(scope, _replay(body, receive), held.send)
            if held.status < _SERVER_FAULT:
                await asyncio.to_thread(replies.save, key, held.reply(fingerprint))
            # Only now: a client that has the response may send the request again at once.
            for message in held.messages:
                await send(message)


class _Held:
    """Holds a response back until it is saved."""

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
    # An upload is not held in memory to be compared; it may be uploaded twice.
    api = scope["type"] == "http" and scope["method"] in _UNSAFE and scope["path"].startswith("/api/")
    return api and not scope["path"].startswith("/api/v1/uploads")


async def _read_body(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Replay the request as if it had not been read."""
    given: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Any:
        return given.pop() if given else await receive()

    return receive_again


_MAX_TAGGED = 8_000_000


class ETagMiddleware:
    """Adds an ETag to JSON responses under `/api/`, and answers 304 if the client has that version."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and tag its response."""
        if scope["type"] == "http" and scope["method"] == "GET" and scope["path"].startswith("/api/"):
            send = _Tagging(send, Headers(scope=scope).get("if-none-match", "")).send
        await self._app(scope, receive, send)


class _Tagging:
    """Holds a response back until it is complete."""

    def __init__(self, send: Send, if_none_match: str) -> None:
        self._send, self._known_tags = send, {tag.strip() for tag in if_none_match.split(",")}
        self._start: Message | None = None
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_taggable(message):
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if len(self._body) > _MAX_TAGGED or not message.get("more_body", False):
                await self._finish(more=bool(message.get("more_body", False)))

    async def _finish(self, *, more: bool) -> None:
        start, self._start = self._start, None
        assert start is not None  # noqa: S101 - only what was held back is finished
        if not more:
            tag = f'"{blake2b(self._body, digest_size=12).hexdigest()}"'
            headers = MutableHeaders(raw=start["headers"])
            headers["ETag"] = tag
            headers["Cache-Control"] = "private, no-cache"
            if self._known_tags & {tag, f"W/{tag}", "*"}:
                start["status"] = 304
                del headers["content-length"]
                self._body.clear()
        await self._send(start)
        await self._send({"type": "http.response.body", "body": bytes(self._body), "more_body": more})


def _is_taggable(start: Message) -> bool:
    kind = Headers(raw=start["headers"]).get("content-type", "")
    return start["status"] == 200 and kind.startswith("application/json")  # noqa: PLR2004 - OK


log = logging.getLogger(__name__)
_FAILED = Refusal(500, "Internal error", "The server failed unexpectedly.", "See the server log, and report the error.")


class ErrorMiddleware:
    """Turns unexpected errors into problem documents; inside the guard, so that they carry its headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and answer with a problem if it fails."""
        has_started = False

        async def tracked(message: Message) -> None:
            nonlocal has_started
            has_started = has_started or message["type"] in ("http.response.start", "websocket.accept")
            await send(message)

        try:
            await self._app(scope, receive, tracked)
        except ClientDisconnect:
            raise  # the client is gone; the guard ignores it
        except Exception:
            log.exception("request failed", extra={"path": scope.get("path")})
            if has_started or scope["type"] == "lifespan":
                raise
            await refuse(_FAILED, scope, send)
