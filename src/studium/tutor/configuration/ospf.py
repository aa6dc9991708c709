"""Find silent mistakes of OSPF."""

from collections import Counter
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Interface, IPv4Network

from studium.tutor.configuration.model import (
    Configuration,
    Interface,
    LinkEnd,
    NetworkStatement,
    Ospf,
    Topology,
    silent_mistake,
)
from studium.tutor.domain import Diagnosis

_HELLO = 10
_DEAD_HELLOS = 4


def mismatched_areas(topology: Topology) -> Iterator[Diagnosis]:
    """Links whose ends are in different areas."""
    for one, other in topology.links:
        here, there = _area(topology, one), _area(topology, other)
        if here is None or there is None or here == there:
            continue
        wrong, right, area = (one, other, there) if there == "0" or here != "0" else (other, one, here)
        process = topology.configurations[wrong.device].ospf or Ospf()
        own = _area(topology, wrong)
        diagnosis = f"{wrong.interface.name} is in OSPF area {own}, the other end on {right.device} in area {area}."
        yield silent_mistake("OSPF_AREA_MISMATCH", wrong.device, diagnosis, *_into_area(process, wrong.interface, area))


def mismatched_timers(topology: Topology) -> Iterator[Diagnosis]:
    """Links whose ends have different hello or dead intervals; the rarer values count as wrong."""
    ends = [one for one, _ in topology.sides() if _area(topology, one) is not None]
    usual = Counter(_timers(end.interface) for end in ends)
    for one, other in topology.links:
        if _area(topology, one) is None or _area(topology, other) is None:
            continue
        here, there = _timers(one.interface), _timers(other.interface)
        if here == there:
            continue
        odd = usual[here] < usual[there] or (usual[here] == usual[there] and _is_tuned(one.interface))
        wrong, right, want = (one, other, there) if odd else (other, one, here)
        own = _timers(wrong.interface)
        diagnosis = (
            f"{wrong.interface.name} uses hello {own[0]} s and dead {own[1]} s, "
            f"{right.interface.name} on {right.device} {want[0]} s and {want[1]} s; OSPF neighbours need the same."
        )
        commands = (f"ip ospf hello-interval {want[0]}", f"ip ospf dead-interval {want[1]}")
        yield silent_mistake(
            "OSPF_TIMER_MISMATCH", wrong.device, diagnosis, f"interface {wrong.interface.name}", *commands
        )


def passive_links(topology: Topology) -> Iterator[Diagnosis]:
    """A passive interface towards another OSPF router."""
    for one, other in topology.sides():
        process = _process(topology, one.device)
        if not process or _area(topology, one) is None or _area(topology, other) is None:
            continue
        if process.is_passive(one.interface):
            diagnosis = (
                f"{one.interface.name} is passive, so it never becomes a neighbour of {other.device} at its other end."
            )
            commands = (f"router ospf {process.process}", f"no passive-interface {one.interface.name}")
            yield silent_mistake("OSPF_PASSIVE_INTERFACE", one.device, diagnosis, *commands)


def interfaces_without_ospf(topology: Topology) -> Iterator[Diagnosis]:
    """Interfaces that no network statement covers although their network should be announced."""
    for device, configuration in topology.configurations.items():
        process = configuration.ospf
        for interface in configuration.interfaces if process else ():
            if not process or not interface.address or process.area_of(interface) is not None:
                continue
            peers = [_area(topology, peer) for peer in topology.peers(device, interface)]
            area = next((area for area in peers if area is not None), None)
            if area is None and not _is_forgotten(configuration, interface):
                continue
            wanted = area or next((one.area for one in process.networks), "0")
            diagnosis = f"no network statement of OSPF takes in {interface.name} ({interface.address})."
            commands = (f"router ospf {process.process}", _statement(interface.address.network, wanted))
            severity = "error" if area is not None else "warning"
            yield silent_mistake("OSPF_NETWORK_MISSING", device, diagnosis, *commands, severity=severity)


def bad_network_statements(topology: Topology) -> Iterator[Diagnosis]:
    """Network statements with a mask instead of a wildcard, with host bits, or that match nothing."""
    for device, configuration in topology.configurations.items():
        process = configuration.ospf
        for one in process.networks if process else ():
            if process and (found := _statement_problem(configuration, one)):
                error_type, problem, right, severity = found
                commands = (f"router ospf {process.process}", f"no {_written(one)}", *([right] if right else []))
                yield silent_mistake(error_type, device, f"{one.line}: {problem}", *commands, severity=severity)


