"""Faults of interfaces: one that is shut down, one with a wrong mask."""

import re
from collections.abc import Iterator
from ipaddress import ip_address, ip_network

from studium.workflows.tutor.faults.making import Making
from studium.workflows.tutor.faults.network import Link
from studium.workflows.tutor.faults.plan import Fault, Plan

_ADDRESS = re.compile(r"ip address (?P<address>\S+) (?P<mask>\S+)")


def shut_interfaces(plan: Plan) -> Iterator[Fault]:
    """An interface that somebody switched off."""
    for router in plan.network.routers:
        for link in plan.network.links_of(router):
            port = link.end(router).port
            section = f"interface {port}"
            if plan.configurations[router].stands(section, "no shutdown"):
                making = Making(plan, router, section, "addressing")
                yield making.fault("shutdown", ("shutdown",), ("no shutdown",), plan.checks_over(link), port=port)


def wrong_masks(plan: Plan) -> Iterator[Fault]:
    """A mask so narrow that the hosts of a LAN are outside of it."""
    topic = "subnetting" if "subnetting" in plan.lab.topics else "addressing"
    for router in plan.network.routers:
        for lan in plan.network.lans(router):
            section = f"interface {lan.end(router).port}"
            for line in plan.configurations[router].lines(section):
                found = _ADDRESS.fullmatch(line)
                wrong = _narrow_mask(lan, router) if found else None
                if found and wrong:
                    right = (line,)
                    broken = (f"ip address {found['address']} {wrong}",)
                    making = Making(plan, router, section, topic)
                    fails = plan.checks_over(lan)
                    told = {"port": lan.end(router).port, "wrong": wrong, "right": found["mask"]}
                    yield making.fault("mask", broken, right, fails, **told)


def _narrow_mask(lan: Link, router: str) -> str | None:
    """A mask that leaves the router a host's address, but none of its hosts in its subnet."""
    own, host = lan.end(router).address, lan.far(router).address
    for length in range(own.network.prefixlen + 2, 31):
        narrow = ip_network(f"{own.ip}/{length}", strict=False)
        usable = own.ip not in {narrow.network_address, narrow.broadcast_address}
        if usable and ip_address(str(host.ip)) not in narrow:
            return str(narrow.netmask)
    return None
