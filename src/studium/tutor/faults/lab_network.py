"""The lab as a net: who owns which address, and who still reaches whom if a link is cut."""

from dataclasses import dataclass
from functools import cached_property
from ipaddress import IPv4Interface, IPv4Network, ip_address, ip_interface, ip_network

from studium.tutor.domain import Cable, Lab, LabDevice, Port


@dataclass(frozen=True)
class CableEnd:
    """One end of a link: a device, its port, and the address it has there."""

    device: str
    port: str
    address: IPv4Interface


@dataclass(frozen=True)
class AddressedCable:
    """A cable between two devices whose addresses are known."""

    one: CableEnd
    other: CableEnd

    @property
    def ends(self) -> tuple[CableEnd, CableEnd]:
        """Both ends."""
        return self.one, self.other

    @property
    def network(self) -> IPv4Network:
        """The subnet on the cable."""
        return self.one.address.network

    def end(self, device: str) -> CableEnd:
        """The end at a device."""
        return self.one if self.one.device == device else self.other

    def far(self, device: str) -> CableEnd:
        """The end that is not at a device."""
        return self.other if self.one.device == device else self.one


class LabNetwork:
    """The devices of a lab and the links between them."""

    def __init__(self, lab: Lab) -> None:
        """Take a lab; links whose ends have no address are left out."""
        self._devices = {device.name: device for device in lab.devices}
        self.links = [link for cable in lab.cables if (link := self._link(cable))]
        self.routers = [device.name for device in lab.devices if device.kind == "router"]

    def links_of(self, device: str) -> list[AddressedCable]:
        """The links of a device."""
        return [link for link in self.links if device in {end.device for end in link.ends}]

    def transit(self, device: str) -> list[AddressedCable]:
        """The links of a router to other routers."""
        return [link for link in self.links_of(device) if link.far(device).device in self.routers]

    def lans(self, device: str) -> list[AddressedCable]:
        """The links of a router to hosts."""
        return [link for link in self.links_of(device) if link.far(device).device not in self.routers]

    def owner(self, address: str) -> str | None:
        """The device that has an address."""
        return self._owners.get(address)

    def owners_of(self, network: str) -> set[str]:
        """The routers that stand in a network."""
        wanted = ip_network(network, strict=False)
        ends = [end for link in self.links if link.network == wanted for end in link.ends]
        return {end.device for end in ends if end.device in self.routers}

    def reach(self, device: str, without: AddressedCable | None = None) -> set[str]:
        """All devices that a device can reach, if one link is cut."""
        seen, waiting = {device}, [device]
        while waiting:
            here = waiting.pop()
            for link in self.links_of(here):
                there = link.far(here).device
                if link is not without and there not in seen:
                    seen.add(there)
                    waiting.append(there)
        return seen

    def passes(self, source: str, target: str, link: AddressedCable) -> bool:
        """Whether every way from a device to another leads over a link."""
        return target in self.reach(source) and target not in self.reach(source, without=link)

    def meets_first(self, source: str, router: str, link: AddressedCable) -> bool:
        """Whether who comes from a device meets this router's end of a link before the other."""
        near = self.reach(source, without=link)
        return router in near and link.far(router).device not in near

    def host_addresses(self, device: str) -> list[str]:
        """The addresses from which a host speaks; which one a router takes cannot be said."""
        return [] if device in self.routers else [str(link.end(device).address.ip) for link in self.links_of(device)]

    def is_inside(self, address: str, network: str) -> bool:
        """Whether an address belongs to a network."""
        return ip_address(address) in ip_network(network, strict=False)

    @cached_property
    def _owners(self) -> dict[str, str]:
        return {str(end.address.ip): end.device for link in self.links for end in link.ends}

    def _link(self, cable: Cable) -> AddressedCable | None:
        one, other = self._end(cable.one), self._end(cable.other)
        return AddressedCable(one, other) if one and other else None

    def _end(self, written: str) -> CableEnd | None:
        name, _, port = written.partition(":")
        device = self._devices.get(name)
        found = _port(device, port) if device else None
        if not found or not found.address:
            return None
        address = ip_interface(found.address.replace(" ", "/"))
        return CableEnd(name, port, address) if isinstance(address, IPv4Interface) else None


def _port(device: LabDevice, name: str) -> Port | None:
    return next((port for port in device.ports if port.name == name), None)
