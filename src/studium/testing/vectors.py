"""Vectors that look like embeddings: of unit length, and always the same for the same text."""

import base64
import hashlib
import math
import struct


def unit_vector(text: str, dimensions: int) -> list[float]:
    """A direction drawn from the hash of the text."""
    noise = struct.unpack(f"<{dimensions}h", hashlib.shake_256(text.encode()).digest(2 * dimensions))
    length = math.hypot(*noise)
    return [number / length for number in noise]


def packed(vector: list[float]) -> str:
    """The vector as OpenAI sends it when asked for base64: little-endian float32."""
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
