"""Check a lab: run every check until it holds or the time is up."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network
from typing import TYPE_CHECKING

from studium.core.domain.errors import NotFound, ServiceDown
from studium.core.extras import needs_extra
from studium.tutor.domain import CheckResult, Device, Lab, LabCheck, Testbed

if TYPE_CHECKING:
    from hier_config import HConfig
    from hier_config.child import HConfigChild


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
    """A route in use: destination, protocol and next hops (none if directly connected)."""

    network: IPv4Network
    protocol: str
    hops: tuple[str, ...] = ()


def read_routes(output: str) -> tuple[Route, ...]:
    """Parse the routes in use; FRR's unused ones are left out."""
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
    """The route to exactly this network (`10.0.0.0/24`), or the best route to an address."""
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


_SUCCESS = re.compile(r"(?i)success rate is (\d{1,9}) percent|(?<!\d)(\d{1,9}) (?:packets )?received")


def ping_succeeded(output: str) -> bool:
    """Whether at least one echo reply came back; the first is often lost to ARP."""
    counts = [int(rate or received) for rate, received in _SUCCESS.findall(output)]
    return any(counts) or bool(re.search(r"(?i)\bbytes from\b|\bbytes=\d+ time", output))


_ADDRESS = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b")
_BGP_STATE = 9  # the column State/PfxRcd
_SOURCES = "Routing Information Sources"


@dataclass(frozen=True)
class Neighbor:
    """A neighbour: its addresses, its state as printed, and whether that is up."""

    names: frozenset[str]
    state: str
    is_up: bool


def read_ospf_neighbors(output: str) -> Iterator[Neighbor]:
    """Neighbours in `show ip ospf neighbor`; only a full adjacency is up."""
    for line in output.splitlines():
        row = re.match(r"\s*(\d+(?:\.\d+){3})\s+\d+\s+(\S+)", line)
        if row:
            # FRR writes its own address behind the interface (`eth0:10.0.12.1`): that is not the neighbour's.
            others = _ADDRESS.findall(re.sub(r"(?<!\S)[^\s:]+:\S*", "", line[row.end() :]))
            yield Neighbor(frozenset([row[1], *others[:1]]), row[2], row[2].lower().startswith("full"))


def read_bgp_neighbors(output: str) -> Iterator[Neighbor]:
    """Neighbours in `show ip bgp summary`; a number of prefixes instead of a state means an established session."""
    for line in output.splitlines():
        words = line.split()
        if len(words) > _BGP_STATE and _ADDRESS.fullmatch(words[0].lstrip("*")) and words[1] == "4":
            state = words[_BGP_STATE]
            is_up = state.isdigit() or state == "(Policy)"
            yield Neighbor(frozenset([words[0].lstrip("*")]), "Established" if is_up else state, is_up)


def read_rip_neighbors(output: str) -> Iterator[Neighbor]:
    """Routers that sent updates, in `show ip protocols` or FRR's `show ip rip status`."""
    sources = re.split(rf"(?im)^[^\S\n]*{_SOURCES}.*$", output)[1:]
    for block in sources:
        for line in block.splitlines()[1:]:
            row = re.match(r"\s+(\d+(?:\.\d+){3})\s+\d", line)
            if row:
                yield Neighbor(frozenset([row[1]]), f"last heard {line.split()[-1]} ago", is_up=True)
            elif re.match(r"\s*(Distance|Routing Protocol)\b", line):
                break


def read_rip_gateways(output: str) -> Iterator[Neighbor]:
    """Gateways of RIP routes in `show ip route`, for devices that do not list their sources."""
    hops = {hop for route in read_routes(output) if route.protocol == "rip" for hop in route.hops}
    return (Neighbor(frozenset([hop]), "sends routes", is_up=True) for hop in sorted(hops))


NeighborCommand = tuple[tuple[str, Callable[[str], Iterator[Neighbor]]], ...]
NEIGHBOR_COMMANDS: dict[str, NeighborCommand] = {
    "ospf": (("show ip ospf neighbor", read_ospf_neighbors),),
    "bgp": (("show ip bgp summary", read_bgp_neighbors),),
    "rip": (("show ip protocols", read_rip_neighbors), ("show ip route", read_rip_gateways)),
}


_NO = "no "


def missing_lines(running: str, expected: str) -> tuple[str, ...]:
    """The expected configuration lines that are not active, each under its section line.

    An expected `no …` is active if the running configuration lacks the line it removes.
    """
    held, wanted = _parsed(running), _parsed(expected)
    lines: dict[str, None] = {}
    for line in wanted.all_children():
        if line.children or _in_force(line, held):
            continue
        for step in line.lineage():
            lines[step.cisco_style_text().rstrip()] = None
    return tuple(lines)


def _parsed(text: str) -> "HConfig":
    with needs_extra("tutor", "Checking a lab"):
        from hier_config import Platform, get_hconfig

    # What a device prints around its configuration is not part of it.
    own = re.sub(r"(?m)^(Building configuration|Current configuration|end\s*$).*\n?", "", text)
    return get_hconfig(Platform.CISCO_IOS, own)


def _in_force(line: "HConfigChild", held: "HConfig") -> bool:
    *sections, last = [step.text for step in line.lineage()]
    if last.startswith(_NO):
        return not _holds(held, [*sections, last.removeprefix(_NO)])
    return _holds(held, [*sections, last])


