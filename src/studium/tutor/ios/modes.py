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
_FROM_EXEC: Final = (
    (re.compile(r"(?i)conf\w*(\s+t\w*)?"), Mode.GLOBAL_CONFIG),
    (re.compile(r"(?i)en(a(b(l(e)?)?)?)?"), Mode.PRIVILEGED_EXEC),
    (re.compile(r"(?i)disa\w*"), Mode.USER_EXEC),
)
_FROM_CONFIG: Final = (
    (re.compile(r"(?i)int\w*\s+\S*\s?[\d/]+\.\d+.*"), Mode.SUBINTERFACE_CONFIG),
    (re.compile(r"(?i)int\w*\s+\S.*"), Mode.INTERFACE_CONFIG),
    (re.compile(r"(?i)router?\s+(ospf|rip|eigrp|bgp|isis).*|ipv6\s+router\s.*"), Mode.ROUTER_CONFIG),
    (re.compile(r"(?i)line?\s+(con|vty|aux|\d).*"), Mode.LINE_CONFIG),
    (re.compile(r"(?i)vlan\s+\d[\d,-]*"), Mode.VLAN_CONFIG),
    (re.compile(r"(?i)ip\s+access-l\w*\s+(s|e)\w*\s+\S+"), Mode.ACL_CONFIG),
    (re.compile(r"(?i)ip\s+dhcp\s+po\w*\s+\S+"), Mode.DHCP_CONFIG),
)
_STANDARD_LIST: Final = re.compile(r"(?i)ip\s+\S+\s+s")
_PLACE_NAMES: Final = {
    Mode.GLOBAL_CONFIG: "config",
    Mode.INTERFACE_CONFIG: "config-if",
    Mode.SUBINTERFACE_CONFIG: "config-subif",
    Mode.ROUTER_CONFIG: "config-router",
    Mode.LINE_CONFIG: "config-line",
    Mode.VLAN_CONFIG: "config-vlan",
    Mode.DHCP_CONFIG: "dhcp-config",
}
EXEC_MODES: Final = frozenset({Mode.USER_EXEC, Mode.PRIVILEGED_EXEC})
_MAYBE_EXEC: Final = EXEC_MODES | {Mode.UNKNOWN}


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
        typed = command.strip()
        mode = entered_mode(typed, mode) or entered_mode(typed, Mode.UNKNOWN) or mode
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


def entered_mode(command: str, mode: Mode) -> Mode | None:
    """The mode that a command enters, or None if it enters none from this mode; from an unknown mode any can be."""
    word = command.lower()
    if mode not in EXEC_MODES and word in {"end", "\x1a", "^z"}:
        return Mode.PRIVILEGED_EXEC
    if word in {"exit", "ex", "exi", "quit"}:
        if mode in _MAYBE_EXEC:
            return None
        return Mode.PRIVILEGED_EXEC if mode is Mode.GLOBAL_CONFIG else Mode.GLOBAL_CONFIG
    known = (*(() if mode in EXEC_MODES else _FROM_CONFIG), *(_FROM_EXEC if mode in _MAYBE_EXEC else ()))
    entered = next((there for pattern, there in known if pattern.fullmatch(command)), None)
    is_wrong_way = mode is Mode.USER_EXEC and entered is not Mode.PRIVILEGED_EXEC
    return None if (entered is mode and mode in EXEC_MODES) or is_wrong_way else entered


def entered_place(command: str, mode: Mode) -> str:
    """How the prompt shows the mode that a command entered: `>`, `#`, `config-if`."""
    if mode in EXEC_MODES:
        return ">" if mode is Mode.USER_EXEC else "#"
    if mode is Mode.ACL_CONFIG:
        return "config-std-nacl" if _STANDARD_LIST.match(command) else "config-ext-nacl"
    return _PLACE_NAMES[mode]
