"""Reading `show ip route`, as IOS and as FRR print it."""

import re
from collections.abc import Callable, Iterator, Sequence
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


_SUCCESS = re.compile(r"(?i)success rate is (\d+) percent|(\d+) (?:packets )?received")


def ping_succeeded(output: str) -> bool:
    """Whether at least one echo came back; the first is often lost to ARP."""
    counts = [int(rate or received) for rate, received in _SUCCESS.findall(output)]
    return any(counts) or bool(re.search(r"(?i)\bbytes from\b|\bbytes=\d+ time", output))


_ADDRESS = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b")
_BGP_STATE = 9  # the column State/PfxRcd
_SOURCES = "Routing Information Sources"


@dataclass(frozen=True)
class Neighbor:
    """A router on the other side: the addresses it is known by, the state as the device says it, and if that is up."""

    names: frozenset[str]
    state: str
    is_up: bool


def read_ospf_neighbors(output: str) -> Iterator[Neighbor]:
    """Neighbours in `show ip ospf neighbor`; only a full adjacency is up."""
    for line in output.splitlines():
        row = re.match(r"\s*(\d+(?:\.\d+){3})\s+\d+\s+(\S+)", line)
        if row:
            # FRR writes its own address behind the interface (`eth0:10.0.12.1`): that is not the neighbour's.
            others = _ADDRESS.findall(re.sub(r"\S+:\S*", "", line[row.end() :]))
            yield Neighbor(frozenset([row[1], *others[:1]]), row[2], row[2].lower().startswith("full"))


def read_bgp_neighbors(output: str) -> Iterator[Neighbor]:
    """Neighbours in `show ip bgp summary`; a number of prefixes where the state stands means an established session."""
    for line in output.splitlines():
        words = line.split()
        if len(words) > _BGP_STATE and _ADDRESS.fullmatch(words[0].lstrip("*")) and words[1] == "4":
            state = words[_BGP_STATE]
            is_up = state.isdigit() or state == "(Policy)"
            yield Neighbor(frozenset([words[0].lstrip("*")]), "Established" if is_up else state, is_up)


def read_rip_neighbors(output: str) -> Iterator[Neighbor]:
    """Routers that sent updates, in `show ip protocols` or FRR's `show ip rip status`."""
    sources = re.split(rf"(?im)^\s*{_SOURCES}.*$", output)[1:]
    for block in sources:
        for line in block.splitlines()[1:]:
            row = re.match(r"\s+(\d+(?:\.\d+){3})\s+\d", line)
            if row:
                yield Neighbor(frozenset([row[1]]), f"last heard {line.split()[-1]} ago", is_up=True)
            elif re.match(r"\s*(Distance|Routing Protocol)\b", line):
                break


def read_rip_gateways(output: str) -> Iterator[Neighbor]:
    """Routers whose updates brought a route, in `show ip route`; for devices that do not list their sources."""
    hops = {hop for route in read_routes(output) if route.protocol == "rip" for hop in route.hops}
    return (Neighbor(frozenset([hop]), "sends routes", is_up=True) for hop in sorted(hops))


NeighborCommand = tuple[tuple[str, Callable[[str], Iterator[Neighbor]]], ...]
NEIGHBOR_COMMANDS: dict[str, NeighborCommand] = {
    "ospf": (("show ip ospf neighbor", read_ospf_neighbors),),
    "bgp": (("show ip bgp summary", read_bgp_neighbors),),
    "rip": (("show ip protocols", read_rip_neighbors), ("show ip route", read_rip_gateways)),
}
