"""How things may be spelled: abbreviations of interfaces, numbers in words, lines that only lead somewhere."""

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def spellings() -> dict[str, Any]:
    """The table of them."""
    table: dict[str, Any] = json.loads(files(__package__).joinpath("spellings.json").read_text("utf-8"))
    return table
