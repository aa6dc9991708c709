"""Find silent mistakes of static routes, RIP and BGP."""

import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Interface, IPv4Network

from studium.tutor.configuration.model import (
    LONGEST_WITH_BROADCAST,
    Bgp,
    BgpNeighbor,
    Configuration,
    Interface,
    LinkEnd,
    StaticRoute,
    Topology,
    classful,
    silent_mistake,
)
from studium.tutor.domain import Diagnosis
from studium.tutor.ios.addresses import is_mask

_EVERYTHING = IPv4Network("0.0.0.0/0")


def bad_next_hops(topology: Topology) -> Iterator[Diagnosis]:
    """Next hops that are the router itself, not directly connected, or unused."""
    for device, configuration in topology.configurations.items():
        for route in configuration.routes:
            problem = _hop_problem(topology, device, route)
            if problem:
                better = _better_hop(topology, device, route)
                commands = (f"no {_in_ios(route)}", *([_in_ios(route, better)] if better else ()))
                yield silent_mistake("INVALID_NEXT_HOP", device, f"{route.line}: {problem}", *commands)


def default_without_gateway(topology: Topology) -> Iterator[Diagnosis]:
    """Default routes that name a multi-access interface or lead nowhere."""
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
            yield silent_mistake("DEFAULT_ROUTE_NO_GATEWAY", device, diagnosis, *commands, severity=severity)


def static_routes_with_host_bits(topology: Topology) -> Iterator[Diagnosis]:
    """Static routes whose destination is a host of the network their mask says."""
    for device, configuration in topology.configurations.items():
        for route in configuration.routes:
            network = _network(route)
            if route.destination != network.network_address:
                diagnosis = f"{route.line}: {route.destination} is a host in {network}, not the network itself."
                right = f"ip route {network.network_address} {network.netmask} {route.rest}"
                yield silent_mistake("NETWORK_MASK_MISMATCH", device, diagnosis, f"no {_in_ios(route)}", right)


def wildcards_as_masks(topology: Topology) -> Iterator[Diagnosis]:
    """Static routes with a wildcard or something else instead of a mask."""
    for device, configuration in topology.configurations.items():
        for line in configuration.refused:
            _, _, network, mask, *rest = line.split()
            inverse = _inverse(mask)
            commands = (f"no {line}", *([f"ip route {network} {inverse} {' '.join(rest)}"] if inverse else []))
            what = "a wildcard, not a subnet mask" if inverse else "no subnet mask"
            yield silent_mistake("INVALID_SUBNET_MASK", device, f"{line}: {mask} is {what}.", *commands)


def _inverse(wildcard: str) -> str:
    """`255.255.255.0` for `0.0.0.255`; None if it is not a wildcard."""
    parts = [int(part) for part in wildcard.split(".") if part]
    inverse = ".".join(str(255 - part) for part in parts)
    return inverse if len(parts) == 4 and max(parts) < 256 and is_mask(inverse) else ""  # noqa: PLR2004


def _hop_problem(topology: Topology, device: str, route: StaticRoute) -> str:
    configuration = topology.configurations[device]
    if re.fullmatch(r"[\d.]+", route.interface):
        return f"{route.interface} is not an address."
    if not route.hop:
        return ""
    if own := configuration.owns(route.hop):
        return f"the next hop {route.hop} is the router's own address (on {own.name})."
    interface = configuration.connected_to(route.hop)
    if interface:
        return _neighbor_problem(topology.peers(device, interface) if topology.lab else [], interface, route.hop)
    reached = _reached_otherwise(configuration, route)
    return "" if reached else f"the next hop {route.hop} is in no subnet of this router."


def _neighbor_problem(peers: list[LinkEnd], interface: Interface, hop: IPv4Address) -> str:
    network = next(address.network for address in interface.addresses if hop in address.network)
    if network.prefixlen <= LONGEST_WITH_BROADCAST and hop in {network.network_address, network.broadcast_address}:
        return f"the next hop {hop} is the network or broadcast address of {network}."
    addresses = [address.ip for peer in peers for address in peer.interface.addresses if address.ip in network]
    if addresses and hop not in addresses:
        return f"no device on {interface.name} has the address {hop}; {peers[0].device} has {addresses[0]}."
    return ""


