"""Parse a line strictly, as IOS does: into a command of our router, or where and why it is refused."""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from studium.tutor.ios.interface_names import WRITTEN, full_interface_type
from studium.tutor.ios.syntax import (
    CommandRow,
    SyntaxState,
    argument_help,
    canonical_argument,
    command_table,
    parse_syntax,
)

WORD = re.compile(r"\S+")
LEADING_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?=/)")
ADDRESSES = frozenset({"<ip>", "<mask>", "<wildcard>"})


class RefusalReason(StrEnum):
    """Why a line was not understood."""

    INVALID = "invalid"
    INCOMPLETE = "incomplete"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True)
class ParsedCommand:
    """A command with its keywords in full and its arguments in order."""

    command: CommandRow
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


class _Reading(NamedTuple):
    """A command matched up to some word."""

    command: CommandRow
    state: SyntaxState
    words: tuple[str, ...] = ()
    args: tuple[str, ...] = ()
    takes_rest: bool = False


class Grammar:
    """The commands of one mode."""

    def __init__(self, commands: Iterable[CommandRow]) -> None:
        """Take the rows of the command table."""
        self._start = [_Reading(command, parse_syntax(command.syntax)) for command in commands]

    def read(self, line: str) -> ParsedCommand | RefusedCommand:
        """Parse a line."""
        tokens = [(match.start(), match[0]) for match in WORD.finditer(line)]
        readings = self._start
        at = 0
        while at < len(tokens):
            column, word = tokens[at]
            taken, last = _interface_words(readings, tokens, at)
            following = _advance(readings, word if last == at else taken, line[column:])
            if isinstance(following, RefusalReason):
                return RefusedCommand(following, column, at)
            if not following:
                return RefusedCommand(RefusalReason.INVALID, column + _good_part(readings, word), at)
            if any(reading.state.end and reading.takes_rest for reading in following):
                return _complete(following, len(line), at)
            readings, at = following, last + 1
        return _complete(readings, len(line), at)

    def continuations(self, line: str) -> list[str]:
        """What `?` shows: the next words after a space, the completions right after letters."""
        words = line.split()
        typed = words.pop() if words and not line.endswith(" ") else ""
        readings = self._start
        for word in words:
            following = _advance(readings, word, word)
            readings = [] if isinstance(following, RefusalReason) else following
        shown = {_help_word(part) for reading in readings for part in _expected(reading)}
        return sorted(part for part in shown if part.startswith(typed) and not (typed and part == "<cr>"))


def _complete(readings: Sequence[_Reading], column: int, depth: int) -> ParsedCommand | RefusedCommand:
    for reading in readings:
        if reading.state.end:
            return ParsedCommand(reading.command, reading.words, reading.args)
    return RefusedCommand(RefusalReason.INCOMPLETE, column, depth)


def _expected(reading: _Reading) -> list[str | None]:
    """What may follow; None is the end of the line."""
    return [*(part for part, _ in reading.state.branches), *([None] if reading.state.end else [])]


def _wants(readings: Sequence[_Reading], parts: AbstractSet[str]) -> bool:
    return any(part in parts for reading in readings for part, _ in reading.state.branches)


def _interface_words(readings: Sequence[_Reading], tokens: Sequence[tuple[int, str]], at: int) -> tuple[str, int]:
    """Join an interface name written as two words (`gig 0/0`); return it and where it ends."""
    word = tokens[at][1]
    wanted = _wants(readings, {"<if>"})
    if wanted and at + 1 < len(tokens) and full_interface_type(word) and WRITTEN.fullmatch(word + tokens[at + 1][1]):
        return word + tokens[at + 1][1], at + 1
    return word, at


def _advance(readings: Sequence[_Reading], word: str, rest: str) -> list[_Reading] | RefusalReason:
    """The readings left after a word; an exact keyword beats longer ones, and keywords beat arguments."""
    lower = word.lower()
    keywords = {part.lower() for reading in readings for part, _ in reading.state.branches if part[0] != "<"}
    fitting = {lower} & keywords or {keyword for keyword in keywords if keyword.startswith(lower)}
    if len(fitting) > 1:
        return RefusalReason.AMBIGUOUS
    if fitting:
        return [
            _Reading(reading.command, following, (*reading.words, part), reading.args)
            for reading in readings
            for part, following in reading.state.branches
            if part.lower() in fitting
        ]
    return list(_with_argument(readings, word, rest))


def _with_argument(readings: Sequence[_Reading], word: str, rest: str) -> Iterator[_Reading]:
    for reading in readings:
        for part, following in reading.state.branches:
            is_rest = part == "<line>"
            value = None if part[0] != "<" else rest.strip() if is_rest else canonical_argument(part, word)
            if value is not None:
                yield _Reading(reading.command, following, (*reading.words, value), (*reading.args, value), is_rest)


def _good_part(readings: Sequence[_Reading], word: str) -> int:
    """How many characters of a bad word are valid, such as an address before its `/24`."""
    match = LEADING_ADDRESS.match(word)
    return match.end() if match and _wants(readings, ADDRESSES) else 0


def _help_word(part: str | None) -> str:
    if part is None:
        return "<cr>"
    return argument_help(part) if part.startswith("<") else part


@cache
def grammars() -> dict[str, Grammar]:
    """The commands of our router by mode."""
    modes: dict[str, list[CommandRow]] = {}
    for row in command_table():
        for mode in row.modes if row.action else ():
            modes.setdefault(mode, []).append(row)
    return {mode: Grammar(rows) for mode, rows in modes.items()}
