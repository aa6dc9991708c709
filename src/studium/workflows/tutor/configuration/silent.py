"""Silent mistakes: what devices took without a word, although it is wrong."""

from collections.abc import Mapping

from studium.domain.lab import Diagnosis, Lab
from studium.workflows.tutor.configuration import addressing, bgp, distance_vector, ospf, routing
from studium.workflows.tutor.configuration.model import Configuration
from studium.workflows.tutor.configuration.topology import Topology

_CHECKS = (
    addressing.left_shut_down,
    addressing.no_host_addresses,
    addressing.overlaps,
    addressing.duplicates,
    addressing.cable_ends,
    addressing.not_as_planned,
    routing.next_hops,
    routing.host_bits,
    routing.wildcards_as_masks,
    routing.default_without_gateway,
    ospf.areas,
    ospf.timers,
    ospf.passive_links,
    ospf.statements,
    ospf.not_covered,
    ospf.router_ids,
    distance_vector.versions,
    distance_vector.not_announced,
    bgp.sessions,
    bgp.unknown_networks,
)
_WEIGHTS = ("error", "warning", "notice")


def silent_mistakes(configurations: Mapping[str, Configuration], lab: Lab | None = None) -> list[Diagnosis]:
    """All silent mistakes in the configurations of a lab's devices, the gravest first."""
    topology = Topology(configurations, lab)
    found = [diagnosis for check in _CHECKS for diagnosis in check(topology)]
    return sorted(found, key=lambda diagnosis: _WEIGHTS.index(diagnosis.metadata["severity"]))
