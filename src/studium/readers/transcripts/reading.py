"""Reading what was typed: a recorded console, a JSON list, or a bare history of commands."""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from studium.core.documents.files import display_path, read_bytes
from studium.core.domain.finding import Finding, Locator, Severity
from studium.domain.lab import Typed
from studium.readers.transcripts import records
from studium.readers.transcripts.console import cut
from studium.readers.transcripts.prompts import Prompts
from studium.readers.transcripts.screen import columns_of, shown_lines

_WIDE = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_NUMBERED = re.compile(r"\s*\d+\s{2,}(?=\S)")
_ANSWERED = re.compile(r"\s*\^\s*$|\s*%|Command rejected|Bad mask|Error:")
_MOST_BARE = 5_000


@dataclass(frozen=True)
class HistoryReading:
    """What was typed, in order; and what could not be read."""

    typed: tuple[Typed, ...]
    findings: tuple[Finding, ...] = ()


def read_history(path: Path) -> HistoryReading:
    """Read a file of what was typed, whatever its form."""
    file = read_bytes(path)
    if file.data is None:
        return HistoryReading((), file.findings)
    text = _decoded(file.data)
    if text.lstrip()[:1] in {"[", "{"}:
        return _read_records(path, text)
    typed = tuple(cut(shown_lines(text), columns_of(text))) or tuple(_bare(shown_lines(text)))
    if not typed:
        return _nothing(path, "The file holds no command. Record the console with its prompts.")
    if len(typed) > _MOST_BARE and not any(each.prompt for each in typed):
        return _nothing(path, "The file has no prompt, so commands cannot be told from output. Record the prompts too.")
    return HistoryReading(typed)


def read_exchange(text: str) -> Typed:
    """One command with what the device said: with its prompt, or the command alone on the first line."""
    lines = list(shown_lines(text.strip("\r\n")))
    found = next((each for each in cut(lines, columns_of(text)) if each.command), None)
    if found:
        return found
    if not lines or _ANSWERED.match(lines[0]):
        return Typed(command="", output="\n".join(lines))
    return Typed(command=lines[0].strip(), output=_without_prompt(lines[1:]))


def _decoded(data: bytes) -> str:
    """A recording may hold any byte; one that is no text must not keep the rest from being read."""
    encoding = next((name for mark, name in _WIDE.items() if data.startswith(mark)), "utf-8-sig")
    return data.decode(encoding, "replace")


def _read_records(path: Path, text: str) -> HistoryReading:
    typed, findings = [], []
    for number, entry in records.parse(text):
        try:
            typed.append(records.typed(entry))
        except records.Mistake as mistake:
            findings.append(_finding(path, "entry", f"Entry {number}: {mistake}", line=number))
    return HistoryReading(tuple(typed), tuple(findings))


def _bare(lines: Iterable[str]) -> Iterator[Typed]:
    """One command a line; a complaint of the device below it is its output."""
    command, heard = "", list[str]()
    for line in lines:
        if _ANSWERED.match(line) and command:
            heard.append(line)
        elif (stripped := _NUMBERED.sub("", line).strip()) and not stripped.startswith("!"):
            if command:
                yield Typed(command=command, output="\n".join(heard))
            command, heard = stripped, []
    if command:
        yield Typed(command=command, output="\n".join(heard))


def _without_prompt(lines: list[str]) -> str:
    last = Prompts().read(lines[-1]) if lines else None
    return "\n".join(lines[:-1] if last and not last.command else lines).strip("\n")


def _nothing(path: Path, message: str) -> HistoryReading:
    return HistoryReading((), (_finding(path, "no_command", message),))


def _finding(path: Path, code: str, message: str, line: int | None = None) -> Finding:
    where = Locator(path=display_path(path), line=line)
    return Finding(code=f"transcript.{code}", severity=Severity.ERROR, message=message, where=where)
