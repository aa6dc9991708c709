"""Read typed commands from console recordings, JSON and plain command lists."""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from studium.core.documents.files import display_path, read_bytes
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.json_files import UnreadableJson, load_json
from studium.tutor.domain import TypedCommand

_PROMPT = re.compile(
    r"(?P<prompt>(?P<name>[A-Za-z](?:[\w.@:/+-]{0,61}\w)?)(?P<place>\((?:config|vlan|dhcp)[\w.+-]{0,40}\))?(?P<end>[>#]))"
    r"(?P<command>.*)"
)
_TYPED = re.compile(r" ?(?:[A-Za-z?!;^]\S*(?: .*)?)?\s*")
_HOSTNAME = re.compile(r"\s*host\w*\s+(?P<name>\S+)\s*", re.IGNORECASE)
_LOG = re.compile(
    r"[*.]?(?:[A-Z][a-z]{2} {1,2}\d{1,2} (?:\d{4} )?\d\d:\d\d:\d\d|\d\d:\d\d:\d\d|\d{4}/\d\d/\d\d \d\d:\d\d:\d\d)"
    r"[^:]{0,20}: |%[A-Z][A-Z0-9_]+-\d-[A-Z0-9_]+:"
)


class PromptLine(NamedTuple):
    """A line of a recording that begins with a prompt."""

    prompt: str
    device: str
    command: str


class PromptFinder:
    """Recognises prompts, using the device names seen so far."""

    def __init__(self) -> None:
        """Start with no known device."""
        self._known: set[str] = set()

    def read(self, line: str) -> PromptLine | None:
        """The prompt and the command of a line, or None if it is output."""
        found = _PROMPT.match(line)
        if not found or not (found["name"] in self._known or _is_believable(found)):
            return None
        self._known.add(found["name"])
        renamed = _HOSTNAME.fullmatch(found["command"])
        if renamed:
            self._known.add(renamed["name"])
        return PromptLine(found["prompt"], found["name"], found["command"].strip())


def find_log_message(text: str) -> int | None:
    """The position of a log message in a line, or None."""
    found = _LOG.search(text)
    return found.start() if found else None


def _is_believable(found: re.Match[str]) -> bool:
    """Whether a new name is plausible: routing tables have lines such as `S>* 10.0.0.0/8` and `r>i10.1.0.0`."""
    if found["place"]:
        return True
    if len(found["name"]) == 1 and found["end"] == ">":
        return False
    return bool(_TYPED.fullmatch(found["command"]) or _LOG.match(found["command"]))


_ANSWER = re.compile(r"\s|%|$|[*.]?[A-Z][a-z]{2} +\d|Command rejected|Bad mask|Building|\[OK\]")


def split_commands(lines: Iterable[str], columns: int) -> Iterator[TypedCommand]:
    """Split a recording into commands; unsolicited output gets an empty command."""
    prompts = PromptFinder()
    now: _Exchange | None = None
    for line in lines:
        found = prompts.read(line)
        if found:
            if now:
                yield from now.typed()
            now = _Exchange(found, columns, len(line.rstrip()))
        elif now:
            now.hear(line)
    if now:
        yield from now.typed()


class _Exchange:
    """A command and its output so far."""

    def __init__(self, found: PromptLine, columns: int, width: int) -> None:
        self._found = found
        self._command = found.command
        self._heard: list[str] = []
        # The rest of the command is on the next line if the screen was too narrow or a log message interrupted it.
        self._is_half = width > 0 and width % columns == 0
        at = find_log_message(found.command)
        if at is not None:
            self._command = found.command[:at].rstrip()
            self._heard.append(found.command[at:])
            self._is_half = bool(self._command)

    def hear(self, line: str) -> None:
        if self._is_half and find_log_message(line) != 0:
            self._is_half = False
            if not _ANSWER.match(line):
                self._command = (self._command + line).rstrip()
                return
        self._heard.append(line)

    def typed(self) -> Iterator[TypedCommand]:
        output = "\n".join(self._heard).strip("\n")
        if self._command or output.strip():
            yield TypedCommand(
                command=self._command, output=output, prompt=self._found.prompt, device=self._found.device
            )


