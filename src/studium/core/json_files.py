"""Read JSON from outside safely: bounded before it is parsed, and every problem reported with its line."""

import json
import re
from typing import Any

from studium.core.domain.errors import BadInput

MAX_CHARACTERS = 50_000_000
MAX_DEPTH = 100
MAX_VALUES = 1_000_000
MAX_DIGITS = 1_000
"""How many digits a number may have; Python refuses to read or write far longer ones."""

# It always matches where a quote opens, closed or not, so it never backtracks.
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")
_DIGITS = re.compile(r"[0-9]+")
_HALF = re.compile("[\ud800-\udfff]")


class UnreadableJson(BadInput):
    """A text is not JSON that we can read: `reason` says why, `line` (from 1) says where."""

    def __init__(self, reason: str, line: int = 1, *, name: str = "", remedy: str | None = None) -> None:
        place = f"{name}:{line}" if name else f"Line {line}"
        super().__init__(f"{place} is not readable as JSON: {reason}.", remedy=remedy)
        self.reason = reason
        self.line = line


def load_json(text: str | bytes, *, name: str = "", remedy: str | None = None, max_values: int = MAX_VALUES) -> Any:
    """The value of a JSON text in UTF-8; half an emoji becomes the replacement character.

    `name` is the file that an error names.
    """
    try:
        text = check_json(text, max_values=max_values)
        value = json.loads(text)
        if "\\ud" in text or "\\uD" in text:
            value = json.loads(_HALF.sub("\ufffd", json.dumps(value, ensure_ascii=False)))
    except UnreadableJson as error:
        raise UnreadableJson(error.reason, error.line, name=name, remedy=remedy) from error
    except json.JSONDecodeError as error:
        reason = f"{error.msg[:1].lower()}{error.msg[1:]} at column {error.colno}"
        raise UnreadableJson(reason, error.lineno, name=name, remedy=remedy) from error
    return value


def check_json(text: str | bytes, *, max_values: int = MAX_VALUES) -> str:
    """The text, unless it goes beyond a limit; whether it is JSON is for the parser to say."""
    if len(text) > MAX_CHARACTERS:
        raise UnreadableJson(f"it is longer than {MAX_CHARACTERS:,} characters")
    text = text if isinstance(text, str) else _decode(text)
    bare = _STRING.sub("", text)
    if bare.count(",") + bare.count("[") + bare.count("{") >= max_values:
        raise UnreadableJson(f"it has more than {max_values:,} values")
    _check_depth(bare)
    for digits in _DIGITS.finditer(bare):
        if digits.end() - digits.start() > MAX_DIGITS:
            raise UnreadableJson(f"a number has more than {MAX_DIGITS:,} digits", _line(bare, digits.start()))
    return text


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableJson("it is not UTF-8", data.count(b"\n", 0, error.start) + 1) from None


def _check_depth(bare: str) -> None:
    if bare.count("[") + bare.count("{") <= MAX_DEPTH:
        return
    depth = 0
    for bracket in _BRACKET.finditer(bare):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MAX_DEPTH:
            raise UnreadableJson(f"it is nested more than {MAX_DEPTH} deep", _line(bare, bracket.start()))


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
