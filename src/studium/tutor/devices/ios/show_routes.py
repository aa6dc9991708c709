"""The routing table as IOS shows it."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from ipaddress import IPv4Address, IPv4Network
from itertools import groupby

from studium.tutor.devices.ios.session import Session
from studium.tutor.ios.addresses import classful
from studium.tutor.ios.interface_names import InterfaceNames
from studium.tutor.ios.parser import ParsedCommand

CODES = {"local": "L", "connected": "C", "static": "S", "rip": "R", "ospf": "O", "bgp": "B", "kernel": "S"}
HOST = 32
EVERYWHERE = IPv4Network("0.0.0.0/0")


@dataclass(frozen=True)
class Hop:
    """A next hop: the gateway, if any, and the interface."""

    gateway: str
    interface: str


@dataclass(frozen=True)
class Route:
    """A route that is in use."""

    prefix: IPv4Network
    protocol: str
    kind: str
    cost: str
    age: str
    hops: tuple[Hop, ...]

    @property
    def code(self) -> str:
        """`O E2`, `S*`, `C`."""
        letter = CODES.get(self.protocol, "?")
        star = "*" if self.prefix == EVERYWHERE else ""
        return f"{letter}{star}{self.kind}" if star else f"{letter} {self.kind}".rstrip()


def table(session: Session) -> list[Route]:
    """The routes in use in IOS order, with the router's own addresses as local routes."""
    said = _json(session.ask("show ip route json"))
    kinds = (
        ospf_kinds(session) if any(each.get("protocol") == "ospf" for all_ in said.values() for each in all_) else {}
    )
    found = [
        _route(each, kinds, session.names) for choices in said.values() for each in choices if each.get("selected")
    ]
    routes = [route for route in found if route.hops]
    up = {hop.interface for route in routes if route.protocol == "connected" for hop in route.hops}
    for name, addresses in session.addresses().items():
        own = [each for each in addresses if name in up and each.network.prefixlen < HOST]
        routes += [Route(IPv4Network(each.ip), "local", "", "", "", (Hop("", name),)) for each in own]
    return sorted(set(routes), key=lambda route: (route.prefix, route.code))


def _json(text: str) -> dict[str, list[dict[str, object]]]:
    start = text.find("{")
    found: dict[str, list[dict[str, object]]] = json.loads(text[start:]) if start >= 0 else {}
    return found


def _route(said: dict[str, object], kinds: dict[str, str], names: InterfaceNames) -> Route:
    prefix = str(said["prefix"])
    protocol = str(said["protocol"])
    hops = said.get("nexthops")
    return Route(
        IPv4Network(prefix),
        protocol,
        kinds.get(prefix, "") if protocol == "ospf" else "",
        f"[{said.get('distance', 0)}/{said.get('metric', 0)}]",
        str(said.get("uptime", "")),
        tuple(_hops(hops if isinstance(hops, list) else [], names)),
    )


def _hops(said: Iterable[dict[str, object]], names: InterfaceNames) -> Iterable[Hop]:
    for hop in said:
        linux = str(hop.get("interfaceName", ""))
        if hop.get("blackhole") or hop.get("reject"):
            yield Hop("", "Null0")
        elif hop.get("active"):
            yield Hop(str(hop.get("ip", "")), names.ios(linux) or linux)


def ospf_kinds(session: Session) -> dict[str, str]:
    """The OSPF route type (`IA`, `E1`, `E2` or intra-area) of each prefix."""
    found = {}
    for line in session.ask("show ip ospf route").splitlines():
        words = line.split()
        prefix = next((word for word in words if "/" in word), None)
        if prefix and words[0] == "N":
            found[prefix] = words[1] if words[1] in {"IA", "E1", "E2"} else ""
    return found


def routes(session: Session, _: ParsedCommand) -> str:
    """Show the whole routing table."""
    return _whole(table(session))


def routes_by(session: Session, said: ParsedCommand) -> str:
    """Show the routes of one protocol."""
    protocol = said.words[-1]
    wanted = {"connected": ("connected", "local"), "static": ("static", "kernel")}.get(protocol, (protocol,))
    return _whole([route for route in table(session) if route.protocol in wanted])


def _whole(found: Sequence[Route]) -> str:
    gateway = next((route.hops[0] for route in found if route.prefix == EVERYWHERE), None)
    anywhere = EVERYWHERE.network_address
    last = "is not set" if gateway is None else f"is {gateway.gateway or anywhere} to network {anywhere}"
    codes = files(__package__).joinpath("route_codes.txt").read_text("utf-8")
    lines = [line for _, group in groupby(found, key=_group) for line in _class_lines(list(group))]
    return f"{codes}\nGateway of last resort {last}\n\n" + "\n".join(lines)


def _group(route: Route) -> IPv4Network:
    if route.prefix.prefixlen < classful(str(route.prefix.network_address)).prefixlen:
        return route.prefix
    return classful(str(route.prefix.network_address))


def _class_lines(group: Sequence[Route]) -> list[str]:
    """The routes of one classful network, under a heading if it is subnetted."""
    network = _group(group[0])
    if all(route.prefix == network for route in group):
        return [line for route in group for line in _lines(route, 5)]
    lengths = {route.prefix.prefixlen for route in group}
    subnets = len({route.prefix for route in group})
    count = f"{subnets} subnets"  # IOS writes so of one, too
    heading = (
        f"      {network} is variably subnetted, {count}, {len(lengths)} masks"
        if len(lengths) > 1
        else f"      {network.network_address}/{lengths.pop()} is subnetted, {count}"
    )
    return [heading, *(line for route in group for line in _lines(route, 8))]


def _lines(route: Route, indent: int) -> list[str]:
    head = f"{route.code:<{indent}} {route.prefix}"
    if not any(hop.gateway for hop in route.hops):
        return [f"{head} is directly connected, {hop.interface}" for hop in route.hops]
    age = "" if route.protocol == "static" else f", {route.age}"
    ways = [f"{route.cost} via {hop.gateway}{age}{_out(route, hop)}" for hop in route.hops]
    return [f"{head} {ways[0]}", *(f"{' ' * len(head)} {way}" for way in ways[1:])]


def _out(route: Route, hop: Hop) -> str:
    return "" if route.protocol in {"static", "bgp"} else f", {hop.interface}"


def route_to(session: Session, said: ParsedCommand) -> str:
    """Show the route to an address."""
    target = IPv4Address(said.args[0])
    found = [route for route in table(session) if route.protocol != "local" and route.prefix != EVERYWHERE]
    fitting = [route for route in found if target in route.prefix]
    if not fitting:
        divided = any(route.prefix.subnet_of(classful(str(target))) for route in found)
        return "% Subnet not in table" if divided else "% Network not in table"
    best = max(fitting, key=lambda route: route.prefix.prefixlen)
    distance, metric = best.cost.strip("[]").split("/")
    known = f'Known via "{best.protocol}", distance {distance}, metric {metric}'
    via = [f"{hop.gateway}, via {hop.interface}" if hop.gateway else _direct(hop) for hop in best.hops]
    blocks = "\n".join(f"  * {each}" for each in via)
    return f"Routing entry for {best.prefix}\n  {known}\n  Routing Descriptor Blocks:\n{blocks}"


def _direct(hop: Hop) -> str:
    return f"directly connected, via {hop.interface}"


ROUTE_SHOW_HANDLERS = {"routes": routes, "routes_by": routes_by, "route_to": route_to}