_COLUMNS = 80
_WIDEST = 512
# A longer line is no command line; it only loses its codes.
_LONGEST_EDITED = 20_000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_DROPPED = re.compile(r"[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]")
_PIECE = re.compile(
    r"\x1b\[\??(?P<count>\d{0,4})[\d;]*(?P<code>[@-~])|\x1b\][^\x07\x1b]{0,300}(?:\x07|\x1b\\)|\x1b[ -/]?[0-~]?"
    r"|(?P<key>[\b]+|\r)|(?P<text>[^\x1b\b\r]+)"
)
_MORE = re.compile(r"^ ?<?-{2,3} ?More ?(?:\(.{1,20}\) ?)?-{2,3}>?[ \t]{0,10}")
_STARTED = re.compile(r"Script started on .*?(?:COLUMNS=\"(?P<columns>\d{1,4})\".*)?$")
_DONE = "Script done on "


def screen_width(text: str) -> int:
    """The terminal width in the recording's header, else the default."""
    started = _STARTED.match(text.partition("\n")[0].rstrip())
    return int(started["columns"]) if started and started["columns"] else _COLUMNS


def screen_lines(text: str) -> Iterator[str]:
    """The lines of a recording as shown on the screen."""
    columns = screen_width(text)
    text = text.replace("\r\r\n", "\n").replace("\r\n", "\n")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    for number, raw in enumerate(text.split("\n")):
        line = _edited(raw, columns) if _CONTROL.search(raw) else raw
        if "More" in line:
            line = _MORE.sub("", line)
        if not (line.startswith(_DONE) or (number == 0 and _STARTED.match(line))):
            yield line


def _edited(raw: str, columns: int) -> str:
    if len(raw) > _LONGEST_EDITED:
        return _CONTROL.sub("", _PIECE.sub(lambda piece: piece["text"] or "", raw))
    row = _Row(columns)
    for piece in _PIECE.finditer(raw):
        if piece["text"]:
            row.write(_DROPPED.sub("", piece["text"]))
        elif piece["key"]:
            row.press(piece["key"])
        elif piece["code"]:
            row.obey(piece["code"], int(piece["count"] or 0))
    return "".join(row.cells).rstrip()


class _Row:
    """One row of a terminal, and the cursor on it."""

    def __init__(self, columns: int) -> None:
        self.cells: list[str] = []
        self.cursor = 0
        self._columns = columns

    def write(self, text: str) -> None:
        self.cells += " " * (self.cursor - len(self.cells))
        self.cells[self.cursor : self.cursor + len(text)] = text
        self.cursor += len(text)

    def press(self, key: str) -> None:
        if key.startswith("\b"):
            self.cursor = max(0, self.cursor - len(key))
        elif self._wraps():
            self.cells.pop()
            self.cursor -= 1
        else:
            self.cursor = 0

    def obey(self, code: str, count: int) -> None:
        steps = count or 1
        match code:
            case "K":
                self._erase(count)
            case "D":
                self.cursor = max(0, self.cursor - steps)
            case "C":
                self.cursor = min(self.cursor + steps, max(_WIDEST, len(self.cells)))
            case "G":
                self.cursor = min(steps - 1, max(_WIDEST, len(self.cells)))
            case "P":
                del self.cells[self.cursor : self.cursor + steps]
            case "@":
                self.cells[self.cursor : self.cursor] = " " * min(steps, max(0, _WIDEST - len(self.cells)))

    def _erase(self, count: int) -> None:
        if count == 0:
            del self.cells[self.cursor :]
        elif count == 1:
            self.cells[: self.cursor] = " " * min(self.cursor, len(self.cells))
        else:
            self.cells.clear()

    def _wraps(self) -> bool:
        """Whether the line wraps: editors print a space past the edge and a carriage return."""
        end = len(self.cells)
        return self.cursor == end > 1 and (end - 1) % self._columns == 0 and self.cells[-1] == " "


_FIELDS = ("command", "output", "prompt", "device")
_LISTS = ("history", "commands", "typed", "entries")


class BadRecord(Exception):
    """An invalid entry; reported as a Finding."""


