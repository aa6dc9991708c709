"""The table of IOS commands, and the notation of its syntax.

commands.tsv has one row per command, commonest first: its modes (separated by commas), its syntax, its dialect, and
what our router does (action and target; a row without action is IOS that our router does not have). The syntax is made
of keywords, `<arguments>`, `[optional]` and `{one|other}`; arguments.py has the types of arguments, and `<n:1-255>` is
a number with limits (`<n:1-99,1300-1999>` leaves a gap). The dialect is `frr` for what only FRR has, otherwise empty.
"""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

_PIECE: Final = re.compile(r"<[^<>]+>|[\[\]{}|]|[^\s\[\]{}|<>]+")


class CommandRow(NamedTuple):
    """A row of the command table."""

    modes: frozenset[str]
    syntax: str
    dialect: str
    action: str
    target: str


@cache
def command_table() -> tuple[CommandRow, ...]:
    """All rows of the command table."""
    with files(__package__).joinpath("commands.tsv").open(encoding="utf-8") as table:
        rows = csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(CommandRow(frozenset(row.pop("modes").split(",")), **row) for row in rows)


@dataclass(frozen=True, eq=False)
class SyntaxState:
    """A place in a syntax: the keywords and arguments that may follow, each with its next state, and if it may end."""

    branches: tuple[tuple[str, "SyntaxState"], ...]
    end: bool


class _Group(NamedTuple):
    """A `{one|other}` or an `[optional]` part."""

    options: list[list["str | _Group"]]
    is_optional: bool


_END: Final = SyntaxState((), end=True)
_DEAD: Final = SyntaxState((), end=False)


@cache
def parse_syntax(syntax: str, excluded: frozenset[str] = frozenset()) -> SyntaxState:
    """The first state of a syntax; the ways with an excluded argument are left out."""
    return _build(_read_group(iter(_PIECE.findall(syntax)), is_optional=False), _END, excluded)


def _read_group(pieces: Iterator[str], *, is_optional: bool) -> _Group:
    options: list[list[str | _Group]] = [[]]
    for piece in pieces:
        if piece in "}]":
            break
        if piece == "|":
            options.append([])
        else:
            options[-1].append(_read_group(pieces, is_optional=piece == "[") if piece in "{[" else piece)
    return _Group(options, is_optional)


def _build(group: _Group, after: SyntaxState, excluded: frozenset[str]) -> SyntaxState:
    """Build from the end, so that the ways through a group share what follows it."""
    states = [after] if group.is_optional else []
    for option in group.options:
        state = after
        for part in reversed(option):
            if isinstance(part, _Group):
                state = _build(part, state, excluded)
            elif part in excluded or not (state.end or state.branches):
                state = _DEAD
            else:
                state = SyntaxState(((part, state),), end=False)
        states.append(state)
    return SyntaxState(tuple(branch for state in states for branch in state.branches), any(one.end for one in states))
