"""Reading what was typed: a recorded console, a JSON list, or a bare history of commands."""

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studium.core.documents.files import display_path, read_bytes
from studium.core.domain.finding import Finding, Locator, Severity
from studium.tutor.domain import TypedCommand
from studium.tutor.transcripts.console_log import PromptFinder, screen_lines, screen_width, split_commands

_FIELDS = ("command", "output", "prompt", "device")
_LISTS = ("history", "commands", "typed", "entries")


class BadRecord(Exception):
    """What is wrong with an entry; it becomes a Finding and never leaves the reader."""


def parse_records(text: str) -> Iterator[tuple[int, Any]]:
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


def record_to_command(entry: Any) -> TypedCommand:
    """An entry as a command with its output; Mistake if it is none."""
    if isinstance(entry, str):
        entry = {"command": entry}
    if isinstance(entry, BadRecord):
        raise entry
    if not isinstance(entry, dict):
        raise BadRecord("An entry must be an object with `command` and `output`.")
    if "command" not in entry and "output" not in entry:
        raise BadRecord("The entry has neither `command` nor `output`.")
    fields = {name: entry.get(name) if entry.get(name) is not None else "" for name in _FIELDS}
    wrong = [name for name, value in fields.items() if not isinstance(value, str)]
    if wrong:
        raise BadRecord(f"`{wrong[0]}` must be text.")
    made = TypedCommand(**fields)
    return made if made.prompt else _with_prompt(made)


def _loaded(line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        return BadRecord(f"The line is not JSON: {error.msg} at column {error.colno}.")


def _with_prompt(made: TypedCommand) -> TypedCommand:
    found = PromptFinder().read(made.command)
    if not found or not found.command:
        return made
    return made.model_copy(
        update={"command": found.command, "prompt": found.prompt, "device": made.device or found.device}
    )


_WIDE = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_NUMBERED = re.compile(r"\s*\d+\s{2,}(?=\S)")
_ANSWERED = re.compile(r"\s*\^\s*$|\s*%|Command rejected|Bad mask|Error:")
_MOST_BARE = 5_000


@dataclass(frozen=True)
class HistoryReadResult:
    """What was typed, in order; and what could not be read."""

    typed: tuple[TypedCommand, ...]
    findings: tuple[Finding, ...] = ()


def read_history(path: Path) -> HistoryReadResult:
    """Read a file of what was typed, whatever its form."""
    file = read_bytes(path)
    if file.data is None:
        return HistoryReadResult((), file.findings)
    text = _decoded(file.data)
    if text.lstrip()[:1] in {"[", "{"}:
        return _read_records(path, text)
    typed = tuple(split_commands(screen_lines(text), screen_width(text))) or tuple(_bare(screen_lines(text)))
    if not typed:
        return _nothing(path, "The file holds no command. Record the console with its prompts.")
    if len(typed) > _MOST_BARE and not any(each.prompt for each in typed):
        return _nothing(path, "The file has no prompt, so commands cannot be told from output. Record the prompts too.")
    return HistoryReadResult(typed)


def _decoded(data: bytes) -> str:
    """A recording may hold any byte; one that is no text must not keep the rest from being read."""
    encoding = next((name for mark, name in _WIDE.items() if data.startswith(mark)), "utf-8-sig")
    return data.decode(encoding, "replace")


def _read_records(path: Path, text: str) -> HistoryReadResult:
    typed, findings = [], []
    for number, entry in parse_records(text):
        try:
            typed.append(record_to_command(entry))
        except BadRecord as mistake:
            findings.append(_finding(path, "entry", f"Entry {number}: {mistake}", line=number))
    return HistoryReadResult(tuple(typed), tuple(findings))


def _bare(lines: Iterable[str]) -> Iterator[TypedCommand]:
    """One command a line; a complaint of the device below it is its output."""
    command, heard = "", list[str]()
    for line in lines:
        if _ANSWERED.match(line) and command:
            heard.append(line)
        elif (stripped := _NUMBERED.sub("", line).strip()) and not stripped.startswith("!"):
            if command:
                yield TypedCommand(command=command, output="\n".join(heard))
            command, heard = stripped, []
    if command:
        yield TypedCommand(command=command, output="\n".join(heard))


def _nothing(path: Path, message: str) -> HistoryReadResult:
    return HistoryReadResult((), (_finding(path, "no_command", message),))


def _finding(path: Path, code: str, message: str, line: int | None = None) -> Finding:
    where = Locator(path=display_path(path), line=line)
    return Finding(code=f"transcript.{code}", severity=Severity.ERROR, message=message, where=where)
