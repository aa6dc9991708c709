"""Read a lab's current state: ports from the kernel, neighbours from the routing daemons."""

import json
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from ipaddress import ip_address, ip_interface
from typing import Any, Literal

from studium.tutor.domain import Adjacency, NetworkState, PortState

_SECONDS = 5.0
_SOURCES = re.compile(r"Routing Information Sources:\n.*\n(?P<sources>(?: +[\d.]+ .*\n)*)")
_RIP_SECONDS = 180

AskDaemon = Callable[[str, str], str]
"""Asks a daemon of a device for something it shows; one that does not run says nothing."""


def no_daemon(_daemon: str, _command: str) -> str:
    """The answer of a device without daemons, or whose daemons do not respond."""
    return ""


@dataclass(frozen=True)
class DeviceObserver:
    """Observes one device: through its namespace and, for a router, its daemons."""

    device: str
    namespace: str
    ports: dict[str, str]
    """The Linux interface of each port."""
    ip: str
    ask: AskDaemon = no_daemon

    def look(self) -> NetworkState:
        """The device's ports and neighbours, as far as they are known."""
        costs = {name: said["cost"] for name, said in self._ospf("interface").items() if said.get("ospfEnabled")}
        links = self._links()
        known = {
            port: PortState(state=_state(link), addresses=tuple(_addresses(link)), cost=costs.get(linux))
            for port, linux in self.ports.items()
            if (link := links.get(linux))
        }
        neighbors = (*self._ospf_neighbors(), *self._bgp_peers(known), *self._rip_sources(known))
        return NetworkState(
            ports={f"{self.device}:{port}": each for port, each in known.items()}, adjacencies=neighbors
        )

    def _links(self) -> dict[str, Any]:
        command = [self.ip, "-netns", self.namespace, "-json", "address"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)  # noqa: S603 - our words
        except subprocess.TimeoutExpired:
            return {}
        return {link["ifname"]: link for link in json.loads(done.stdout or "[]") if "ifname" in link}

    def _ospf(self, about: str) -> dict[str, Any]:
        return _table(self.ask("ospfd", f"show ip ospf {about} json"), f"{about}s")

    def _ospf_neighbors(self) -> Iterator[Adjacency]:
        ports = {linux: port for port, linux in self.ports.items()}
        for router, several in self._ospf("neighbor").items():
            for each in several:
                state = str(each.get("nbrState", ""))
                linux = str(each.get("ifaceName", "")).partition(":")[0]
                yield Adjacency(
                    device=self.device,
                    port=ports.get(linux, ""),
                    protocol="ospf",
                    neighbor=router,
                    address=str(each.get("ifaceAddress", "")),
                    state=state,
                    # Two that are neither designated nor backup stay at 2-Way, and are meant to.
                    is_up=state.startswith("Full") or state == "2-Way/DROther",
                )

    def _bgp_peers(self, ports: dict[str, PortState]) -> Iterator[Adjacency]:
        said = _read(self.ask("bgpd", "show bgp summary json"))
        families = [family for family in said.values() if isinstance(family, dict)]
        for address, peer in {
            key: peer for family in families for key, peer in family.get("peers", {}).items()
        }.items():
            state = str(peer.get("state", ""))
            yield Adjacency(
                device=self.device,
                port=_port_towards(address, ports),
                protocol="bgp",
                neighbor=f"AS {peer.get('remoteAs', '?')}",
                address=address,
                state=state,
                is_up=state == "Established",
            )

    def _rip_sources(self, ports: dict[str, PortState]) -> Iterator[Adjacency]:
        found = _SOURCES.search(self.ask("ripd", "show ip rip status"))
        for line in found["sources"].splitlines() if found else ():
            address, *_, heard = line.split()
            is_fresh = _seconds(heard) < _RIP_SECONDS
            yield Adjacency(
                device=self.device,
                port=_port_towards(address, ports),
                protocol="rip",
                neighbor=address,
                address=address,
                state="heard" if is_fresh else "silent",
                is_up=is_fresh,
            )


def merge_states(seen: Iterable[NetworkState]) -> NetworkState:
    """Merge the states of all devices."""
    seen = list(seen)
    ports = {end: port for each in seen for end, port in each.ports.items()}
    return NetworkState(ports=ports, adjacencies=tuple(one for each in seen for one in each.adjacencies))


def _state(link: dict[str, Any]) -> Literal["up", "down", "shut"]:
    flags = set(link.get("flags", ()))
    if "UP" not in flags:
        return "shut"
    return "up" if "LOWER_UP" in flags else "down"


def _addresses(link: dict[str, Any]) -> Iterator[str]:
    for each in link.get("addr_info", ()):
        if each.get("scope") == "global":
            yield f"{each['local']}/{each['prefixlen']}"


def _port_towards(address: str, ports: dict[str, PortState]) -> str:
    """The port whose network contains an address."""
    try:
        there = ip_address(address)
    except ValueError:  # a peer may be named by an interface
        return ""
    networks = ((name, ip_interface(each).network) for name, port in ports.items() for each in port.addresses)
    return next((name for name, network in networks if there in network), "")


def _table(said: str, name: str) -> dict[str, Any]:
    found = _read(said).get(name, {})
    return found if isinstance(found, dict) else {}


def _read(said: str) -> dict[str, Any]:
    """Parse a daemon's JSON output; empty if it is not JSON."""
    try:
        found = json.loads(said)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _seconds(clock: str) -> int:
    """The seconds in `00:01:30`; a clock that shows days has long been silent."""
    parts = clock.split(":")
    if not all(part.isdigit() for part in parts):
        return _RIP_SECONDS
    total = 0
    for part in parts:
        total = total * 60 + int(part)
    return total