def bad_router_ids(topology: Topology) -> Iterator[Diagnosis]:
    """Duplicate router ids, and routers without one."""
    holders: dict[str, str] = {}
    for number, (device, configuration) in enumerate(topology.configurations.items(), start=1):
        if not (process := configuration.ospf):
            continue
        router = f"router ospf {process.process}"
        own = process.router_id
        if not own and not any(interface.is_up for interface in configuration.interfaces):
            diagnosis = "OSPF has no router id and no interface with an address that is up to take one from."
            yield silent_mistake(
                "OSPF_NO_ROUTER_ID", device, diagnosis, router, f"router-id {number}.{number}.{number}.{number}"
            )
        elif own and own in holders:
            free = next(text for n in range(number, 256) if (text := f"{n}.{n}.{n}.{n}") not in holders and text != own)
            diagnosis = f"{own} is also the router id of {holders[own]}; each OSPF router needs its own."
            yield silent_mistake(
                "OSPF_DUPLICATE_ROUTER_ID",
                device,
                diagnosis,
                router,
                f"router-id {free}",
                "end",
                "clear ip ospf process",
            )
        else:
            holders[own] = device


def _process(topology: Topology, device: str) -> Ospf | None:
    configuration = topology.configurations.get(device)
    return configuration.ospf if configuration else None


def _area(topology: Topology, end: LinkEnd) -> str | None:
    process = _process(topology, end.device)
    return process.area_of(end.interface) if process else None


def _is_tuned(interface: Interface) -> bool:
    return interface.hello is not None or interface.dead is not None


def _timers(interface: Interface) -> tuple[int, int]:
    hello = interface.hello or _HELLO
    return hello, interface.dead or hello * _DEAD_HELLOS


def _into_area(process: Ospf, interface: Interface, area: str) -> tuple[str, ...]:
    if interface.ospf_area is not None or not interface.address:
        return f"interface {interface.name}", f"ip ospf {process.process} area {area}"
    covering = [one for one in process.networks if one.covers(interface.address.ip)]
    wrong = min(covering, key=lambda one: int(one.wildcard))
    right = NetworkStatement(line="", address=wrong.address, wildcard=wrong.wildcard, area=area)
    return f"router ospf {process.process}", f"no {_written(wrong)}", _written(right)


def _is_forgotten(configuration: Configuration, interface: Interface) -> bool:
    """Whether it is a LAN that nothing else (another protocol, a redistribution) accounts for."""
    elsewhere = configuration.bgp or configuration.rip or (configuration.ospf and configuration.ospf.redistributes)
    return not elsewhere and configuration.is_lan(interface)


def _statement_problem(configuration: Configuration, one: NetworkStatement) -> tuple[str, str, str, str] | None:
    mask = str(one.wildcard)
    if one.has_mask:
        network = IPv4Network(f"{one.address}/{mask}", strict=False)
        return (
            "OSPF_WILDCARD_IS_MASK",
            f"{mask} is a subnet mask; OSPF wants the wildcard {network.hostmask}.",
            _statement(network, one.area),
            "error",
        )
    if int(one.address) & int(one.wildcard):
        network_address = IPv4Address(int(one.address) & ~int(one.wildcard))
        right = f"network {network_address} {mask} area {one.area}"
        return (
            "NETWORK_MASK_MISMATCH",
            f"{one.address} has host bits where the wildcard is; the network is {network_address}.",
            right,
            "notice",
        )
    if not any(one.covers(address.ip) for interface in configuration.interfaces for address in interface.addresses):
        return (
            "OSPF_NETWORK_UNUSED",
            "no interface has an address in it, so it does nothing.",
            _meant(configuration, one),
            "warning",
        )
    return None


def _meant(configuration: Configuration, one: NetworkStatement) -> str:
    """The statement for the only interface that no other statement covers."""
    process = configuration.ospf or Ospf()
    left: list[IPv4Interface] = [
        interface.address
        for interface in configuration.interfaces
        if interface.address and process.area_of(interface) is None
    ]
    return _statement(left[0].network, one.area) if len(left) == 1 else ""


def _statement(network: IPv4Network, area: str) -> str:
    return f"network {network.network_address} {network.hostmask} area {area}"


def _written(one: NetworkStatement) -> str:
    return f"network {one.address} {one.wildcard} area {one.area}"
