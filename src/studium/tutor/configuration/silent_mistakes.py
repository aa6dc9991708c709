"""Find silent mistakes: configuration that devices accept although it is wrong."""

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Address, IPv4Interface
from itertools import combinations

from studium.tutor.configuration import ospf, routing
from studium.tutor.configuration import routing as bgp
from studium.tutor.configuration import routing as distance_vector
from studium.tutor.configuration.model import (
    LONGEST_WITH_BROADCAST,
    Configuration,
    Interface,
    LinkEnd,
    Topology,
    silent_mistake,
)
from studium.tutor.domain import Diagnosis, Lab
from studium.tutor.ios.interface_names import interface_key


def overlapping_subnets(topology: Topology) -> Iterator[Diagnosis]:
    """Two interfaces of one router in overlapping subnets."""
    for device, configuration in topology.configurations.items():
        for one, other in combinations(configuration.interfaces, 2):
            if not _overlap(one, other):
                continue
            wrong, right = (one, other) if _is_misplaced(topology, LinkEnd(device, one)) else (other, one)
            diagnosis = (
                f"{wrong.name} ({wrong.address}) and {right.name} ({right.address}) are in overlapping subnets; "
            )
            diagnosis += "every interface of a router needs a subnet of its own."
            yield silent_mistake("SUBNET_OVERLAP", device, diagnosis, *_readdress(topology, device, wrong, None))


def unusable_addresses(topology: Topology) -> Iterator[Diagnosis]:
    """Interfaces with the network or broadcast address of their subnet."""
    for device, configuration in topology.configurations.items():
        for interface in configuration.interfaces:
            if not (address := interface.address) or address.network.prefixlen > LONGEST_WITH_BROADCAST:
                continue
            kinds = {address.network.network_address: "network", address.network.broadcast_address: "broadcast"}
            if kind := kinds.get(address.ip):
                diagnosis = f"{address.ip} on {interface.name} is the {kind} address of {address.network}, no host's."
                commands = _readdress(topology, device, interface, _free_in(topology, address))
                yield silent_mistake("ADDRESS_IS_NETWORK_OR_BROADCAST", device, diagnosis, *commands)


def duplicate_addresses(topology: Topology) -> Iterator[Diagnosis]:
    """One address on two devices."""
    holders: dict[IPv4Address, list[LinkEnd]] = {}
    for end in topology.ends:
        for own in end.interface.addresses:
            holders.setdefault(own.ip, []).append(end)
    for address, (first, *others) in holders.items():
        for other in others:
            if first.device == other.device:
                continue
            wrong, right = _wrong_and_right(topology, first, other)
            also = f"{right.interface.name} on {right.device}"
            diagnosis = f"{address} on {wrong.interface.name} is also the address of {also}."
            better = _free_in(topology, wrong.interface.addresses[0])
            commands = _readdress(topology, wrong.device, wrong.interface, better)
            yield silent_mistake("DUPLICATE_IP", wrong.device, diagnosis, *commands)


def shut_interfaces(topology: Topology) -> Iterator[Diagnosis]:
    """An interface that is shut down although it has an address or a cable."""
    for device, configuration in topology.configurations.items():
        for interface in configuration.interfaces:
            cabled = (device, interface_key(interface.name)) in topology.cabled
            if interface.shutdown and (interface.addresses or cabled):
                why = f"has the address {interface.address}" if interface.address else "has a cable in it"
                diagnosis = f"{interface.name} {why}, but it is shut down."
                yield silent_mistake(
                    "INTERFACE_SHUTDOWN", device, diagnosis, f"interface {interface.name}", "no shutdown"
                )


def mismatched_cable_ends(topology: Topology) -> Iterator[Diagnosis]:
    """The two ends of a cable in different subnets, or with different masks."""
    for one, other in topology.links:
        here, there = one.interface.address, other.interface.address
        if not here or not there or here.network == there.network:
            continue
        wrong, right = _wrong_and_right(topology, other, one)
        same_subnet = here.ip in there.network and there.ip in here.network
        what = "have different masks" if same_subnet else "are in different subnets"
        diagnosis = (
            f"{wrong.interface.name} ({wrong.interface.address}) and {right.interface.name} of {right.device} "
            f"({right.interface.address}) are joined by a cable but {what}."
        )
        yield silent_mistake("NEIGHBOR_SUBNET_MISMATCH", wrong.device, diagnosis, *_joined(topology, wrong, right))


