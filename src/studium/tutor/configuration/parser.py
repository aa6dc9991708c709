"""Parse running configurations of IOS and FRR."""

import re
from collections.abc import Iterable, Iterator
from ipaddress import AddressValueError, IPv4Address, IPv4Interface, NetmaskValueError
from typing import NamedTuple, TypeVar

from studium.tutor.configuration.model import (
    Bgp,
    BgpNeighbor,
    Configuration,
    Interface,
    NetworkStatement,
    Ospf,
    Rip,
    StaticRoute,
    classful,
)
from studium.tutor.ios.addresses import is_mask
from studium.tutor.ios.interface_names import interface_key

Entry = TypeVar("Entry")
_GLOBAL = re.compile(
    r"interface |router |line |vlan \d|ip route |ip (access-list|dhcp|domain|http|ssh|forwarding)|hostname "
)
_SECTION = re.compile(r"interface |router |line |vlan \d|ip (access-list|dhcp pool) |key chain |route-map |vrf ")
_READ = re.compile(r"(no )?(hostname|interface|ip route|router|vlan) ")
_SLASHED = re.compile(r"((?:no )?(?:ip route|network(?=.* area ))) ([\d.]+)/(\d++)(.*?(?: area (\S+))?)$")


class ConfigSection(NamedTuple):
    """A line of the configuration and the lines under it."""

    head: str
    lines: tuple[str, ...]


def parse_configuration(text: str) -> Configuration:
    """Parse a running configuration; unknown lines are ignored."""
    parts = _settled(split_sections(text))
    heads = [part.head for part in parts]
    routes = list(_routes(heads))
    return Configuration(
        hostname=_last(r"hostname (\S+)", heads),
        interfaces=_interfaces(parts),
        routes=tuple(route for route in routes if isinstance(route, StaticRoute)),
        ospf=next((_ospf(part) for part in _under(r"router ospf\b", parts)), None),
        rip=next((_rip(part) for part in _under(r"router rip\b", parts)), None),
        bgp=next((_bgp(part) for part in _under(r"router bgp \d", parts)), None),
        vlans={int(part.head.split()[1]): _last(r"name (\S+)", part.lines) for part in _under(r"vlan \d+$", parts)},
        refused=tuple(route for route in routes if isinstance(route, str)),
    )


def split_sections(text: str) -> Iterator[ConfigSection]:
    """Split a configuration into sections, by indentation or else by the commands that open one."""
    head: str = ""
    under: list[str] = []
    indented = re.search(r"^ +\S", text, re.MULTILINE) is not None
    for line in filter(str.strip, text.splitlines()):
        word = line.strip()
        closing = word in {"!", "exit", "end"}
        inside = (
            line.startswith(" ") if indented else bool(_SECTION.match(head)) and not (closing or _GLOBAL.match(word))
        )
        if head and inside:
            under += [] if closing else [word]
            continue
        if head:
            yield ConfigSection(head, tuple(under))
        head, under = "" if closing else word, []
    if head:
        yield ConfigSection(head, tuple(under))


def _settled(parts: Iterable[ConfigSection]) -> list[ConfigSection]:
    """Merge sections with the same header and apply later `no` lines, so that a script reads like its result."""
    under: dict[str, dict[str, None]] = {}
    for part in filter(lambda part: _READ.match(part.head), parts):
        head = "router ospf 1" if part.head == "router ospf" else _dotted(part.head)
        _enter(under, head, {})
        for line in part.lines:
            _enter(under[head], _dotted(line), None)
    return [ConfigSection(head, tuple(lines)) for head, lines in under.items()]


def _enter(entries: dict[str, Entry], line: str, entry: Entry) -> None:
    entries.pop(f"no {line}", None)
    if line.startswith("no "):
        for earlier in [one for one in entries if _takes_back(line, one)]:
            del entries[earlier]
    kept = entries.pop(line, entry)
    entries[line] = kept


def _dotted(line: str) -> str:
    """Rewrite FRR's `/24` in static routes and OSPF network statements as IOS writes them."""
    match = _SLASHED.match(line)
    if not match or not (address := _masked(match[2], match[3])):
        return line
    if "route" in match[1]:
        return f"{match[1]} {match[2]} {address.netmask}{match[4]}"
    return f"{match[1]} {match[2]} {address.network.hostmask} area {normalize_area(match[5])}"


def _takes_back(line: str, earlier: str) -> bool:
    return line.startswith("no ") and f"{earlier} ".startswith(f"{line[3:]} ")


def _interfaces(parts: Iterable[ConfigSection]) -> tuple[Interface, ...]:
    named = _under(r"interface \S", parts)
    beside = r"^interface\s+|\s+(vrf|point-to-point|multipoint)\b.*$"
    return tuple(_interface(re.sub(beside, "", part.head), part.lines) for part in named)


def _interface(name: str, lines: tuple[str, ...]) -> Interface:
    area = _last(r"ip ospf (?:\d+ )?area (\S+)", lines)
    dead = _last(r"ip ospf dead-interval (\d+)", lines)
    hello = _last(r"ip ospf hello-interval (\d+)", lines)
    return Interface(
        name=name,
        addresses=tuple(_addresses(lines)),
        shutdown="shutdown" in lines,
        description=_last(r"description (.+)", lines),
        routed_elsewhere=any(
            re.match(r"(ip )?vrf forwarding|ip address dhcp|channel-group|ip nat outside", line) for line in lines
        ),
        ospf_area=normalize_area(area) if area else None,
        ospf_passive="ip ospf passive" in lines,
        hello=int(hello) if hello else None,
        dead=int(dead) if dead else None,
    )


