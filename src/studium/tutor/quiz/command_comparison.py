"""Configuration as it was meant: abbreviations, spellings of interfaces and the order of lines do not matter.

conf t / int g0/0 / no shut / ip add 10.0.0.1 255.255.255.0
interface GigabitEthernet0/0 / ip address 10.0.0.1 255.255.255.0 / no shutdown      are the same.
"""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from ipaddress import IPv4Network
from typing import Any


@cache
def spelling_table() -> dict[str, Any]:
    """The table of them."""
    table: dict[str, Any] = json.loads(files(__package__).joinpath("spellings.json").read_text("utf-8"))
    return table


LONGEST_MASK = 32

_Line = tuple[str, str]

_PROMPT = re.compile(r"^\s*[A-Za-z][\w.-]*(?:\([\w-]+\))?[#>]\s*")
_INTERFACE = re.compile(r"\b([a-z][a-z-]*?) ?(\d+(?:/\d+)*(?:\.\d+)?)(?![\w/.])")
_PREFIX = re.compile(r"(\d+\.\d+\.\d+\.\d+)/(\d{1,2})(?!\d)")
_KEYWORD = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True)
class Comparison:
    """How much of what was wanted is there: the lines met, the wanted ones missing, and those too many.

    `by_length` says that a prefix length was written where IOS wants a mask.
    """

    met: int
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    by_length: bool = False

    @property
    def is_same(self) -> bool:
        """Whether nothing is missing and nothing is too much."""
        return not self.missing and not self.extra


def compare_commands(typed: str, wanted: str) -> Comparison:
    """What was typed beside what was wanted."""
    on_the_way = _navigation() if _lines(wanted, _navigation()) else frozenset()
    left, expected = _lines(typed, on_the_way), _lines(wanted, on_the_way)
    is_in_order = _in_same_order(left, expected)
    missing = []
    for line in expected:
        found = next((each for each in left if _is_same(each, line)), None)
        if found is None or not is_in_order:
            missing.append(line[1])
        else:
            left.remove(found)
    by_length = bool(_PREFIX.search(typed)) and not _PREFIX.search(wanted)
    met = len(expected) - len(missing)
    return Comparison(met, tuple(missing), tuple(line for _, line in left), by_length)


def dotted_masks(text: str) -> str:
    """Prefix lengths as masks: `10.0.0.1/24` as `10.0.0.1 255.255.255.0`."""
    return _PREFIX.sub(
        lambda found: f"{found[1]} {mask_for_length(int(found[2]))}" if int(found[2]) <= LONGEST_MASK else found[0],
        text,
    )


def mask_for_length(length: int) -> str:
    """The mask of a prefix length."""
    return str(IPv4Network((0, length)).netmask)


def _lines(text: str, on_the_way: Collection[str]) -> list[_Line]:
    """The lines that matter, each with the block it stands in; not those that only lead there."""
    block, lines = "", []
    for raw in text.splitlines():
        line = _normal(raw)
        if not line or line == "!" or line in on_the_way:
            block = "" if line in {"exit", "end"} else block
            continue
        if _opens(line):
            block = line
            lines.append(("", line))
        else:
            lines.append((block, line))
    return lines


def _normal(raw: str) -> str:
    line = " ".join(_PROMPT.sub("", raw).lower().split())
    return _INTERFACE.sub(_interface_in_full, dotted_masks(line))


def _interface_in_full(found: re.Match[str]) -> str:
    full = _interfaces().get(found[1])
    return f"{full}{found[2]}" if full else found[0]


def _opens(line: str) -> bool:
    words = line.split()
    return any(
        len(words) > len(opener.split())
        and all(_abbreviates(word, full) for word, full in zip(words, opener.split(), strict=False))
        for opener in spelling_table()["openers"]
    )


def _is_same(typed: _Line, wanted: _Line) -> bool:
    return all(_same_line(*pair) for pair in zip(typed, wanted, strict=True))


def _same_line(typed: str, wanted: str) -> bool:
    words, full = typed.split(), wanted.split()
    if words[:1] == ["do"] and full[:1] != ["do"]:  # right in every mode; the other way round it is not
        words = words[1:]
    return len(words) == len(full) and all(map(_abbreviates, words, full))


def _abbreviates(word: str, full: str) -> bool:
    """Whether a word is the keyword or begins it; names and numbers must be what they are."""
    if word == full:
        return True
    is_long_enough = len(word) > 1 or word in spelling_table()["one_letter"]
    return is_long_enough and bool(_KEYWORD.fullmatch(full)) and full.startswith(word)


def _in_same_order(typed: Sequence[_Line], wanted: Sequence[_Line]) -> bool:
    """Of most lines the order is free; of those that are read from the top, it is not."""
    read_from_the_top = tuple(spelling_table()["in_order"])
    if not any(line.startswith(read_from_the_top) for _, line in wanted):
        return True
    return all(_is_same(one, other) for one, other in zip(typed, wanted, strict=False))


@cache
def _navigation() -> frozenset[str]:
    return frozenset(spelling_table()["navigation"])


@cache
def _interfaces() -> dict[str, str]:
    table = spelling_table()["interfaces"]
    return {short: full for full, shorts in table.items() for short in (*shorts, full)}