def unplanned_addresses(topology: Topology) -> Iterator[Diagnosis]:
    """An address that is not the one the lab asks for."""
    for device, configuration in topology.configurations.items():
        for interface in configuration.interfaces:
            planned = topology.planned(device, interface.name)
            if planned and interface.address and planned not in interface.addresses:
                diagnosis = f"{interface.name} has {interface.address}; the lab asks for {planned}."
                commands = _readdress(topology, device, interface, None)
                yield silent_mistake("ADDRESS_NOT_AS_PLANNED", device, diagnosis, *commands, severity="warning")


def _overlap(one: Interface, other: Interface) -> bool:
    pairs = ((mine, its) for mine in one.addresses for its in other.addresses)
    return not (one.routed_elsewhere or other.routed_elsewhere) and any(
        mine.network.overlaps(its.network) and max(mine.network.prefixlen, its.network.prefixlen) < mine.max_prefixlen
        for mine, its in pairs
    )


def _wrong_and_right(topology: Topology, first: LinkEnd, other: LinkEnd) -> tuple[LinkEnd, LinkEnd]:
    """The end that differs from the lab's plan, else the second one; never a host, which is not configurable."""
    first_is_wrong = _is_misplaced(topology, first) or other.device not in topology.configurations
    return (first, other) if first_is_wrong and first.device in topology.configurations else (other, first)


def _is_misplaced(topology: Topology, end: LinkEnd) -> bool:
    """Whether the lab assigns another address there."""
    planned = topology.planned(end.device, end.interface.name)
    return planned is not None and planned not in end.interface.addresses


def _readdress(topology: Topology, device: str, interface: Interface, better: IPv4Interface | None) -> tuple[str, ...]:
    better = topology.planned(device, interface.name) or better
    change = f"ip address {better.ip} {better.netmask}" if better else "no ip address"
    return f"interface {interface.name}", change


def _joined(topology: Topology, wrong: LinkEnd, right: LinkEnd) -> tuple[str, ...]:
    """The commands that move one end into the subnet of the other."""
    subnet = right.interface.address
    old = wrong.interface.address
    if not subnet or not old:
        return ()
    keeps = old.ip in subnet.network and old.ip not in {
        subnet.network.network_address,
        subnet.network.broadcast_address,
    }
    if keeps and old.ip != subnet.ip:
        better: IPv4Interface | None = IPv4Interface(f"{old.ip}/{subnet.network.prefixlen}")
    else:
        better = _free_in(topology, subnet)
    return _readdress(topology, wrong.device, wrong.interface, better)


def _free_in(topology: Topology, near: IPv4Interface) -> IPv4Interface | None:
    taken = {address.ip for end in topology.ends for address in end.interface.addresses}
    network = near.network
    upwards = network.network_address + 1
    steps = range(min(network.num_addresses - 2, len(taken) + 1))
    down = near.ip == network.broadcast_address
    candidates = (network.broadcast_address - 1 - step if down else upwards + step for step in steps)
    free = next((host for host in candidates if host not in taken), None)
    return IPv4Interface(f"{free}/{network.prefixlen}") if free else None


_CHECKS = (
    shut_interfaces,
    unusable_addresses,
    overlapping_subnets,
    duplicate_addresses,
    mismatched_cable_ends,
    unplanned_addresses,
    routing.bad_next_hops,
    routing.static_routes_with_host_bits,
    routing.wildcards_as_masks,
    routing.default_without_gateway,
    ospf.mismatched_areas,
    ospf.mismatched_timers,
    ospf.passive_links,
    ospf.bad_network_statements,
    ospf.interfaces_without_ospf,
    ospf.bad_router_ids,
    distance_vector.mismatched_rip_versions,
    distance_vector.interfaces_without_rip,
    bgp.broken_bgp_sessions,
    bgp.bad_bgp_networks,
)
_WEIGHTS = ("error", "warning", "notice")


def silent_mistakes(configurations: Mapping[str, Configuration], lab: Lab | None = None) -> list[Diagnosis]:
    """All silent mistakes in the configurations of a lab's devices, most serious first."""
    topology = Topology(configurations, lab)
    found = [diagnosis for check in _CHECKS for diagnosis in check(topology)]
    return sorted(found, key=lambda diagnosis: _WEIGHTS.index(diagnosis.metadata["severity"]))
