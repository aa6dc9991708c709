"""Modes of the command line: prompts, names and the commands that change modes."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from studium.tutor.domain import Mode

_PROMPT: Final = re.compile(r"\s*(?P<hostname>[\w.:/@+-]{1,80})(?:\((?P<place>[\w.+-]+)\))?(?P<end>[>#])\s?")
_PLACES: Final = (
    (re.compile(r"config"), Mode.GLOBAL_CONFIG),
    (re.compile(r"(config-)?subif.*"), Mode.SUBINTERFACE_CONFIG),
    (re.compile(r"config-if.*|if"), Mode.INTERFACE_CONFIG),
    (re.compile(r"config-(router|rtr|ospf6?|bgp)\S*"), Mode.ROUTER_CONFIG),
    (re.compile(r"config-line.*"), Mode.LINE_CONFIG),
    (re.compile(r"(config-)?vlan"), Mode.VLAN_CONFIG),
    (re.compile(r"config-(std|ext)-nacl|config-ipv6-acl"), Mode.ACL_CONFIG),
    (re.compile(r"(config-)?dhcp(-config|v6)?|config-dhcp.*"), Mode.DHCP_CONFIG),
)
MODE_NAMES: Final = {
    Mode.USER_EXEC: "user EXEC mode",
    Mode.PRIVILEGED_EXEC: "privileged EXEC mode",
    Mode.GLOBAL_CONFIG: "global configuration mode",
    Mode.INTERFACE_CONFIG: "interface configuration mode",
    Mode.SUBINTERFACE_CONFIG: "subinterface configuration mode",
    Mode.ROUTER_CONFIG: "router configuration mode",
    Mode.LINE_CONFIG: "line configuration mode",
    Mode.VLAN_CONFIG: "VLAN configuration mode",
    Mode.ACL_CONFIG: "access list configuration mode",
    Mode.DHCP_CONFIG: "DHCP pool configuration mode",
    Mode.UNKNOWN: "this mode",
}
_DOORS: Final = {
    Mode.INTERFACE_CONFIG: "interface <interface>",
    Mode.SUBINTERFACE_CONFIG: "interface <interface>.<number>",
    Mode.ROUTER_CONFIG: "router <protocol>",
    Mode.LINE_CONFIG: "line vty 0 4",
    Mode.VLAN_CONFIG: "vlan <number>",
    Mode.ACL_CONFIG: "ip access-list extended <name>",
    Mode.DHCP_CONFIG: "ip dhcp pool <name>",
}
_ENTERED: Final = (
    (re.compile(r"(?i)conf\w*\s+t\w*"), Mode.GLOBAL_CONFIG),
    (re.compile(r"(?i)int\w*\s+\S*\s?[\d/]+\.\d+.*"), Mode.SUBINTERFACE_CONFIG),
    (re.compile(r"(?i)int\w*\s+\S.*"), Mode.INTERFACE_CONFIG),
    (re.compile(r"(?i)router?\s+(ospf|rip|eigrp|bgp|isis).*|ipv6\s+router\s.*"), Mode.ROUTER_CONFIG),
    (re.compile(r"(?i)line\s+(con|vty|aux|\d).*"), Mode.LINE_CONFIG),
    (re.compile(r"(?i)vlan\s+\d+"), Mode.VLAN_CONFIG),
    (re.compile(r"(?i)ip\s+access-l\w*\s+(s|e)\w*\s+\S+"), Mode.ACL_CONFIG),
    (re.compile(r"(?i)ip\s+dhcp\s+po\w*\s+\S+"), Mode.DHCP_CONFIG),
    (re.compile(r"(?i)en(able)?"), Mode.PRIVILEGED_EXEC),
    (re.compile(r"(?i)disable"), Mode.USER_EXEC),
)
EXEC_MODES: Final = frozenset({Mode.USER_EXEC, Mode.PRIVILEGED_EXEC})


class Prompt(NamedTuple):
    """A parsed prompt: hostname, mode and printed width."""

    hostname: str
    mode: Mode
    width: int


def read_prompt(text: str) -> Prompt | None:
    """The prompt at the start of a line, or None."""
    found = _PROMPT.match(text)
    if not found:
        return None
    return Prompt(found["hostname"], _mode(found["place"], found["end"]), found.end())


def guess_mode(before: Sequence[str]) -> Mode:
    """The mode a device is in after these commands."""
    mode = Mode.UNKNOWN
    for command in before:
        mode = _after(command.strip(), mode)
    return mode


def commands_between_modes(here: Mode, there: Mode, door: str | None = None) -> list[str]:
    """The commands from one mode to another; `door` is how the target was entered before, if known."""
    if there in EXEC_MODES:
        return [] if here in EXEC_MODES and there is Mode.USER_EXEC else ["enable"] if here in EXEC_MODES else ["end"]
    steps = ["enable"] if here is Mode.USER_EXEC else []
    if here in {*EXEC_MODES, Mode.UNKNOWN}:
        steps.append("configure terminal")
    if there is Mode.GLOBAL_CONFIG:
        return steps or ["exit"]
    return [*steps, door or _DOORS[there]]


def _mode(place: str | None, end: str) -> Mode:
    if place is None:
        return Mode.PRIVILEGED_EXEC if end == "#" else Mode.USER_EXEC
    return next((mode for pattern, mode in _PLACES if pattern.fullmatch(place)), Mode.UNKNOWN)


def _after(command: str, mode: Mode) -> Mode:
    word = command.lower()
    if word in {"end", "\x1a", "^z"}:
        return Mode.PRIVILEGED_EXEC
    if word in {"exit", "ex"}:
        outer = {Mode.GLOBAL_CONFIG: Mode.PRIVILEGED_EXEC, Mode.UNKNOWN: Mode.UNKNOWN}
        return mode if mode in EXEC_MODES else outer.get(mode, Mode.GLOBAL_CONFIG)
    return next((entered for pattern, entered in _ENTERED if pattern.fullmatch(command)), mode)
