"""The table of IOS commands, the notation of its syntax, and the types of arguments.

commands.tsv has one row per command, commonest first: its modes (separated by commas), its syntax, its dialect, and
what our router does (action and target; a row without action is IOS that our router does not have). The syntax is made
of keywords, `<arguments>`, `[optional]` and `{one|other}`; `ARGUMENT_TYPES` has the types of arguments, and `<n:1-255>`
is a number with limits (`<n:1-99,1300-1999>` leaves a gap). The dialect is `frr` for what only FRR has, or empty.
"""

import csv
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from studium.tutor.ios.addresses import is_address, is_address6, is_mask, is_prefix, is_prefix6
from studium.tutor.ios.interface_names import full_interface_name, is_interface, is_slot

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


FREE_TEXT_TYPES: Final = frozenset({"word", "line", "hostname", "url"})
_NUMBER: Final = re.compile(r"[0-9]{1,10}")
_VLANS: Final = re.compile(r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*,?")
_MAC: Final = re.compile(r"(?i)[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}|[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}")
_HOSTNAME: Final = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.?")
_DOTTED: Final = re.compile(r"[\d.]+")
_HOURS: Final = re.compile(r"-?(?:\d|1\d|2[0-3])")
_LAST_PORT: Final = 65535
_PORT_NAME: Final = re.compile(
    r"(?i)bgp|biff|bootp[cs]|chargen|cmd|daytime|discard|dnsix|domain|drip|echo|exec|finger|ftp(?:-data)?|gopher|hostname|"
    r"ident|irc|isakmp|klogin|kshell|login|lpd|mobile-ip|nameserver|netbios-(?:dgm|ns|ss)|nntp|non500-isakmp|ntp|"
    r"pim-auto-rp|pop[23]|rip|smtp|snmp(?:trap)?|sunrpc|syslog|tacacs|talk|telnet|tftp|time|uucp|who(?:is)?|www|xdmcp"
)


class ArgumentType(NamedTuple):
    """A type of argument: `is_valid` checks the value, `has_form` only how it is written (the device then continues).

    `spoken` is what we call it ("a subnet mask"), `help` what `?` shows for it (`A.B.C.D`).
    """

    is_valid: Callable[[str], object]
    spoken: str = ""
    help: str = ""
    has_form: Callable[[str], object] | None = None


def _is_area(text: str) -> bool:
    return text.isdecimal() or is_address(text)


def _is_port(text: str) -> bool:
    return int(text) <= _LAST_PORT if _NUMBER.fullmatch(text) else _PORT_NAME.fullmatch(text) is not None


ARGUMENT_TYPES: Final[dict[str, ArgumentType]] = {
    "ip": ArgumentType(is_address, "an IPv4 address", "A.B.C.D"),
    "mask": ArgumentType(is_mask, "a subnet mask", "A.B.C.D", has_form=is_address),
    "wildcard": ArgumentType(is_address, "a wildcard mask", "A.B.C.D"),
    "prefix": ArgumentType(is_prefix, "a network as address/length", "A.B.C.D/M"),
    "ip6": ArgumentType(is_address6, "an IPv6 address", "X:X:X:X::X"),
    "prefix6": ArgumentType(is_prefix6, "an IPv6 address with its prefix length", "X:X:X:X::X/<0-128>"),
    "if": ArgumentType(is_interface, "an interface", "IF"),
    "n": ArgumentType(str.isdecimal, "a number"),
    "slash": ArgumentType(re.compile(r"/\d{1,2}").fullmatch),
    "area": ArgumentType(_is_area, "an area", "AREA"),
    "port": ArgumentType(_is_port, "a port number or name", "PORT"),
    "hours": ArgumentType(_HOURS.fullmatch, "the hours from UTC", "<-23 - 23>"),
    "vlans": ArgumentType(_VLANS.fullmatch, "a VLAN number"),
    "mac": ArgumentType(_MAC.fullmatch, "a MAC address", "H.H.H"),
    "slot": ArgumentType(is_slot),
    "time": ArgumentType(re.compile(r"\d{1,2}:\d{2}(?::\d{2})?").fullmatch, help="hh:mm:ss"),
    "range": ArgumentType(bool, "a range of interfaces"),
    "hostname": ArgumentType(lambda text: _HOSTNAME.fullmatch(text) and not _DOTTED.fullmatch(text), "a host"),
    "url": ArgumentType(re.compile(r"(?<!\w)\w++:\S*").fullmatch),
    "word": ArgumentType(bool, "a name", "WORD"),
    "line": ArgumentType(bool, "a text", "LINE"),
}


def argument_kind(part: str) -> str:
    """`n` for `<n:1-255>`."""
    return part.strip("<>").partition(":")[0]


def number_limits(part: str) -> str:
    """`1-255` for `<n:1-255>`; empty for other arguments."""
    return part.strip("<>").partition(":")[2]


def canonical_argument(part: str, word: str) -> str | None:
    """A word as the argument `<n:1-255>` or `<if>` of a command, spelled in full; None if it has the wrong form."""
    kind, _, limits = part.strip("<>").partition(":")
    if kind == "if":
        return full_interface_name(word)
    if kind == "n":
        return word if _NUMBER.fullmatch(word) and is_within(int(word), limits) else None
    if kind == "area" and word.isdecimal():
        return canonical_argument("<n:0-4294967295>", word)
    known = ARGUMENT_TYPES[kind]
    return word if (known.has_form or known.is_valid)(word) else None


def argument_help(part: str) -> str:
    """What `?` shows for an argument: `<1-255>`, `A.B.C.D`."""
    kind, _, limits = part.strip("<>").partition(":")
    return f"<{limits}>" if limits else ARGUMENT_TYPES[kind].help or kind.upper()


def is_within(number: int, limits: str) -> bool:
    """Whether a number is within `1-99,1300-1999`; empty limits allow any."""
    ranges = (each.partition("-") for each in limits.split(",") if each)
    return not limits or any(int(lowest) <= number <= int(highest) for lowest, _, highest in ranges)
