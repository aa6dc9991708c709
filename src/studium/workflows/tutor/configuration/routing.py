"""Silent mistakes of static routes."""

import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network

from studium.domain.lab import Diagnosis
from studium.workflows.tutor.configuration.model import (
    LONGEST_WITH_BROADCAST,
    Configuration,
    Interface,
    StaticRoute,
    is_mask,
)
from studium.workflows.tutor.configuration.topology import End, Topology, mistake

_EVERYTHING = IPv4Network("0.0.0.0/0")


def next_hops(topology: Topology) -> Iterator[Diagnosis]:
    """A next hop that is the router itself, lies nowhere near, or belongs to nobody."""
    for device, configuration in topology.configurations.items():
        for route in configuration.routes:
            problem = _hop_problem(topology, device, route)
            if problem:
                better = _better_hop(topology, device, route)
                commands = (f"no {_in_ios(route)}", *([_in_ios(route, better)] if better else ()))
                yield mistake("INVALID_NEXT_HOP", device, f"{route.line}: {problem}", *commands)


def default_without_gateway(topology: Topology) -> Iterator[Diagnosis]:
    """A default route that names an interface where many may be, or one that leads nowhere."""
    for device, configuration in topology.configurations.items():
        for route in configuration.routes:
            interface = configuration.interface(route.interface) if route.interface else None
            if _network(route) != _EVERYTHING or route.hop or not interface or interface.is_point_to_point:
                continue
            what = "leads into the router itself" if interface.is_loopback else "names no next router"
            better = next(
                (peer.interface.address.ip for peer in topology.peers(device, interface) if peer.interface.address),
                None,
            )
            commands = (f"no {_in_ios(route)}", *([_in_ios(route, better)] if better else ()))
            diagnosis = f"the default route through {interface.name} {what}; give the neighbour's address as next hop."
            severity = "error" if interface.is_loopback else "warning"
            yield mistake("DEFAULT_ROUTE_NO_GATEWAY", device, diagnosis, *commands, severity=severity)


def host_bits(topology: Topology) -> Iterator[Diagnosis]:
    """Static routes whose destination is a host of the network their mask says."""
    for device, configuration in topology.configurations.items():
        for route in configuration.routes:
            network = _network(route)
            if route.destination != network.network_address:
                diagnosis = f"{route.line}: {route.destination} is a host in {network}, not the network itself."
                right = f"ip route {network.network_address} {network.netmask} {route.rest}"
                yield mistake("NETWORK_MASK_MISMATCH", device, diagnosis, f"no {_in_ios(route)}", right)


def wildcards_as_masks(topology: Topology) -> Iterator[Diagnosis]:
    """Static routes with a wildcard, or no mask at all, where the mask belongs."""
    for device, configuration in topology.configurations.items():
        for line in configuration.refused:
            _, _, network, mask, *rest = line.split()
            inverse = _inverse(mask)
            commands = (f"no {line}", *([f"ip route {network} {inverse} {' '.join(rest)}"] if inverse else []))
            what = "a wildcard, not a subnet mask" if inverse else "no subnet mask"
            yield mistake("INVALID_SUBNET_MASK", device, f"{line}: {mask} is {what}.", *commands)


def _inverse(wildcard: str) -> str:
    """`255.255.255.0` of `0.0.0.255`, and nothing of what is no wildcard."""
    parts = [int(part) for part in wildcard.split(".") if part]
    inverse = ".".join(str(255 - part) for part in parts)
    return inverse if len(parts) == 4 and max(parts) < 256 and is_mask(inverse) else ""  # noqa: PLR2004


def _hop_problem(topology: Topology, device: str, route: StaticRoute) -> str:
    configuration = topology.configurations[device]
    if re.fullmatch(r"[\d.]+", route.interface):
        return f"{route.interface} is no address."
    if not route.hop:
        return ""
    if own := configuration.owns(route.hop):
        return f"the next hop {route.hop} is the router's own address (on {own.name})."
    interface = configuration.connected_to(route.hop)
    if interface:
        return _neighbor_problem(topology.peers(device, interface) if topology.lab else [], interface, route.hop)
    reached = _reached_otherwise(configuration, route)
    return "" if reached else f"the next hop {route.hop} lies in no subnet of this router."


def _neighbor_problem(peers: list[End], interface: Interface, hop: IPv4Address) -> str:
    network = next(address.network for address in interface.addresses if hop in address.network)
    if network.prefixlen <= LONGEST_WITH_BROADCAST and hop in {network.network_address, network.broadcast_address}:
        return f"the next hop {hop} is the network or broadcast address of {network}."
    addresses = [address.ip for peer in peers for address in peer.interface.addresses if address.ip in network]
    if addresses and hop not in addresses:
        return f"nobody on {interface.name} has the address {hop}; {peers[0].device} has {addresses[0]}."
    return ""


def _reached_otherwise(configuration: Configuration, route: StaticRoute) -> bool:
    if configuration.ospf or configuration.rip or configuration.bgp or route.interface:
        return True
    if any(interface.routed_elsewhere for interface in configuration.interfaces):
        return True
    others = (other for other in configuration.routes if other is not route and _network(other) != _EVERYTHING)
    return any(route.hop in _network(other) for other in others)


def _better_hop(topology: Topology, device: str, route: StaticRoute) -> IPv4Address | None:
    """The neighbour that the route most likely means: on the hop's own link, or the only router there is."""
    configuration = topology.configurations[device]
    interface = configuration.connected_to(route.hop) if route.hop else None
    ends = topology.peers(device, interface) if interface else []
    if not ends:
        ends = [other for one, other in topology.sides() if one.device == device]
    ends = [end for end in ends if end.device in topology.configurations and end.interface.address]
    if len(ends) == 1 and ends[0].interface.address:
        return ends[0].interface.address.ip
    if interface and interface.address and not ends and interface.address.network.prefixlen == LONGEST_WITH_BROADCAST:
        return next(host for host in interface.address.network.hosts() if host != interface.address.ip)
    return None


def _network(route: StaticRoute) -> IPv4Network:
    return IPv4Network(f"{route.destination}/{route.mask}", strict=False)


def _in_ios(route: StaticRoute, hop: IPv4Address | None = None) -> str:
    return f"ip route {route.destination} {route.mask} {hop or route.rest}"
