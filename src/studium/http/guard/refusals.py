"""Refusals: how a request is turned away, as a problem document (RFC 9457), on HTTP and on a socket alike."""

import json
from dataclasses import dataclass

from starlette.types import Scope, Send

Header = tuple[bytes, bytes]

_CLOSED = 1008  # RFC 6455: a message that breaks the rules of the app


@dataclass(frozen=True)
class Refusal:
    """Why a request is turned away, and what whoever asked can do about it."""

    status: int
    title: str
    detail: str
    remedy: str
    headers: tuple[Header, ...] = ()
    """What is said beside the problem."""

    def body(self) -> bytes:
        """The problem document; `error` in it repeats the detail."""
        said = {
            "error": f"{self.detail} {self.remedy}",
            "type": "about:blank",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "remedy": self.remedy,
        }
        return json.dumps(said).encode()


async def refuse(refusal: Refusal, scope: Scope, send: Send) -> None:
    """Turn a request away before anything of ours sees it; its connection ends, for its body was not read."""
    headers = ((b"content-type", b"application/problem+json"), (b"connection", b"close"), *refusal.headers)
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": _CLOSED, "reason": refusal.title})
        return
    await send_response(scope, send, refusal.status, headers, refusal.body())


async def send_response(scope: Scope, send: Send, status: int, headers: tuple[Header, ...], body: bytes = b"") -> None:
    """Send a whole answer of the guard's own."""
    kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    sized = [*headers, (b"content-length", str(len(body)).encode())]
    await send({"type": f"{kind}.start", "status": status, "headers": sized})
    await send({"type": f"{kind}.body", "body": b"" if scope.get("method") == "HEAD" else body})
