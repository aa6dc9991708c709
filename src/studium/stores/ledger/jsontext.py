"""JSON in and out of the ledger, as fast as it goes."""

import json
from typing import Any

import orjson


def write_json(value: Any) -> str:
    """JSON text; what only Python's own writer takes (half an emoji that a model cut) is left to it."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return json.dumps(value)


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text, whoever wrote it."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return json.loads(text)