def _reached_otherwise(configuration: Configuration, route: StaticRoute) -> bool:
    if configuration.ospf or configuration.rip or configuration.bgp or route.interface:
        return True
    if any(interface.routed_elsewhere for interface in configuration.interfaces):
        return True
    others = (other for other in configuration.routes if other is not route and _network(other) != _EVERYTHING)
    return any(route.hop in _network(other) for other in others)


def _better_hop(topology: Topology, device: str, route: StaticRoute) -> IPv4Address | None:
    """The most likely next hop: on the same link, or the only neighbouring router."""
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


_CURRENT = 2


def mismatched_rip_versions(topology: Topology) -> Iterator[Diagnosis]:
    """Neighbours with different versions of RIP."""
    seen: set[str] = set()
    for one, other in topology.sides():
        here, there = (topology.configurations.get(end.device) for end in (one, other))
        if not (here and here.rip and there and there.rip) or one.device in seen:
            continue
        if here.rip.version != _CURRENT and there.rip.version == _CURRENT:
            seen.add(one.device)
            diagnosis = f"RIP is not set to version 2 as on {other.device}; they do not take each other's updates."
            yield silent_mistake("RIP_VERSION_MISMATCH", one.device, diagnosis, "router rip", "version 2")


def interfaces_without_rip(topology: Topology) -> Iterator[Diagnosis]:
    """Interfaces that no RIP network statement covers."""
    for device, configuration in topology.configurations.items():
        rip = configuration.rip
        for interface in configuration.interfaces if rip else ():
            if not rip or not interface.address or rip.covers(interface):
                continue
            towards_rip = any(
                (peer := topology.configurations.get(end.device)) and peer.rip and peer.rip.covers(end.interface)
                for end in topology.peers(device, interface)
            )
            if towards_rip or _is_forgotten(configuration, interface):
                diagnosis = f"no network statement of RIP takes in {interface.name} ({interface.address})."
                network = classful(str(interface.address.ip)).network_address
                severity = "error" if towards_rip else "warning"
                yield silent_mistake(
                    "RIP_NETWORK_MISSING", device, diagnosis, "router rip", f"network {network}", severity=severity
                )


def _is_forgotten(configuration: Configuration, interface: Interface) -> bool:
    """Whether it is a LAN that nothing else (another protocol, a redistribution) accounts for."""
    elsewhere = configuration.bgp or configuration.ospf or (configuration.rip and configuration.rip.redistributes)
    return not elsewhere and configuration.is_lan(interface)


def broken_bgp_sessions(topology: Topology) -> Iterator[Diagnosis]:
    """BGP neighbours with the wrong AS, unreachable, the router itself, or not configured on the other side."""
    for device, configuration in topology.configurations.items():
        for neighbor in configuration.bgp.neighbors if configuration.bgp else ():
            if configuration.bgp and (found := _session_problem(topology, device, configuration.bgp, neighbor)):
                yield found


def bad_bgp_networks(topology: Topology) -> Iterator[Diagnosis]:
    """BGP network statements without a route, and networks that are not announced."""
    for device, configuration in topology.configurations.items():
        if not (bgp := configuration.bgp):
            continue
        router = f"router bgp {bgp.asn}"
        for announced in bgp.networks:
            network = announced.network
            if announced.ip != network.network_address or not _in_table(configuration, str(network)):
                wrong = _statement(announced)
                meant = next(
                    (
                        own.network
                        for own in _connected(configuration)
                        if own.ip in network or network.overlaps(own.network)
                    ),
                    None,
                )
                right = [f"network {meant.network_address} mask {meant.netmask}"] if meant else []
                diagnosis = f"{wrong}: BGP announces only routes of its table, with just this mask; {network} is none."
                yield silent_mistake("BGP_NETWORK_NOT_IN_TABLE", device, diagnosis, router, f"no {wrong}", *right)
        if not bgp.networks and not bgp.redistributes and (lan := _lan(topology, device)):
            diagnosis = f"BGP announces nothing, though {lan.network} is connected here."
            statement = f"network {lan.network.network_address} mask {lan.network.netmask}"
            yield silent_mistake("BGP_NETWORK_MISSING", device, diagnosis, router, statement, severity="warning")


