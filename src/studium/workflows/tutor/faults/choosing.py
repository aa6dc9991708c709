"""The faults that can be put into a lab."""

from studium.domain.lab import Lab
from studium.workflows.tutor.faults.interfaces import shut_interfaces, wrong_masks
from studium.workflows.tutor.faults.plan import Fault, Plan
from studium.workflows.tutor.faults.routing import (
    missing_networks,
    ospf_links,
    rip_links,
    static_routes,
    wrong_remote_as,
)

_MAKERS = (static_routes, ospf_links, rip_links, missing_networks, wrong_remote_as, wrong_masks, shut_interfaces)


def faults_for(lab: Lab, topic: str | None = None) -> list[Fault]:
    """The faults of a lab, or those of one topic, the quickest to show first; each breaks at least one check."""
    plan = Plan(lab)
    found = {fault.id: fault for make in _MAKERS for fault in make(plan) if fault.fails}
    chosen = (fault for fault in found.values() if topic in {None, fault.topic})
    return sorted(chosen, key=lambda fault: fault.shows_within)
