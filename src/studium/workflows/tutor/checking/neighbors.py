"""Reading who a router talks to: OSPF and BGP neighbours and the sources of RIP, as IOS and as FRR print them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from studium.workflows.tutor.checking.routes import read_routes

_QUAD = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b")
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
            others = _QUAD.findall(re.sub(r"\S+:\S*", "", line[row.end() :]))
            yield Neighbor(frozenset([row[1], *others[:1]]), row[2], row[2].lower().startswith("full"))


def read_bgp_neighbors(output: str) -> Iterator[Neighbor]:
    """Neighbours in `show ip bgp summary`; a number of prefixes where the state stands means an established session."""
    for line in output.splitlines():
        words = line.split()
        if len(words) > _BGP_STATE and _QUAD.fullmatch(words[0].lstrip("*")) and words[1] == "4":
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


Asking = tuple[tuple[str, Callable[[str], Iterator[Neighbor]]], ...]
ASKING: dict[str, Asking] = {
    "ospf": (("show ip ospf neighbor", read_ospf_neighbors),),
    "bgp": (("show ip bgp summary", read_bgp_neighbors),),
    "rip": (("show ip protocols", read_rip_neighbors), ("show ip route", read_rip_gateways)),
}
