"""What a protocol's module provides: a pure translation between its own JSON and ours."""

import base64
import hashlib
import json
import math
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from studium.testing.script import Json, Reply, WireRequest

# Enough pieces to be a stream, few enough to be cheap.
_PIECES = 8
# One moment for every reply, so that the same script gives the same bytes.
MOMENT = 1767225600


class Refusal(NamedTuple):
    """An error response; `code` is its own word for the status, and `{model}` in the message is filled in."""

    status: int
    code: str
    message: str
    retry_after: float = 0.0


class WireProtocol(Protocol):
    """One protocol. Its modules are written as functions and satisfy this as they are."""

    STREAM_TYPE: str
    REFUSALS: dict[str, Refusal]

    def read(self, path: str, headers: dict[str, str], body: Json) -> WireRequest | None:
        """The request as a `WireRequest`, or None if the path is not this protocol's."""
        ...

    def whole(self, request: WireRequest, reply: Reply) -> Json:
        """The reply in one body."""
        ...

    def stream(self, request: WireRequest, reply: Reply) -> list[bytes]:
        """The reply in framed pieces."""
        ...

    def error_body(self, refusal: Refusal) -> Json:
        """The body of an error."""
        ...


def encode(value: Any) -> bytes:
    """Compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def encode_text(value: Any) -> str:
    """The same as text, for JSON inside JSON."""
    return encode(value).decode()


def event(value: Any) -> bytes:
    """One server-sent event."""
    return b"data: " + encode(value) + b"\n\n"


def token_count(texts: Sequence[str]) -> int:
    """About as many tokens as a tokeniser would count."""
    return sum(len(text) // 4 + 1 for text in texts)


def pieces(text: str) -> list[str]:
    """The text as a stream gives it, a few characters at a time."""
    step = -(-len(text) // _PIECES) or 1
    return [text[start : start + step] for start in range(0, len(text), step)]


def unit_vector(text: str, dimensions: int) -> list[float]:
    """A direction drawn from the hash of the text."""
    noise = struct.unpack(f"<{dimensions}h", hashlib.shake_256(text.encode()).digest(2 * dimensions))
    length = math.hypot(*noise)
    return [number / length for number in noise]


def packed(vector: list[float]) -> str:
    """The vector as OpenAI sends it when asked for base64: little-endian float32."""
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
