"""JSON in and out of the ledger, as fast as it goes."""

import json
import re
from typing import Any

import orjson

_HALF = re.compile("[\ud800-\udfff]")


def write_json(value: Any) -> str:
    """JSON text; what only Python's own writer takes (half an emoji that a model cut) is left to it."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return json.dumps(value)


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text, whoever wrote it; half an emoji is the sign for what cannot be read."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        whole = json.dumps(json.loads(text), ensure_ascii=False)
        return json.loads(_HALF.sub("\ufffd", whole))