def _holds(held: "HConfig", path: list[str]) -> bool:
    place: HConfig | HConfigChild | None = held
    for text in path:
        place = place.get_child(equals=text) if place is not None else None
    return place is not None


_PAUSE = 0.5
_PING_SECONDS = 20.0
_ECHO_SECONDS = 1.0  # on this machine an answer takes milliseconds


def check_lab(
    lab: Lab, testbed: Testbed | None, device_for: Callable[[str], Device], *, patience: float = 0.0
) -> list[CheckResult]:
    """Run every check of a lab in order.

    What the routers must first tell each other (pings, routes, neighbours) is asked again for `patience` seconds.
    `device_for` opens a new conversation in the lab's spelling; each device has one, which is closed here. Without a
    testbed, as when a transcript is replayed, pings are typed on the device.
    """
    deadline = time.monotonic() + patience
    with closing(_Conversations(device_for)) as opened:
        asked = {check.id: _run_check(check, testbed, opened) for check in lab.checks}
        while time.monotonic() < deadline and (waiting := [one.check for one in asked.values() if _may_change(one)]):
            time.sleep(_PAUSE)
            asked |= {check.id: _run_check(check, testbed, opened) for check in waiting}
    return [asked[check.id] for check in lab.checks]


class _Conversations:
    """One conversation with each device, opened when it is first needed."""

    def __init__(self, device_for: Callable[[str], Device]) -> None:
        self._device_for = device_for
        self._opened: dict[str, Device] = {}

    def device(self, name: str) -> Device:
        if name not in self._opened:
            self._opened[name] = self._device_for(name)
        return self._opened[name]

    def drop(self, name: str) -> None:
        """Close a conversation that broke off; the next check opens a new one."""
        if device := self._opened.pop(name, None):
            device.close()

    def close(self) -> None:
        for name in [*self._opened]:
            self.drop(name)


def _run_check(check: LabCheck, testbed: Testbed | None, opened: _Conversations) -> CheckResult:
    """Run one check once; it fails if the device does not answer."""
    try:
        if check.kind == "ping" and testbed is not None:
            return _pinged(check, reached=testbed.ping(check.device, check.target, timeout=_ECHO_SECONDS))
        return _ASK[check.kind](check, opened.device(check.device))
    except (ServiceDown, NotFound) as error:
        opened.drop(check.device)
        return CheckResult(check=check, holds=False, seen=str(error), missing=(f"an answer from {check.device}",))


def _may_change(one: CheckResult) -> bool:
    return not one.holds and one.check.kind != "config"


def _ask(device: Device, command: str, timeout: float = 10.0) -> str:
    """Run a privileged command on a device, in whatever mode its session is."""
    if device.prompt.rstrip().endswith(">"):
        device.run("enable")
    elif "(config" in device.prompt:
        device.run("end")
    return device.run(command, timeout=timeout)


def _check_config(check: LabCheck, device: Device) -> CheckResult:
    missing = missing_lines(_ask(device, "show running-config"), check.expect)
    seen = "" if missing else f"All lines are in the running configuration of {check.device}."
    return CheckResult(check=check, holds=not missing, seen=seen, missing=missing)


def _check_ping(check: LabCheck, device: Device) -> CheckResult:
    return _pinged(check, reached=ping_succeeded(_ask(device, f"ping {check.target}", _PING_SECONDS)))


def _pinged(check: LabCheck, *, reached: bool) -> CheckResult:
    seen = f"{check.device} {'reaches' if reached else 'does not reach'} {check.target}."
    return CheckResult(
        check=check, holds=reached, seen=seen, missing=() if reached else (f"an answer from {check.target}",)
    )


def _check_route(check: LabCheck, device: Device) -> CheckResult:
    routes = read_routes(_ask(device, "show ip route"))
    holds = any(matching_routes(routes, check.target, check.protocol, check.via))
    route = best_route(routes, check.target)
    seen = f"{check.device} has no route to {check.target}."
    if route:
        through = f" through {' and '.join(route.hops)}" if route.hops else ""
        seen = f"{check.device} goes to {route.network} by {route.protocol}{through}."
    return CheckResult(check=check, holds=holds, seen=seen, missing=() if holds else (_wanted_route(check),))


def _wanted_route(check: LabCheck) -> str:
    by = f" by {check.protocol}" if check.protocol else ""
    return f"a route to {check.target}{by}" + (f" through {check.via}" if check.via else "")


def _check_neighbor(check: LabCheck, device: Device) -> CheckResult:
    asked = (one for command, read in NEIGHBOR_COMMANDS[check.protocol] for one in read(_ask(device, command)))
    known = [one for one in asked if check.target in one.names]
    holds = any(one.is_up for one in known)
    state = f"sees {check.target}: {known[0].state}" if known else f"does not see {check.target}"
    wanted = f"{check.target} as {check.protocol.upper()} neighbour, fully up"
    return CheckResult(check=check, holds=holds, seen=f"{check.device} {state}.", missing=() if holds else (wanted,))


_ASK: dict[str, Callable[[LabCheck, Device], CheckResult]] = {
    "config": _check_config,
    "ping": _check_ping,
    "route": _check_route,
    "neighbor": _check_neighbor,
}
