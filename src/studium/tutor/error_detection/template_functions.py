"""Functions that pattern templates may call: each takes text and returns text or None."""

from ipaddress import AddressValueError, IPv4Address, IPv4Network, NetmaskValueError
from typing import Final

_ZERO: Final = str(IPv4Address(0))
_LONGEST: Final = 30  # a longer prefix has no network and broadcast address of its own
_OCTETS: Final = 4


def network(address: str, mask: str) -> IPv4Network | None:
    """The network of an address, the mask being `24`, `/24` or `255.255.255.0`."""
    try:
        return IPv4Network(f"{address}/{mask.lstrip('/')}", strict=False)
    except (AddressValueError, NetmaskValueError):
        return None


def dotted_mask(length: str) -> str | None:
    """`255.255.255.0` of `24`."""
    found = network(_ZERO, length)
    return str(found.netmask) if found else None


def mask_length(mask: str) -> str | None:
    """`24` of `255.255.255.0`."""
    found = network(_ZERO, mask)
    return str(found.prefixlen) if found else None


def network_address(address: str, mask: str) -> str | None:
    """`10.0.0.0` of `10.0.0.7` and `255.255.255.0`."""
    found = network(address, mask)
    return str(found.network_address) if found else None


def first_host(address: str, mask: str) -> str | None:
    """`172.20.100.97` of `172.20.100.96` and `/30`."""
    found = network(address, mask)
    return str(found.network_address + 1) if found and found.prefixlen <= _LONGEST else None


def is_address(text: str) -> bool:
    """Whether this is a dotted IPv4 address."""
    try:
        IPv4Address(text)
    except AddressValueError:
        return False
    return True


def nearest_host(address: str, mask: str) -> str | None:
    """The first host for a network address, the last one for a broadcast address."""
    found = network(address, mask)
    if not found or found.prefixlen > _LONGEST:
        return None
    return str(found.broadcast_address - 1 if address == str(found.broadcast_address) else found.network_address + 1)


def address_kind(address: str, mask: str) -> str | None:
    """`network` or `broadcast`, if the address is one of the two."""
    found = network(address, mask)
    if not found or found.prefixlen > _LONGEST:
        return None
    return {str(found.network_address): "network", str(found.broadcast_address): "broadcast"}.get(address)


def other_end(address: str) -> str | None:
    """`172.20.100.98` of `172.20.100.97`: the other host of a link's /30."""
    found = network(address, "30")
    hosts = [str(host) for host in found.hosts()] if found else []
    return hosts[1 - hosts.index(address)] if address in hosts else None


def likely_vlan(address: str) -> str | None:
    """`3` of `192.168.3.1`: labs number their subnets after the VLAN."""
    third = address.split(".")[2] if is_address(address) else "0"
    return None if third == "0" else third


def hex_number(digits: str) -> str:
    """`65001` of `FDE9`."""
    return str(int(digits, 16))


def wildcard(length: str) -> str | None:
    """`0.0.0.255` of `24`."""
    found = network(_ZERO, length)
    return str(found.hostmask) if found else None


def nearest_mask(text: str) -> str | None:
    """The subnet mask that was probably meant by `225.225.225.0` or `255.255.255.256`."""
    octets = text.split(".")
    if len(octets) != _OCTETS or not all(octet.isdecimal() for octet in octets):
        return None
    meant = ".".join(_nearest_octet(octet) for octet in octets)
    return meant if mask_length(meant) is not None else None


def _nearest_octet(octet: str) -> str:
    valid = ("0", "128", "192", "224", "240", "248", "252", "254", "255")
    if octet in valid and octet != "225":
        return octet
    alike = [known for known in valid if len(known) == len(octet) and _differing(known, octet) <= 1]
    return max(alike, key=int) if alike else min(valid, key=lambda known: abs(int(known) - int(octet)))


def _differing(one: str, other: str) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


def router_id(hostname: str) -> str:
    """`3.3.3.3` of `R3`, as labs number their routers; `1.1.1.1` for a name without a number."""
    digits = hostname[len(hostname.rstrip("0123456789")) :]
    number = int(digits) if digits and 0 < int(digits) < 256 else 1  # noqa: PLR2004
    return ".".join([str(number)] * 4)
