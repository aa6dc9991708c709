"""Reading `show ip route`, as IOS and as FRR print it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network

_PROTOCOLS = {
    "C": "connected", "L": "local", "S": "static", "R": "rip", "O": "ospf",
    "B": "bgp", "D": "eigrp", "i": "isis", "K": "kernel",
}  # fmt: skip
_QUAD = r"\d{1,3}(?:\.\d{1,3}){3}"
_ENTRY = re.compile(
    rf"^(?P<code>[A-Za-z])(?P<marks>[\w*>% ]{{0,7}}?)\s+(?P<net>{_QUAD})(?:/(?P<len>\d+))?(?P<rest>\s.*)?$"
)
_MORE = re.compile(rf"^[\s*>]+(?:\[\d+/\d+\]\s+)?(?P<rest>via\s+{_QUAD}.*)$")
_PARENT = re.compile(rf"^\s+{_QUAD}/(\d+) is subnetted")
_VIA = re.compile(rf"\bvia ({_QUAD})")
_FRR = re.compile(r"(?m)^[A-Z]>|> - selected route")
_IDLE = re.compile(r"\binactive\b|\bunreachable\b|\brejected\b")


@dataclass(frozen=True)
class Route:
    """A route in use: where it leads, who gave it, and its next hops (none if it is directly connected)."""

    network: IPv4Network
    protocol: str
    hops: tuple[str, ...] = ()


def read_routes(output: str) -> tuple[Route, ...]:
    """The routes that a router forwards by; what FRR knows but does not use is left out."""
    selected_only = bool(_FRR.search(output))
    found: list[Route] = []
    length, open_entry = "32", False
    for line in output.splitlines():
        if parent := _PARENT.match(line):
            length = parent[1]
        elif entry := _ENTRY.match(line.rstrip()):
            open_entry = not (selected_only and ">" not in entry["marks"]) and not _IDLE.search(entry["rest"] or "")
            if open_entry and (route := _route(entry, length)):
                found.append(route)
        elif open_entry and found and (more := _MORE.match(line)) and not _IDLE.search(line):
            last = found.pop()
            found.append(Route(last.network, last.protocol, (*last.hops, *_VIA.findall(more["rest"]))))
        elif line.strip():
            open_entry = open_entry and not line[:1].isalpha()
    return tuple(found)


def best_route(routes: Sequence[Route], target: str) -> Route | None:
    """The route to this very network (`10.0.0.0/24`), or the one a packet to this address takes."""
    if "/" in target:
        network = IPv4Network(target, strict=False)
        return next((route for route in routes if route.network == network and route.protocol != "local"), None)
    matching = [route for route in routes if IPv4Address(target) in route.network]
    return max(matching, key=lambda route: route.network.prefixlen, default=None)


def matching_routes(routes: Sequence[Route], target: str, protocol: str, via: str) -> Iterator[Route]:
    """The routes to a target that come from this protocol and go through this next hop, if they are given."""
    route = best_route(routes, target)
    if route and protocol in {"", route.protocol} and (not via or via in route.hops):
        yield route


def _route(entry: re.Match[str], length: str) -> Route | None:
    try:
        network = IPv4Network(f"{entry['net']}/{entry['len'] or length}", strict=False)
    except ValueError:
        return None
    protocol = _PROTOCOLS.get(entry["code"], "")
    return Route(network, protocol, tuple(_VIA.findall(entry["rest"] or ""))) if protocol else None
