"""Silent mistakes of RIP."""

from collections.abc import Iterator

from studium.domain.lab import Diagnosis
from studium.workflows.tutor.configuration.model import Configuration, Interface, classful
from studium.workflows.tutor.configuration.topology import Topology, mistake

_CURRENT = 2


def versions(topology: Topology) -> Iterator[Diagnosis]:
    """Neighbours that speak different versions of RIP."""
    seen: set[str] = set()
    for one, other in topology.sides():
        here, there = (topology.configurations.get(end.device) for end in (one, other))
        if not (here and here.rip and there and there.rip) or one.device in seen:
            continue
        if here.rip.version != _CURRENT and there.rip.version == _CURRENT:
            seen.add(one.device)
            diagnosis = f"RIP is not set to version 2 as on {other.device}; they do not take each other's updates."
            yield mistake("RIP_VERSION_MISMATCH", one.device, diagnosis, "router rip", "version 2")


def not_announced(topology: Topology) -> Iterator[Diagnosis]:
    """An interface that no network statement of RIP takes in."""
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
                yield mistake(
                    "RIP_NETWORK_MISSING", device, diagnosis, "router rip", f"network {network}", severity=severity
                )


def _is_forgotten(configuration: Configuration, interface: Interface) -> bool:
    """Whether it is a LAN that nothing else (another protocol, a redistribution) accounts for."""
    elsewhere = configuration.bgp or configuration.ospf or (configuration.rip and configuration.rip.redistributes)
    return not elsewhere and configuration.is_lan(interface)