def _session_problem(topology: Topology, device: str, bgp: Bgp, neighbor: BgpNeighbor) -> Diagnosis | None:
    configuration = topology.configurations[device]
    router, address = f"router bgp {bgp.asn}", neighbor.address
    if own := configuration.owns(address):
        commands = (router, f"no neighbor {address}", *_other_side(topology, device, neighbor))
        diagnosis = f"the neighbour {address} is the router's own address (on {own.name})."
        return silent_mistake("BGP_NEIGHBOR_IS_SELF", device, diagnosis, *commands)
    if not configuration.connected_to(address) and not neighbor.far and not _routed(configuration, address):
        commands = (router, f"no neighbor {address}", *_other_side(topology, device, neighbor))
        diagnosis = f"the neighbour {address} is in no connected network, so the session cannot come up."
        return silent_mistake("BGP_NEIGHBOR_NOT_CONNECTED", device, diagnosis, *commands)
    owner = next((name for name, other in topology.configurations.items() if other.owns(address)), None)
    there = topology.configurations[owner].bgp if owner else None
    if not owner or not there:
        return None
    expected = {"external": there.asn != bgp.asn, "internal": there.asn == bgp.asn}
    if not expected.get(neighbor.remote_as, neighbor.remote_as == there.asn):
        diagnosis = f"neighbor {address} remote-as {neighbor.remote_as}: {owner} is in AS {there.asn}."
        return silent_mistake(
            "BGP_WRONG_REMOTE_AS", device, diagnosis, router, f"neighbor {address} remote-as {there.asn}"
        )
    if not any(configuration.owns(back.address) for back in there.neighbors) and (
        here := configuration.connected_to(address)
    ):
        back = f"neighbor {here.address.ip} remote-as {bgp.asn}" if here.address else ""
        diagnosis = f"{device} has a BGP session with this router, which has no neighbor statement for {device}."
        return silent_mistake("BGP_NEIGHBOR_MISSING", owner, diagnosis, f"router bgp {there.asn}", back)
    return None


def _other_side(topology: Topology, device: str, neighbor: BgpNeighbor) -> list[str]:
    """The intended neighbor statement, if only one cabled router is in that AS."""
    ends = [
        other
        for one, other in topology.sides()
        if one.device == device
        and (there := topology.configurations.get(other.device))
        and there.bgp
        and there.bgp.asn == neighbor.remote_as
    ]
    found = [end.interface.address.ip for end in ends if end.interface.address]
    return [f"neighbor {found[0]} remote-as {neighbor.remote_as}"] if len(found) == 1 else []


def _routed(configuration: Configuration, address: IPv4Address) -> bool:
    """Whether something else may lead there (then BGP within one AS can work)."""
    bgp = configuration.bgp
    inside = bgp and any(one.address == address and one.remote_as in {bgp.asn, "internal"} for one in bgp.neighbors)
    return bool(inside and (configuration.ospf or configuration.rip or configuration.routes))


def _connected(configuration: Configuration) -> list[IPv4Interface]:
    return [address for interface in configuration.interfaces for address in interface.addresses]


def _in_table(configuration: Configuration, network: str) -> bool:
    static = {f"{route.destination}/{IPv4Network(f'0.0.0.0/{route.mask}').prefixlen}" for route in configuration.routes}
    connected = {str(address.network) for address in _connected(configuration)}
    learns = bool(configuration.ospf or configuration.rip)
    return learns or network == "0.0.0.0/0" or network in static | connected


def _statement(announced: IPv4Interface) -> str:
    by_class = classful(str(announced.ip)).prefixlen == announced.network.prefixlen
    return f"network {announced.ip}" + ("" if by_class else f" mask {announced.netmask}")


def _lan(topology: Topology, device: str) -> IPv4Interface | None:
    """A connected network with no other router in it, if no other protocol accounts for it."""
    configuration = topology.configurations[device]
    if configuration.ospf or configuration.rip:
        return None
    neighbors = [one.address for one in configuration.bgp.neighbors] if configuration.bgp else []
    for interface in configuration.interfaces:
        routers = [end for end in topology.peers(device, interface) if end.device in topology.configurations]
        is_lan = interface.is_up and not interface.is_loopback and not routers
        if is_lan and interface.address and not any(one in interface.address.network for one in neighbors):
            return interface.address
    return None
