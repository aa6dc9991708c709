"""What can be said about a kind of mistake without giving its fix away, and what to ask back."""

import json
from functools import cache
from importlib.resources import files

from studium.domain.lab import Diagnosis


def pointer(diagnosis: Diagnosis) -> str:
    """What kind of mistake it is, in a sentence that leaves the mending to the student."""
    return _entry(diagnosis.error_type)[0]


def question_back(diagnosis: Diagnosis) -> str:
    """The question whose answer leads to the fix."""
    return _entry(diagnosis.error_type)[1]


def _entry(error_type: str) -> list[str]:
    table = _table()
    return table.get(error_type, table[""])


@cache
def _table() -> dict[str, list[str]]:
    table: dict[str, list[str]] = json.loads(files(__package__).joinpath("advice.json").read_text("utf-8"))
    return table
