"""Checks of host, origin and body size, and refusals as problem documents (RFC 9457), for HTTP and WebSockets."""

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from time import monotonic
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

Header = tuple[bytes, bytes]

_CLOSED = 1008  # RFC 6455: a message that breaks the rules of the app


@dataclass(frozen=True)
class Refusal:
    """Why a request is refused, and what the client can do."""

    status: int
    title: str
    detail: str
    remedy: str
    headers: tuple[Header, ...] = ()
    """Extra response headers."""

    def body(self) -> bytes:
        """The problem document; `error` in it repeats the detail."""
        problem = {
            "error": f"{self.detail} {self.remedy}",
            "type": "about:blank",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "remedy": self.remedy,
        }
        return json.dumps(problem).encode()


async def refuse(refusal: Refusal, scope: Scope, send: Send) -> None:
    """Refuse a request before the app sees it, and close its connection, since its body was not read."""
    headers = ((b"content-type", b"application/problem+json"), (b"connection", b"close"), *refusal.headers)
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": _CLOSED, "reason": refusal.title})
        return
    await send_response(scope, send, refusal.status, headers, refusal.body())


async def send_response(scope: Scope, send: Send, status: int, headers: tuple[Header, ...], body: bytes = b"") -> None:
    """Send a complete response."""
    kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    sized = [*headers, (b"content-length", str(len(body)).encode())]
    await send({"type": f"{kind}.start", "status": status, "headers": sized})
    await send({"type": f"{kind}.body", "body": b"" if scope.get("method") == "HEAD" else body})


_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_ANY = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not listened on
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_PORTS = {"http": 80, "https": 443}

_WRONG_HOST = Refusal(
    421,
    "Unknown host name",
    "The request names a host that this server does not answer to.",
    "Use http://localhost or http://127.0.0.1, or add the name under `serve.names`.",
)
_CROSS_SITE = Refusal(
    403,
    "Cross-site request",
    "The request came from a page of another site and was refused.",
    "Open Studium in its own tab and try again there.",
)


class HostPolicy:
    """The names of this server: the loopback names and those from the settings."""

    def __init__(self, names: Iterable[str]) -> None:
        given = {name.strip("[]").rstrip(".").lower() for name in names}
        self._names = _LOOPBACK | given
        # A server on all addresses is reached by any of them; DNS rebinding needs a name, not a number.
        self._any_number = bool(given & _ANY)

    def refusal(self, headers: Headers, method: str | None) -> Refusal | None:
        """Why these headers are refused, if they are; a WebSocket handshake has no method."""
        hosts = headers.getlist("host")
        host = _split(f"http://{hosts[0]}") if len(hosts) == 1 else None
        if host is None or not self._is_allowed(host):
            return _WRONG_HOST
        origins = headers.getlist("origin")
        if any(not _same(origin, hosts[0]) for origin in origins):
            return _CROSS_SITE
        is_cross_site = not origins and headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
        # A link on another site may lead here, but such a page may not load anything from here.
        is_link = method in _READS and headers.get("sec-fetch-mode", "navigate") == "navigate"
        return _CROSS_SITE if is_cross_site and not is_link else None

    def _is_allowed(self, host: SplitResult) -> bool:
        name = (host.hostname or "").rstrip(".")
        return name in self._names or (self._any_number and _is_number(name))


def _split(address: str) -> SplitResult | None:
    """Split an address that has only a scheme, a name and a port."""
    try:
        parts = urlsplit(address)
        plain = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if plain and "@" not in parts.netloc and not (parts.path or parts.query or parts.fragment) else None


def _same(origin: str, host: str) -> bool:
    """Whether this origin is this host; a proxy may have added TLS."""
    page = _split(origin)
    if page is None or page.scheme not in _PORTS:
        return False
    ours = _split(f"{page.scheme}://{host}")
    usual = _PORTS[page.scheme]
    return ours is not None and (page.hostname, page.port or usual) == (ours.hostname, ours.port or usual)


def _is_number(name: str) -> bool:
    try:
        return bool(ip_address(name))
    except ValueError:
        return False


_MB = 1_000_000
_MIN_RATE = 1_000
"""The lowest average rate, in bytes a second; a slower client only holds a connection."""


def body_too_long(limit: int) -> Refusal:
    """The refusal of a request that is longer than the limit in bytes."""
    size = f"{limit // _MB} MB" if limit >= _MB else f"{limit} bytes"
    return Refusal(413, "Too long", f"The request is longer than {size}.", "Send less, or raise the limit.")


def declared_too_long(headers: Headers, limit: int) -> bool:
    """Whether a request declares a body that is too long."""
    length = headers.get("content-length", "")
    return length.isdecimal() and int(length) > limit


class LimitedBody:
    """Limits the body of one request as it arrives, and sends one response at most."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, *, limit: int, timeout: float) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        self._limit, self._timeout = limit, timeout
        self._received = 0
        self._waited = 0.0
        self._answered = self._refused = False
        self._is_complete = not _has_body(Headers(scope=scope))

    async def receive(self) -> Message:
        """The next part of the body; if it is too much or does not arrive, answer the client and end."""
        if self._refused:
            return {"type": "http.disconnect"}
        if self._is_complete:  # after the body, only a disconnect can follow
            return await self._receive()
        began = monotonic()
        try:
            async with asyncio.timeout(self._left()):
                message = await self._receive()
        except TimeoutError:
            return await self._end(_timed_out(self._timeout))
        self._waited += monotonic() - began
        self._received += len(message.get("body", b""))
        if self._received > self._limit:
            return await self._end(body_too_long(self._limit))
        self._is_complete = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        """Send a response, unless one was sent already."""
        if self._refused:
            return
        self._answered = True
        if message["type"] == "http.response.start" and not self._is_complete:
            # A client that is answered early need not send the rest.
            message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
        await self._send(message)

    def _left(self) -> float:
        return min(self._timeout, max(0.0, self._timeout + self._received / _MIN_RATE - self._waited))

    async def _end(self, refusal: Refusal) -> Message:
        self._refused = True
        if not self._answered:
            await refuse(refusal, self._scope, self._send)
        return {"type": "http.disconnect"}


def _has_body(headers: Headers) -> bool:
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"


def _timed_out(timeout: float) -> Refusal:
    return Refusal(
        408,
        "Request timeout",
        f"The rest of the request did not arrive within {timeout:g} seconds.",
        "Check the connection and send it again.",
    )
