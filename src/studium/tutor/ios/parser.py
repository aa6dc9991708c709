"""Parse a line strictly, as IOS does: into a command of our router, or where and why it is refused."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

from studium.tutor.ios.arguments import argument_help, canonical_argument
from studium.tutor.ios.interface_names import WRITTEN, full_interface_type
from studium.tutor.ios.vocabulary import command_table, expand_syntax

WORD = re.compile(r"\S+")
LEADING_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?=/)")
ADDRESSES = frozenset({"<ip>", "<mask>", "<wildcard>"})


class RefusalReason(StrEnum):
    """Why a line was not understood."""

    INVALID = "invalid"
    INCOMPLETE = "incomplete"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True)
class CommandSyntax:
    """One way to write a command, and what is to be done with it."""

    parts: tuple[str, ...]
    action: str
    target: str


@dataclass(frozen=True)
class ParsedCommand:
    """A command with its keywords in full and its arguments in order."""

    command: CommandSyntax
    words: tuple[str, ...]
    args: tuple[str, ...]

    @property
    def text(self) -> str:
        """The command in full."""
        return " ".join(self.words)


@dataclass(frozen=True)
class RefusedCommand:
    """Why a line was refused, and the column of the caret."""

    why: RefusalReason
    column: int
    depth: int


@dataclass(frozen=True)
class _Reading:
    """A command matched up to some word."""

    command: CommandSyntax
    words: tuple[str, ...] = ()
    args: tuple[str, ...] = ()

    @property
    def expects(self) -> str | None:
        done = len(self.words)
        return self.command.parts[done] if done < len(self.command.parts) else None


@dataclass
class Grammar:
    """The commands of one mode."""

    commands: list[CommandSyntax] = field(default_factory=list)

    def read(self, line: str) -> ParsedCommand | RefusedCommand:
        """Parse a line."""
        tokens = [(match.start(), match[0]) for match in WORD.finditer(line)]
        readings = [_Reading(command) for command in self.commands]
        at = 0
        while at < len(tokens):
            column, word = tokens[at]
            taken, last = _interface_words(readings, tokens, at)
            following = _advance(readings, word if last == at else taken, line[column:])
            if isinstance(following, RefusalReason):
                return RefusedCommand(following, column, at)
            if not following:
                return RefusedCommand(RefusalReason.INVALID, column + _good_part(readings, word), at)
            if any(reading.expects is None and _takes_rest(reading) for reading in following):
                return _complete(following, len(line), at)
            readings, at = following, last + 1
        return _complete(readings, len(line), at)

    def continuations(self, line: str) -> list[str]:
        """What `?` shows: the next words after a space, the completions right after letters."""
        words = line.split()
        begun = words.pop() if words and not line.endswith(" ") else ""
        readings = [_Reading(command) for command in self.commands]
        for word in words:
            following = _advance(readings, word, word)
            readings = [] if isinstance(following, RefusalReason) else following
        shown = {_help_word(reading.expects) for reading in readings}
        return sorted(part for part in shown if part.startswith(begun) and not (begun and part == "<cr>"))


def _complete(readings: Sequence[_Reading], column: int, depth: int) -> ParsedCommand | RefusedCommand:
    for reading in readings:
        if reading.expects is None:
            return ParsedCommand(reading.command, reading.words, reading.args)
    return RefusedCommand(RefusalReason.INCOMPLETE, column, depth)


def _takes_rest(reading: _Reading) -> bool:
    return reading.command.parts[-1] == "<line>"


def _interface_words(readings: Sequence[_Reading], tokens: Sequence[tuple[int, str]], at: int) -> tuple[str, int]:
    """Join an interface name written as two words (`gig 0/0`); return it and where it ends."""
    word = tokens[at][1]
    wanted = any(reading.expects == "<if>" for reading in readings)
    if wanted and at + 1 < len(tokens) and full_interface_type(word) and WRITTEN.fullmatch(word + tokens[at + 1][1]):
        return word + tokens[at + 1][1], at + 1
    return word, at


def _advance(readings: Sequence[_Reading], word: str, rest: str) -> list[_Reading] | RefusalReason:
    """The readings left after a word; an exact keyword beats longer ones, and keywords beat arguments."""
    lower = word.lower()
    keywords = {part for reading in readings if (part := reading.expects) and not part.startswith("<")}
    fitting = {lower} & {key.lower() for key in keywords} or {
        key.lower() for key in keywords if key.lower().startswith(lower)
    }
    if len(fitting) > 1:
        return RefusalReason.AMBIGUOUS
    if fitting:
        return [
            _Reading(reading.command, (*reading.words, part), reading.args)
            for reading in readings
            if (part := reading.expects) and part.lower() in fitting
        ]
    return list(_with_argument(readings, word, rest))


def _with_argument(readings: Sequence[_Reading], word: str, rest: str) -> Iterator[_Reading]:
    for reading in readings:
        part = reading.expects
        if part and part.startswith("<"):
            value = rest.strip() if part == "<line>" else canonical_argument(part, word)
            if value is not None:
                yield _Reading(reading.command, (*reading.words, value), (*reading.args, value))


def _good_part(readings: Sequence[_Reading], word: str) -> int:
    """How many characters of a bad word are valid, such as an address before its `/24`."""
    match = LEADING_ADDRESS.match(word)
    return match.end() if match and any(reading.expects in ADDRESSES for reading in readings) else 0


def _help_word(part: str | None) -> str:
    if part is None:
        return "<cr>"
    return argument_help(part) if part.startswith("<") else part


@cache
def grammars() -> dict[str, Grammar]:
    """The commands of our router by mode."""
    made: dict[str, Grammar] = {}
    for row in command_table():
        if row.action:
            commands = [CommandSyntax(parts, row.action, row.target) for parts in expand_syntax(row.syntax)]
            for mode in row.modes:
                made.setdefault(mode, Grammar()).commands.extend(commands)
    return made
