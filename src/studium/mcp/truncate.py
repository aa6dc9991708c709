"""Shortens JSON to what an assistant can take, and finds the part that was left out."""

import json
from typing import Any

from studium.core.domain.errors import NotFound

MAX_CHARS = 40_000
"""The most characters of JSON in one answer."""

_LENGTHS = (1000, 300, 100, 30, 10, 3, 1)
_CHARS_PER_ITEM = 50
_MAX_REMARKS = 8


def truncate(value: Any, limit: int = MAX_CHARS) -> tuple[Any, list[str]]:
    """The value, shortened until it fits, and what was left out, each part by its JSON pointer."""
    if len(as_json(value)) <= limit:
        return value, []
    for length in _LENGTHS:
        cut = _Cut(length)
        shortened = cut.of(value, "")
        if len(as_json(shortened)) <= limit:
            return shortened, cut.left_out()
    return None, ["/: nothing of it fits"]


def value_at(value: Any, pointer: str, offset: int = 0) -> Any:
    """The value at a JSON pointer (`/result/documents/0`); of a list or a text, what comes after the offset."""
    for step in pointer.split("/")[1:] if pointer.startswith("/") else [pointer] if pointer else []:
        value = _step(value, step.replace("~1", "/").replace("~0", "~"), pointer)
    return value[offset:] if isinstance(value, list | str) else value


def as_json(value: Any) -> str:
    """The value as JSON that a model reads."""
    return json.dumps(value, ensure_ascii=False, indent=1, default=str)


def _step(value: Any, step: str, pointer: str) -> Any:
    if isinstance(value, dict) and step in value:
        return value[step]
    if isinstance(value, list) and step.isdecimal() and int(step) < len(value):
        return value[int(step)]
    raise NotFound(f"There is no part '{pointer}'.", remedy="Name a part as `left_out` does: /result/documents.")


class _Cut:
    """Cuts lists, objects and texts to a length, and remembers where."""

    def __init__(self, length: int) -> None:
        self._length = length
        self._remarks: list[str] = []

    def of(self, value: Any, at: str) -> Any:
        if isinstance(value, dict):
            kept = list(value.items())[: self._limit(value, at, self._length)]
            return {name: self.of(each, f"{at}/{_escaped(name)}") for name, each in kept}
        if isinstance(value, list | tuple):
            kept_items = value[: self._limit(value, at, self._length)]
            return [self.of(each, f"{at}/{number}") for number, each in enumerate(kept_items)]
        if isinstance(value, str):
            return value[: self._limit(value, at, self._length * _CHARS_PER_ITEM)]
        return value

    def left_out(self) -> list[str]:
        more = len(self._remarks) - _MAX_REMARKS
        return self._remarks[:_MAX_REMARKS] + ([f"and {more} more parts"] if more > 0 else [])

    def _limit(self, value: Any, at: str, length: int) -> int:
        if len(value) > length:
            self._remarks.append(f"{at or '/'}: the first {length} of {len(value)} are included")
        return length


def _escaped(name: Any) -> str:
    return str(name).replace("~", "~0").replace("/", "~1")
