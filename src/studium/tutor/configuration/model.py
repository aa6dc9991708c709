"""A running configuration as values: interfaces, static routes and routing processes."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from ipaddress import IPv4Address, IPv4Interface, IPv4Network
from itertools import combinations
from typing import NamedTuple

from pydantic import Field

from studium.core.domain.value import Value
from studium.tutor.domain import Diagnosis, Lab
from studium.tutor.ios.addresses import is_mask
from studium.tutor.ios.interface_names import interface_key

LONGEST_WITH_BROADCAST = 30
_ALL_BITS = 0xFFFFFFFF


class Interface(Value):
    """An interface: its addresses, the primary one first, and its OSPF settings."""

    name: str
    addresses: tuple[IPv4Interface, ...] = ()
    shutdown: bool = False
    description: str = ""
    routed_elsewhere: bool = False
    ospf_area: str | None = None
    ospf_passive: bool = False
    hello: int | None = None
    dead: int | None = None

    @property
    def address(self) -> IPv4Interface | None:
        """The primary address."""
        return self.addresses[0] if self.addresses else None

    @property
    def is_up(self) -> bool:
        """Whether it has an address and is not shut down."""
        return bool(self.addresses) and not self.shutdown

    @property
    def is_loopback(self) -> bool:
        """Whether it is an interface without a cable."""
        return self.name.lower().startswith(("lo", "null", "dummy"))

    @property
    def is_point_to_point(self) -> bool:
        """Whether there can be only one other end."""
        return self.name.lower().startswith(("se", "tu", "ppp", "dialer", "null"))


class StaticRoute(Value):
    """A static route; `line` is how it was written."""

    line: str
    destination: IPv4Address
    mask: str
    hop: IPv4Address | None = None
    interface: str = ""

    @property
    def rest(self) -> str:
        """What follows destination and mask."""
        return " ".join(self.line.split()[4:])


class NetworkStatement(Value):
    """A `network` line of a routing process: the addresses whose bits outside the wildcard are those of `address`."""

    line: str
    address: IPv4Address
    wildcard: IPv4Address
    area: str = ""

    @property
    def has_mask(self) -> bool:
        """Whether a subnet mask was typed for the wildcard."""
        return 0 < int(self.wildcard) < _ALL_BITS and is_mask(str(self.wildcard))

    def covers(self, address: IPv4Address) -> bool:
        """Whether the statement covers this address; a mask is read as the wildcard it stands for."""
        free = ~int(self.wildcard) if self.has_mask else int(self.wildcard)
        return not (int(self.address) ^ int(address)) & ~free


class Ospf(Value):
    """An OSPF process."""

    process: str = "1"
    router_id: str = ""
    networks: tuple[NetworkStatement, ...] = ()
    passive: frozenset[str] = frozenset()
    active: frozenset[str] = frozenset()
    passive_default: bool = False
    redistributes: bool = False

    def area_of(self, interface: Interface) -> str | None:
        """The area an interface is in, `0.0.0.1` written as `1`; the most specific statement counts."""
        if interface.ospf_area is not None or not interface.address:
            return interface.ospf_area
        covering = [one for one in self.networks if one.covers(interface.address.ip)]
        return min(covering, key=lambda one: int(one.wildcard)).area if covering else None

    def is_passive(self, interface: Interface) -> bool:
        """Whether no hellos are sent there."""
        name = interface_key(interface.name)
        return interface.ospf_passive or name in self.passive or (self.passive_default and name not in self.active)


class Rip(Value):
    """The RIP process; `networks` are prefixes or interface names."""

    version: int | None = None
    networks: tuple[str, ...] = ()
    redistributes: bool = False

    def covers(self, interface: Interface) -> bool:
        """Whether RIP runs on an interface."""
        return any(self._takes_in(network, interface) for network in self.networks)

    def _takes_in(self, network: str, interface: Interface) -> bool:
        if network[0].isalpha():
            return interface_key(network) == interface_key(interface.name)
        return interface.address is not None and interface.address.ip in classful(network)


class BgpNeighbor(Value):
    """A neighbour of the BGP process."""

    address: IPv4Address
    remote_as: str = ""
    far: bool = False


class Bgp(Value):
    """The BGP process."""

    asn: str
    router_id: str = ""
    neighbors: tuple[BgpNeighbor, ...] = ()
    networks: tuple[IPv4Interface, ...] = ()
    redistributes: bool = False


class Configuration(Value):
    """What a device is configured to do."""

    hostname: str = ""
    interfaces: tuple[Interface, ...] = ()
    routes: tuple[StaticRoute, ...] = ()
    ospf: Ospf | None = None
    rip: Rip | None = None
    bgp: Bgp | None = None
    vlans: dict[int, str] = Field(default_factory=dict)
    refused: tuple[str, ...] = ()

    def interface(self, name: str) -> Interface | None:
        """The interface with this name, in any spelling."""
        return next(
            (one for one in self.interfaces if interface_key(one.name) == interface_key(name)),
            None,
        )

    def connected_to(self, address: IPv4Address) -> Interface | None:
        """The interface whose subnet contains an address."""
        return next((one for one in self.interfaces if any(address in own.network for own in one.addresses)), None)

    def is_lan(self, interface: Interface) -> bool:
        """Whether it serves hosts: it is up, has a cable, and no static route uses it."""
        outward = any(route.hop and self.connected_to(route.hop) == interface for route in self.routes)
        return interface.is_up and not (interface.is_loopback or interface.routed_elsewhere or outward)

    def owns(self, address: IPv4Address) -> Interface | None:
        """The interface that has exactly this address."""
        return next((one for one in self.interfaces if any(address == own.ip for own in one.addresses)), None)


def classful(network: str) -> IPv4Network:
    """`10.0.0.0/8` for `10.1.2.0`, the classful network as RIPv1 reads it; a prefix stays as it is."""
    if "/" in network:
        return IPv4Network(network, strict=False)
    first = int(network.split(".", maxsplit=1)[0])
    return IPv4Network(f"{network}/{8 if first < 128 else 16 if first < 192 else 24}", strict=False)  # noqa: PLR2004


class LinkEnd(NamedTuple):
    """One end of a link."""

    device: str
    interface: Interface


class InterfaceLink(NamedTuple):
    """Two joined interfaces."""

    one: LinkEnd
    other: LinkEnd


class Topology:
    """The devices' configurations and the links between them."""

    def __init__(self, configurations: Mapping[str, Configuration], lab: Lab | None = None) -> None:
        self.configurations = configurations
        self.lab = lab

    @cached_property
    def links(self) -> list[InterfaceLink]:
        """All links with both ends known."""
        return list(self._cabled() if self.lab and self.lab.cables else self._sharing())

    @cached_property
    def ends(self) -> list[LinkEnd]:
        """All interfaces, including those of the lab's hosts."""
        routers = [
            LinkEnd(device, interface)
            for device, configuration in self.configurations.items()
            for interface in configuration.interfaces
        ]
        hosts = [device for device in (self.lab.devices if self.lab else ()) if device.kind == "host"]
        ports = (self._end(f"{host.name}:{port.name}") for host in hosts for port in host.ports)
        return routers + [end for end in ports if end]

    @cached_property
    def cabled(self) -> set[tuple[str, str]]:
        """Device and port (in short spelling) of every cable of the lab."""
        ends = [end for cable in self.lab.cables for end in (cable.one, cable.other)] if self.lab else []
        return {(device, interface_key(port)) for device, _, port in (end.partition(":") for end in ends)}

    def sides(self) -> Iterator[tuple[LinkEnd, LinkEnd]]:
        """Every link seen from each of its ends."""
        for one, other in self.links:
            yield one, other
            yield other, one

    def peers(self, device: str, interface: Interface) -> list[LinkEnd]:
        """What is at the other end of an interface's cable."""
        return [other for one, other in self.sides() if one.device == device and one.interface.name == interface.name]

    def planned(self, device: str, interface: str) -> IPv4Interface | None:
        """The address the lab assigns to an interface."""
        for one in self.lab.devices if self.lab else ():
            for port in one.ports if one.name == device else ():
                if port.address and "/" in port.address and interface_key(port.name) == interface_key(interface):
                    return IPv4Interface(port.address)
        return None

    def _cabled(self) -> Iterator[InterfaceLink]:
        for cable in self.lab.cables if self.lab else ():
            ends = [self._end(text) for text in (cable.one, cable.other)]
            if ends[0] and ends[1]:
                yield InterfaceLink(ends[0], ends[1])

    def _end(self, text: str) -> LinkEnd | None:
        device, _, port = text.partition(":")
        if device in self.configurations:
            interface = self.configurations[device].interface(port)
            return LinkEnd(device, interface) if interface else None
        planned = self.planned(device, port)
        return LinkEnd(device, Interface(name=port, addresses=(planned,))) if planned else None

    def _sharing(self) -> Iterator[InterfaceLink]:
        ends = [end for end in self.ends if end.interface.address and not end.interface.is_loopback]
        for one, other in combinations(ends, 2):
            if one.device != other.device and _meet(one.interface, other.interface):
                yield InterfaceLink(one, other)


def _meet(one: Interface, other: Interface) -> bool:
    return bool(one.address and other.address and one.address.network.overlaps(other.address.network))


def silent_mistake(error_type: str, device: str, diagnosis: str, *commands: str, severity: str = "error") -> Diagnosis:
    """A silent mistake on a device and the configuration commands that fix it."""
    return Diagnosis(
        error_type=error_type,
        diagnosis=f"{device}: {diagnosis}",
        fix=f"On {device}: {', '.join(commands)}" if commands else f"Correct it on {device}.",
        metadata={
            "pattern_id": f"silent-{error_type.lower().replace('_', '-')}",
            "severity": severity,
            "device": device,
            "commands": list(commands),
        },
    )
