"""As much of HTTP/1.1 as the wire needs, by hand, so that it can also be broken by hand."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import responses
from typing import Any
from urllib.parse import urlsplit

from studium.testing.dialect import encode


class BadRequestError(ValueError):
    """What came is not a request we understand."""


@dataclass(frozen=True)
class Incoming:
    """One HTTP request; header names are in small letters."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass(frozen=True)
class Response:
    """One HTTP response: a whole body, or the pieces of a stream."""

    body: bytes | Sequence[bytes]
    status: int = 200
    content_type: str = "application/json"
    retry_after: float = 0.0


def json_response(value: Any, status: int = 200, retry_after: float = 0.0) -> Response:
    """A whole JSON body."""
    return Response(encode(value), status, retry_after=retry_after)


async def receive(reader: asyncio.StreamReader) -> Incoming | None:
    """The next request on the connection, or None when the client has closed it."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").rstrip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        content = await reader.readexactly(int(headers.get("content-length", 0)))
    except asyncio.IncompleteReadError:
        return None
    if "transfer-encoding" in headers:
        raise BadRequestError("Send a Content-Length: chunked requests are not understood.")
    method, target, _ = first.split(" ", 2)
    try:
        body = json.loads(content) if content else {}
    except ValueError as error:
        raise BadRequestError(f"The body is not JSON: {error}") from error
    return Incoming(method, urlsplit(target).path, headers, body)


def frames(response: Response) -> list[bytes]:
    """The bytes of a response: the head, then the body in the pieces it is sent in."""
    head = [
        f"HTTP/1.1 {response.status} {responses.get(response.status, 'Unscripted')}",
        f"Content-Type: {response.content_type}",
    ]
    if response.retry_after:
        head.append(f"Retry-After: {response.retry_after}")
    if isinstance(response.body, bytes):
        head.append(f"Content-Length: {len(response.body)}")
        body = _slices(response.body)
    else:
        head.append("Transfer-Encoding: chunked")
        body = [b"%x\r\n%b\r\n" % (len(piece), piece) for piece in response.body] + [b"0\r\n\r\n"]
    return ["\r\n".join([*head, "", ""]).encode("latin-1"), *body]


def _slices(body: bytes, count: int = 4) -> list[bytes]:
    step = -(-len(body) // count) or 1
    return [body[start : start + step] for start in range(0, len(body), step)]
