"""Devices, their addresses and cables: what cannot be plugged together as a lab says."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import IPv4Interface, IPv6Interface, ip_address, ip_interface

from studium.readers.labs.shape import nearest
from studium.readers.labs.tree import Mistake, Tree

_NO_EDGES = {"4": 31, "6": 127}  # from this length on a subnet has neither a network nor a broadcast address


@dataclass(frozen=True)
class Plan:
    """Which devices a lab has, with the address of each port as far as it could be read."""

    routers: frozenset[str]
    hosts: frozenset[str]
    ports: dict[str, dict[str, IPv4Interface | IPv6Interface | None]] = field(default_factory=dict)

    @property
    def devices(self) -> frozenset[str]:
        """The names of all of them."""
        return self.routers | self.hosts


def make_plan(lab: Tree) -> Plan:
    """The devices of a lab; what cannot be read of them is left out."""
    kinds = {device.at("name").text: device.at("kind").text for device in lab.at("devices").each()}
    hosts = frozenset(name for name, kind in kinds.items() if kind == "host")
    ports = {
        device.at("name").text: {
            port.at("name").text: _interface(port.at("address").text) for port in device.at("ports").each()
        }
        for device in lab.at("devices").each()
    }
    return Plan(frozenset(kinds) - hosts - {""}, hosts - {""}, ports)


def check_topology(lab: Tree, plan: Plan) -> Iterator[Mistake]:
    """Everything that is wrong with devices, addresses and cables."""
    yield from doubles([device.at("name") for device in lab.at("devices").each()], "device")
    addresses: dict[str, Tree] = {}
    for device in lab.at("devices").each():
        yield from doubles([port.at("name") for port in device.at("ports").each()], "port")
        for port in device.at("ports").each():
            yield from _check_address(port.at("address"), addresses)
        yield from _check_gateway(device, plan)
    yield from _check_cables(lab, plan)


def doubles(names: list[Tree], what: str) -> Iterator[Mistake]:
    """Names that were given before."""
    first: dict[str, Tree] = {}
    for name in names:
        if name.text and first.setdefault(name.text, name) is not name:
            message = f"There is a {what} `{name.text}` already, on line {first[name.text].line}."
            yield Mistake("twice", name.line, message)


def _interface(text: str) -> IPv4Interface | IPv6Interface | None:
    try:
        return ip_interface(text) if "/" in text else None
    except ValueError:
        return None


def _check_address(given: Tree, seen: dict[str, Tree]) -> Iterator[Mistake]:
    if not given.text:
        return
    interface = _interface(given.text)
    if interface is None:
        message = f"`{given.text}` is no address with its prefix length, such as 192.168.1.1/24."
        yield Mistake("address", given.line, message)
        return
    network = interface.network
    if network.prefixlen < _NO_EDGES[str(network.version)]:
        if interface.ip == network.network_address:
            yield Mistake("address", given.line, f"`{given.text}` is the address of the subnet itself.")
        elif isinstance(interface, IPv4Interface) and interface.ip == network.broadcast_address:
            yield Mistake("address", given.line, f"`{given.text}` is the broadcast address of {network}.")
    if (first := seen.setdefault(str(interface.ip), given)) is not given:
        yield Mistake("twice", given.line, f"The address {interface.ip} is given twice, first on line {first.line}.")


def _check_gateway(device: Tree, plan: Plan) -> Iterator[Mistake]:
    gateway, name = device.at("gateway"), device.at("name").text
    if not gateway.text:
        return
    if name not in plan.hosts:
        yield Mistake("gateway", gateway.line, f"`{name}` is a router; only hosts have a gateway.")
        return
    try:
        address = ip_address(gateway.text)
    except ValueError:
        yield Mistake("address", gateway.line, f"`{gateway.text}` is no address.")
        return
    subnets = [interface.network for interface in plan.ports[name].values() if interface]
    if subnets and not any(address in subnet for subnet in subnets):
        shown = ", ".join(map(str, subnets))
        yield Mistake("gateway", gateway.line, f"The gateway {address} is not in a subnet of `{name}` ({shown}).")


def _check_cables(lab: Tree, plan: Plan) -> Iterator[Mistake]:
    plugged: dict[str, Tree] = {}
    for cable in lab.at("cables").each():
        ends = [cable.at(end) for end in ("one", "other")]
        faults = [fault for end in ends for fault in _check_end(end, plan)]
        for end in ends:
            if not faults and plugged.setdefault(end.text, cable) is not cable:
                faults.append(Mistake("cable", end.line, f"`{end.text}` has a cable already; a port takes one."))
        if ends[0].text and ends[0].text == ends[1].text:
            faults.append(Mistake("cable", ends[1].line, f"The cable joins `{ends[1].text}` to itself."))
        yield from faults
        if not faults:
            yield from _check_subnet(ends, plan)


def _check_end(end: Tree, plan: Plan) -> Iterator[Mistake]:
    """An end that is missing altogether was told with the keys."""
    device, colon, port = (part.strip() for part in end.text.partition(":"))
    if not end.text:
        return
    if not colon or not port:
        message = f"`{end.text}` is no end of a cable; write the device and its port: `r1:GigabitEthernet0/0`."
        yield Mistake("cable", end.line, message)
    elif device not in plan.ports:
        yield Mistake("unknown", end.line, f"There is no device `{device}`. {nearest(device, plan.devices)}")
    elif port not in plan.ports[device]:
        near = nearest(port, plan.ports[device])
        yield Mistake("unknown", end.line, f"`{device}` has no port `{port}`. {near}")


def _check_subnet(ends: list[Tree], plan: Plan) -> Iterator[Mistake]:
    pairs = [[part.strip() for part in end.text.split(":", 1)] for end in ends if end.text]
    interfaces = [plan.ports[device][port] for device, port in pairs]
    known = [interface for interface in interfaces if interface]
    if len({interface.network for interface in known}) > 1:
        message = f"The ends of this cable are in different subnets: {known[0]} and {known[1]}."
        yield Mistake("subnet", ends[0].line, message)