def _addresses(lines: Iterable[str]) -> Iterator[IPv4Interface]:
    """The primary address first: on IOS the last one that is not secondary; FRR's are equal."""
    found = [match for line in lines if (match := re.match(r"ip address ([\d.]+)(/| )([\d.]+)(.*)", line))]
    dotted = [match for match in found if match[2] == " " and "secondary" not in match[4]]
    beside = [match for match in found if match not in dotted]
    for match in dotted[-1:] + beside:
        if address := _masked(match[1], match[3]):
            yield address


def _routes(heads: Iterable[str]) -> Iterator[StaticRoute | str]:
    """The static routes, and as text those with an invalid mask."""
    for head in heads:
        if not (match := re.match(r"ip route ([\d.]+) ([\d.]+) (\S+)(?: (\d+\.\S+))?", head)):
            continue
        address = _masked(match[1], match[2])
        if address is None:
            yield head
            continue
        hop = _address(match[3]) or _address(match[4] or "")
        named = "" if _address(match[3]) else match[3]
        yield StaticRoute(line=head, destination=address.ip, mask=str(address.netmask), hop=hop, interface=named)


def _ospf(part: ConfigSection) -> Ospf:
    passive = _all(r"passive-interface (\S+)", part.lines)
    return Ospf(
        process=_last(r"router ospf (\d+)", [part.head]) or "1",
        router_id=_last(r"(?:ospf )?router-id (\S+)", part.lines),
        networks=tuple(_statements(part.lines)),
        passive=frozenset(interface_key(name) for name in passive),
        active=frozenset(interface_key(name) for name in _all(r"no passive-interface (\S+)", part.lines)),
        passive_default="default" in passive,
        redistributes=bool(_all(r"redistribute (connected)", part.lines)),
    )


def _statements(lines: Iterable[str]) -> Iterator[NetworkStatement]:
    for line in lines:
        if not (match := re.match(r"network ([\d.]+) ([\d.]+) area (\S+)", line)):
            continue
        address, wildcard = _address(match[1]), _address(match[2])
        if address is not None and wildcard is not None:
            yield NetworkStatement(line=line, address=address, wildcard=wildcard, area=normalize_area(match[3]))


def _rip(part: ConfigSection) -> Rip:
    version = _last(r"version (\d)", part.lines)
    return Rip(
        version=int(version) if version else None,
        networks=tuple(_all(r"network ((?:\d{1,3}\.){3}\d{1,3}(?:/\d+)?|[a-zA-Z]\S*)", part.lines)),
        redistributes=bool(_all(r"redistribute (connected)", part.lines)),
    )


def _bgp(part: ConfigSection) -> Bgp:
    asn = part.head.split()[2]
    far = set(_all(r"neighbor (\S+) (?:update-source|ebgp-multihop|disable-connected-check)", part.lines))
    named = [match for line in part.lines if (match := re.match(r"neighbor ([\d.]+) remote-as (\S+)", line))]
    return Bgp(
        asn=asn,
        router_id=_last(r"bgp router-id (\S+)", part.lines),
        neighbors=tuple(
            BgpNeighbor(address=address, remote_as=remote_as, far=name in far)
            for name, remote_as in {match[1]: match[2] for match in named}.items()
            if (address := _address(name))
        ),
        networks=tuple(_announced(part.lines)),
        redistributes=any(line.startswith("redistribute ") for line in part.lines),
    )


def _announced(lines: Iterable[str]) -> Iterator[IPv4Interface]:
    for line in lines:
        match = re.match(r"network ([\d.]+)(?:/(\d+)| mask ([\d.]+))?", line)
        if match and _address(match[1]):
            length = match[2] or match[3] or str(classful(match[1]).prefixlen)
            if address := _masked(match[1], length):
                yield address


def normalize_area(area: str) -> str:
    """`1` of `0.0.0.1`."""
    return str(int(IPv4Address(area))) if area.count(".") == 3 and _address(area) else area  # noqa: PLR2004


def _masked(address: str, mask: str) -> IPv4Interface | None:
    """Parse address and mask; unlike Python, do not accept a wildcard as a mask."""
    if "." in mask and not (_address(mask) and is_mask(mask)):
        return None
    try:
        return IPv4Interface(f"{address}/{mask}")
    except (AddressValueError, NetmaskValueError):
        return None


def _address(text: str) -> IPv4Address | None:
    try:
        return IPv4Address(text)
    except AddressValueError:
        return None


def _under(head: str, parts: Iterable[ConfigSection]) -> list[ConfigSection]:
    return [part for part in parts if re.match(head, part.head)]


def _all(pattern: str, lines: Iterable[str]) -> list[str]:
    return [match[1] for line in lines if (match := re.match(pattern, line))]


def _last(pattern: str, lines: Iterable[str]) -> str:
    return next(reversed(_all(pattern, lines)), "")