def parse_records(text: str) -> Iterator[tuple[int, Any]]:
    """The entries of a JSON or JSON Lines text with their line or number."""
    try:
        whole = load_json(text)
    except UnreadableJson:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield number, _loaded(line)
        return
    if isinstance(whole, dict):
        whole = next((whole[name] for name in _LISTS if isinstance(whole.get(name), list)), [whole])
    yield from enumerate(whole if isinstance(whole, list) else [whole], 1)


def record_to_command(entry: Any) -> TypedCommand:
    """Convert an entry to a command; raises BadRecord if it is invalid."""
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
        return load_json(line)
    except UnreadableJson as error:
        return BadRecord(f"The line is not JSON: {error.reason}.")


def _with_prompt(made: TypedCommand) -> TypedCommand:
    found = PromptFinder().read(made.command)
    if not found or not found.command:
        return made
    return made.model_copy(
        update={"command": found.command, "prompt": found.prompt, "device": made.device or found.device}
    )


_WIDE = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_NUMBERED = re.compile(r"\s*+\d++\s{2,}+(?=\S)")
_ANSWERED = re.compile(r"\s*\^\s*$|\s*%|Command rejected|Bad mask|Error:")
_MOST_BARE = 5_000
_MOST_FINDINGS = 100


@dataclass(frozen=True)
class HistoryReadResult:
    """The typed commands in order, and findings about unreadable parts."""

    typed: tuple[TypedCommand, ...]
    findings: tuple[Finding, ...] = ()


def read_history(path: Path) -> HistoryReadResult:
    """Read a file of typed commands in any supported form."""
    file = read_bytes(path)
    if file.data is None:
        return HistoryReadResult((), file.findings)
    text = _decoded(file.data)
    if text.lstrip()[:1] in {"[", "{"}:
        return _read_records(path, text)
    typed = tuple(split_commands(screen_lines(text), screen_width(text))) or tuple(_bare(screen_lines(text)))
    if not typed:
        return _nothing(path, "The file has no commands. Record the console with its prompts.")
    if len(typed) > _MOST_BARE and not any(each.prompt for each in typed):
        return _nothing(path, "The file has no prompts to separate commands from output. Record the prompts too.")
    return HistoryReadResult(typed)


def _decoded(data: bytes) -> str:
    """Decode a recording; invalid bytes are replaced."""
    encoding = next((name for mark, name in _WIDE.items() if data.startswith(mark)), "utf-8-sig")
    return data.decode(encoding, "replace")


def _read_records(path: Path, text: str) -> HistoryReadResult:
    typed, findings, bad = [], [], 0
    for number, entry in parse_records(text):
        try:
            typed.append(record_to_command(entry))
        except BadRecord as mistake:
            bad += 1
            if bad <= _MOST_FINDINGS:
                findings.append(_finding(path, "entry", f"Entry {number}: {mistake}", line=number))
    if bad > _MOST_FINDINGS:
        findings.append(_finding(path, "entry", f"{bad - _MOST_FINDINGS:,} more entries cannot be read."))
    return HistoryReadResult(tuple(typed), tuple(findings))


def _bare(lines: Iterable[str]) -> Iterator[TypedCommand]:
    """Parse one command per line; an error message below it is its output."""
    command, heard = "", list[str]()
    for line in lines:
        if _ANSWERED.match(line) and command:
            heard.append(line)
        elif (stripped := _without_number(line)) and not stripped.startswith("!"):
            if command:
                yield TypedCommand(command=command, output="\n".join(heard))
            command, heard = stripped, []
    if command:
        yield TypedCommand(command=command, output="\n".join(heard))


def _without_number(line: str) -> str:
    """A line of a shell's history without the number before it."""
    numbered = _NUMBERED.match(line)
    return line[numbered.end() if numbered else 0 :].strip()


def _nothing(path: Path, message: str) -> HistoryReadResult:
    return HistoryReadResult((), (_finding(path, "no_command", message),))


def _finding(path: Path, code: str, message: str, line: int | None = None) -> Finding:
    where = Locator(path=display_path(path), line=line)
    return Finding(code=f"transcript.{code}", severity=Severity.ERROR, message=message, where=where)
