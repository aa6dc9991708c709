"""Lists of commands as JSON, or as one JSON object a line."""

import json
from collections.abc import Iterator
from typing import Any

from studium.domain.lab import Typed
from studium.readers.transcripts.prompts import Prompts

_FIELDS = ("command", "output", "prompt", "device")
_LISTS = ("history", "commands", "typed", "entries")


class Mistake(Exception):
    """What is wrong with an entry; it becomes a Finding and never leaves the reader."""


def parse(text: str) -> Iterator[tuple[int, Any]]:
    """The entries of a file with the line, or for a list the number, of each; ValueError if it is no JSON."""
    try:
        whole = json.loads(text)
    except json.JSONDecodeError:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield number, _loaded(line)
        return
    if isinstance(whole, dict):
        whole = next((whole[name] for name in _LISTS if isinstance(whole.get(name), list)), [whole])
    yield from enumerate(whole if isinstance(whole, list) else [whole], 1)


def typed(entry: Any) -> Typed:
    """An entry as a command with its output; Mistake if it is none."""
    if isinstance(entry, str):
        entry = {"command": entry}
    if isinstance(entry, Mistake):
        raise entry
    if not isinstance(entry, dict):
        raise Mistake("An entry must be an object with `command` and `output`.")
    if "command" not in entry and "output" not in entry:
        raise Mistake("The entry has neither `command` nor `output`.")
    fields = {name: entry.get(name) if entry.get(name) is not None else "" for name in _FIELDS}
    wrong = [name for name, value in fields.items() if not isinstance(value, str)]
    if wrong:
        raise Mistake(f"`{wrong[0]}` must be text.")
    made = Typed(**fields)
    return made if made.prompt else _with_prompt(made)


def _loaded(line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        return Mistake(f"The line is not JSON: {error.msg} at column {error.colno}.")


def _with_prompt(made: Typed) -> Typed:
    found = Prompts().read(made.command)
    if not found or not found.command:
        return made
    return made.model_copy(
        update={"command": found.command, "prompt": found.prompt, "device": made.device or found.device}
    )
