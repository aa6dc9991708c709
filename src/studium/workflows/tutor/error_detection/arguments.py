"""The kinds of argument a command takes, and which words are such."""

import re
from collections.abc import Callable
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final

from studium.workflows.tutor.error_detection.addresses import is_address

INTERFACE_TYPES: Final = (
    "gigabitethernet", "fastethernet", "ethernet", "serial", "loopback", "vlan", "port-channel", "tunnel",
    "tengigabitethernet", "null", "bvi", "dialer", "multilink", "twogigabitethernet", "fivegigabitethernet",
    "fortygigabitethernet", "hundredgige", "bundle-ether", "management", "async", "bri", "atm", "nve",
)  # fmt: skip
_NUMBERED: Final = re.compile(r"(?i)([a-z][a-z-]*?)(\d+(?:[/.:]\d+)*)")
_LINUX: Final = re.compile(r"lo|(?:eth|ens|enp|eno|veth|br|wlan|bond|dummy|vrf|gre)[\w.@-]*\d|[\w-]+-eth\d+")
_SLOT: Final = r"\d+(?:/\d+){0,3}(?:\.\d+)?"
_VLANS: Final = re.compile(r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*,?")
_MAC: Final = re.compile(r"(?i)[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}|[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}")
_HOSTNAME: Final = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.?")
_DOTTED: Final = re.compile(r"[\d.]+")
DOTTED_OR_NUMBER: Final = re.compile(r"[0-9A-Fa-f.:/]*[.:/][0-9A-Fa-f.:/]*")
VERBATIM: Final = frozenset({"word", "line", "hostname", "url"})
_IPV4_BITS: Final = 32
_IPV6_BITS: Final = 128


def is_ipv6(text: str) -> bool:
    """Whether this is an IPv6 address."""
    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return True


def is_mask(text: str) -> bool:
    """Whether this is a dotted mask with all its ones at the left."""
    return is_address(text) and _contiguous(~int(IPv4Address(text)) & 0xFFFFFFFF)


def is_wildcard(text: str) -> bool:
    """Whether this is a dotted wildcard (any address will do as one)."""
    return is_address(text)


def is_prefix(text: str) -> bool:
    """Whether this is `10.0.0.0/24`."""
    address, slash, length = text.partition("/")
    return bool(slash) and is_address(address) and length.isdecimal() and int(length) <= _IPV4_BITS


def is_ipv6_prefix(text: str) -> bool:
    """Whether this is `2001:db8::/64`."""
    address, slash, length = text.partition("/")
    return bool(slash) and is_ipv6(address) and length.isdecimal() and int(length) <= _IPV6_BITS


def is_interface(text: str) -> bool:
    """Whether this names an interface, as `gi0/0`, `Serial0/0/0.10`, `eth1`."""
    if _LINUX.fullmatch(text.lower()):
        return True
    numbered = _NUMBERED.fullmatch(text)
    return bool(numbered) and is_interface_type(numbered[1]) if numbered else False


def is_interface_type(text: str) -> bool:
    """Whether an interface's name may begin like this: `gi`, `fa`, `Serial`."""
    word = text.lower()
    return any(kind.startswith(word) for kind in INTERFACE_TYPES)


def is_slot(text: str) -> bool:
    """Whether this is the number of an interface: `0/0/1`."""
    return re.fullmatch(_SLOT, text) is not None


KINDS: Final[dict[str, Callable[[str], object]]] = {
    "ip": is_address,
    "mask": is_mask,
    "wildcard": is_wildcard,
    "prefix": is_prefix,
    "ipv6": is_ipv6,
    "ipv6prefix": is_ipv6_prefix,
    "interface": is_interface,
    "number": str.isdecimal,
    "slash": re.compile(r"/\d{1,2}").fullmatch,
    "area": lambda text: text.isdecimal() or is_address(text),
    "vlans": _VLANS.fullmatch,
    "mac": _MAC.fullmatch,
    "slot": is_slot,
    "time": re.compile(r"\d{1,2}:\d{2}(?::\d{2})?").fullmatch,
    "range": bool,
    "hostname": lambda text: _HOSTNAME.fullmatch(text) and not _DOTTED.fullmatch(text),
    "url": re.compile(r"\w+:\S*").fullmatch,
    "word": bool,
    "line": bool,
}
SPOKEN: Final = {
    "ip": "an IPv4 address",
    "mask": "a subnet mask",
    "wildcard": "a wildcard mask",
    "prefix": "a network as address/length",
    "ipv6": "an IPv6 address",
    "ipv6prefix": "an IPv6 address with its prefix length",
    "interface": "an interface",
    "number": "a number",
    "area": "an area",
    "vlans": "a VLAN number",
    "mac": "a MAC address",
    "range": "a range of interfaces",
    "hostname": "a host",
    "word": "a name",
    "line": "a text",
}


def _contiguous(ones: int) -> bool:
    return ones & (ones + 1) == 0
