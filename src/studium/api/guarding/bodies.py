"""Bodies: what is brought is counted while it comes, and cut off where it is too long or stops coming."""

import asyncio
from time import monotonic

from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

from studium.api.guarding.refusals import Refusal, refuse

_MB = 1_000_000
_SLOWEST = 1_000
"""Bytes a second, on average; whoever brings less holds a connection for its own sake."""


def too_long(limit: int) -> Refusal:
    """The refusal of what is longer than the limit, in bytes."""
    size = f"{limit // _MB} MB" if limit >= _MB else f"{limit} bytes"
    return Refusal(413, "Too long", f"The request is longer than {size}.", "Bring less at once, or raise the limit.")


def declared_too_long(headers: Headers, limit: int) -> bool:
    """Whether a request says of itself that it is too long."""
    length = headers.get("content-length", "")
    return length.isdecimal() and int(length) > limit


class Body:
    """One request's body on its way in, and the answer on its way out, of which there is only one."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, *, limit: int, patience: float) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        self._limit, self._patience = limit, patience
        self._came = 0
        self._waited = 0.0
        self._answered = self._refused = False
        self._whole = not _has_body(Headers(scope=scope))

    async def receive(self) -> Message:
        """The next piece; where it is one too many, or does not come, the caller is answered and counts as gone."""
        if self._refused:
            return {"type": "http.disconnect"}
        if self._whole:  # only that the caller has left can still come
            return await self._receive()
        began = monotonic()
        try:
            async with asyncio.timeout(self._left()):
                message = await self._receive()
        except TimeoutError:
            return await self._end(_silent(self._patience))
        self._waited += monotonic() - began
        self._came += len(message.get("body", b""))
        if self._came > self._limit:
            return await self._end(too_long(self._limit))
        self._whole = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """Pass an answer on, unless the caller has had one."""
        if self._refused:
            return
        self._answered = True
        if message["type"] == "http.response.start" and not self._whole:
            # Whoever is answered before the end of a long body need not bring the rest.
            message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
        await self._send(message)

    def _left(self) -> float:
        return min(self._patience, max(0.0, self._patience + self._came / _SLOWEST - self._waited))

    async def _end(self, refusal: Refusal) -> Message:
        self._refused = True
        if not self._answered:
            await refuse(refusal, self._scope, self._send)
        return {"type": "http.disconnect"}


def _has_body(headers: Headers) -> bool:
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"


def _silent(patience: float) -> Refusal:
    return Refusal(
        408,
        "The rest did not come",
        f"The request was begun, and its rest did not come within {patience:g} seconds.",
        "Check the connection and send it again.",
    )
