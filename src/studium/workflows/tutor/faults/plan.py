"""What a fault is made from: the finished lab, its net, and which checks a change must break."""

import re
from collections.abc import Iterable
from functools import cached_property

from studium.core.domain.value import Value
from studium.domain.lab import Lab, LabCheck
from studium.workflows.tutor.faults.intended import Intended, intended
from studium.workflows.tutor.faults.network import Link, Network

_ROUTER_ID = re.compile(r"(?:bgp )?router-id (\S+)")


class Fault(Value):
    """A fault for a student to find.

    `commands` break the finished lab and `mending` makes it whole again, both typed on `device` in privileged mode;
    `fails` are checks that cannot hold while the fault is in (others may fail as well), once `shows_within` seconds
    have passed; `cause` is the answer.
    """

    id: str
    topic: str
    device: str
    commands: tuple[str, ...]
    mending: tuple[str, ...]
    question: str
    cause: str
    fails: tuple[str, ...] = ()
    shows_within: float = 10.0


class Plan:
    """A lab that is done."""

    def __init__(self, lab: Lab) -> None:
        """Take the lab."""
        self.lab = lab
        self.network = Network(lab)

    @cached_property
    def configurations(self) -> dict[str, Intended]:
        """The configuration of every router."""
        return {name: intended(self.lab, name) for name in self.network.routers}

    def checks_of_lines(self, device: str, commands: tuple[str, ...]) -> list[str]:
        """The checks that look for lines which are not there after a change."""
        changed = self.configurations[device].after(commands)
        return [
            check.id
            for check in self.lab.checks
            if check.kind == "config" and check.device == device and not changed.expects(check.expect)
        ]

    def checks_over(self, link: Link, protocol: str = "") -> list[str]:
        """The checks that need a link; or only what a routing protocol carries over it."""
        return [check.id for check in self.lab.checks if self._needs(check, link, protocol)]

    def checks_towards(self, network: str, router: str, over: Link) -> list[str]:
        """The checks that need a router to know the way to a network over one of its links."""
        return [check.id for check in self.lab.checks if self._needs_way(check, network, router, over)]

    def checks_of_lan(self, lan: Link, router: str, protocol: str) -> list[str]:
        """The checks that need a router to announce its LAN to the others."""
        return [check.id for check in self.lab.checks if self._needs_announcement(check, lan, router, protocol)]

    def first_title(self, fails: Iterable[str]) -> str:
        """What no longer holds, in the words of the lab: of behaviour, if possible."""
        titles = {check.id: (check.kind == "config", check.title) for check in self.lab.checks}
        return min((titles[name] for name in fails), default=(True, "Everything works"), key=lambda one: one[0])[1]

    def _needs(self, check: LabCheck, link: Link, protocol: str) -> bool:
        net, ends = self.network, {end.device for end in link.ends}
        if check.kind == "neighbor":
            is_other = check.device in ends and self._is_called(link.far(check.device).device, link, check.target)
            return is_other and protocol in {"", check.protocol}
        if check.kind == "route":
            if check.protocol == "connected":
                return not protocol and check.device in ends and check.target == str(link.network)
            if protocol not in {"", check.protocol}:
                return False
            over = bool(check.via) and net.is_inside(check.via, str(link.network)) and check.device in ends
            owners = net.owners_of(check.target)
            return over or (bool(owners) and all(net.passes(check.device, owner, link) for owner in owners))
        owner = net.owner(check.target) if check.kind == "ping" else None
        if owner is None or not net.passes(check.device, owner, link):
            return False
        # Neighbours on one cable need no protocol to reach each other's end of it.
        return not protocol or not (check.device in ends and net.is_inside(check.target, str(link.network)))

    def _needs_way(self, check: LabCheck, network: str, router: str, over: Link) -> bool:
        net = self.network
        if check.kind == "route":
            via_it = not check.via or net.is_inside(check.via, str(over.network))
            return check.device == router and check.target == network and via_it
        owner = net.owner(check.target) if check.kind == "ping" else None
        if owner is None or not net.passes(check.device, owner, over):
            return False
        # A ping must also find its way back.
        ways = [(check.device, check.target), *((owner, own) for own in net.host_addresses(check.device))]
        return any(
            net.is_inside(target, network)
            and not net.is_inside(target, str(over.network))
            and net.meets_first(source, router, over)
            for source, target in ways
        )

    def _needs_announcement(self, check: LabCheck, lan: Link, router: str, protocol: str) -> bool:
        net = self.network
        if check.kind == "route":
            return check.protocol == protocol and check.target == str(lan.network) and check.device != router
        if check.kind != "ping":
            return False
        host, owner = lan.far(router).device, net.owner(check.target)
        if owner is None or host not in {check.device, owner}:
            return False
        outside = owner if check.device == host else check.device
        return outside != router and not self._is_host_of(outside, router)

    def _is_host_of(self, device: str, router: str) -> bool:
        """Whether a host stands at a router, which then knows the way without being told."""
        return any(link.far(router).device == device for link in self.network.lans(router))

    def _is_called(self, device: str, link: Link, name: str) -> bool:
        lines = [line for section in self._routing(device) for line in self.configurations[device].lines(section)]
        identity = {found[1] for line in lines if (found := _ROUTER_ID.fullmatch(line))}
        return name in identity or name == str(link.end(device).address.ip)

    def _routing(self, device: str) -> list[str]:
        return list(self.configurations[device].sections("router ")) if device in self.configurations else []
