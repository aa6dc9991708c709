"""Silent mistakes of BGP."""

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Interface, IPv4Network

from studium.domain.lab import Diagnosis
from studium.workflows.tutor.configuration.model import Bgp, BgpNeighbor, Configuration, classful
from studium.workflows.tutor.configuration.topology import Topology, mistake


def sessions(topology: Topology) -> Iterator[Diagnosis]:
    """Neighbours with the wrong AS, out of reach, that are the router itself, or that do not know us."""
    for device, configuration in topology.configurations.items():
        for neighbor in configuration.bgp.neighbors if configuration.bgp else ():
            if configuration.bgp and (found := _session_problem(topology, device, configuration.bgp, neighbor)):
                yield found


def unknown_networks(topology: Topology) -> Iterator[Diagnosis]:
    """Network statements for what is not in the routing table, and networks that nobody announces."""
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
                yield mistake("BGP_NETWORK_NOT_IN_TABLE", device, diagnosis, router, f"no {wrong}", *right)
        if not bgp.networks and not bgp.redistributes and (lan := _lan(topology, device)):
            diagnosis = f"BGP announces nothing, though {lan.network} is connected here."
            statement = f"network {lan.network.network_address} mask {lan.network.netmask}"
            yield mistake("BGP_NETWORK_MISSING", device, diagnosis, router, statement, severity="warning")


def _session_problem(topology: Topology, device: str, bgp: Bgp, neighbor: BgpNeighbor) -> Diagnosis | None:
    configuration = topology.configurations[device]
    router, address = f"router bgp {bgp.asn}", neighbor.address
    if own := configuration.owns(address):
        commands = (router, f"no neighbor {address}", *_other_side(topology, device, neighbor))
        diagnosis = f"the neighbour {address} is the router's own address (on {own.name})."
        return mistake("BGP_NEIGHBOR_IS_SELF", device, diagnosis, *commands)
    if not configuration.connected_to(address) and not neighbor.far and not _routed(configuration, address):
        commands = (router, f"no neighbor {address}", *_other_side(topology, device, neighbor))
        diagnosis = f"the neighbour {address} lies in no connected network, so the session cannot come up."
        return mistake("BGP_NEIGHBOR_NOT_CONNECTED", device, diagnosis, *commands)
    owner = next((name for name, other in topology.configurations.items() if other.owns(address)), None)
    there = topology.configurations[owner].bgp if owner else None
    if not owner or not there:
        return None
    expected = {"external": there.asn != bgp.asn, "internal": there.asn == bgp.asn}
    if not expected.get(neighbor.remote_as, neighbor.remote_as == there.asn):
        diagnosis = f"neighbor {address} remote-as {neighbor.remote_as}: {owner} is in AS {there.asn}."
        return mistake("BGP_WRONG_REMOTE_AS", device, diagnosis, router, f"neighbor {address} remote-as {there.asn}")
    if not any(configuration.owns(back.address) for back in there.neighbors) and (
        here := configuration.connected_to(address)
    ):
        back = f"neighbor {here.address.ip} remote-as {bgp.asn}" if here.address else ""
        diagnosis = f"{device} has a BGP session with this router, which has no neighbor statement for {device}."
        return mistake("BGP_NEIGHBOR_MISSING", owner, diagnosis, f"router bgp {there.asn}", back)
    return None


def _other_side(topology: Topology, device: str, neighbor: BgpNeighbor) -> list[str]:
    """The neighbor statement that was meant, if only one router in that AS is at the other end of a cable."""
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
