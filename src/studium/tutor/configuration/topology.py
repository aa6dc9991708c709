"""Which interfaces are joined: by the cables of the lab, or, without a lab, by the subnets they share."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from ipaddress import IPv4Interface
from itertools import combinations
from typing import NamedTuple

from studium.tutor.configuration.model import Configuration, Interface, short_name
from studium.tutor.domain import Diagnosis, Lab


class LinkEnd(NamedTuple):
    """One end of a link."""

    device: str
    interface: Interface


class InterfaceLink(NamedTuple):
    """Two joined interfaces."""

    one: LinkEnd
    other: LinkEnd


class Topology:
    """The devices' configurations and what joins them."""

    def __init__(self, configurations: Mapping[str, Configuration], lab: Lab | None = None) -> None:
        self.configurations = configurations
        self.lab = lab

    @cached_property
    def links(self) -> list[InterfaceLink]:
        """All links of which we know both ends."""
        return list(self._cabled() if self.lab and self.lab.cables else self._sharing())

    @cached_property
    def ends(self) -> list[LinkEnd]:
        """Every interface there is, those of the lab's hosts too."""
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
        """Device and port, the port in its short spelling, of every cable of the lab."""
        ends = [end for cable in self.lab.cables for end in (cable.one, cable.other)] if self.lab else []
        return {(device, short_name(port)) for device, _, port in (end.partition(":") for end in ends)}

    def sides(self) -> Iterator[tuple[LinkEnd, LinkEnd]]:
        """Every link seen from each of its ends."""
        for one, other in self.links:
            yield one, other
            yield other, one

    def peers(self, device: str, interface: Interface) -> list[LinkEnd]:
        """What is at the other end of an interface's cable."""
        return [other for one, other in self.sides() if one.device == device and one.interface.name == interface.name]

    def planned(self, device: str, interface: str) -> IPv4Interface | None:
        """The address the lab wants there."""
        for one in self.lab.devices if self.lab else ():
            for port in one.ports if one.name == device else ():
                if port.address and "/" in port.address and short_name(port.name) == short_name(interface):
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
    """A silent mistake on a device, and the commands that mend it in configuration mode."""
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
