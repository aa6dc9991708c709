"""The finished lab: its network, its target configuration, and which checks a change breaks."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from ipaddress import IPv4Interface, IPv4Network, ip_address, ip_interface, ip_network
from typing import Final

from studium.core.domain.value import Value
from studium.core.yaml_files import load_yaml
from studium.tutor.domain import Cable, Lab, LabCheck, LabDevice, Port


@dataclass(frozen=True)
class CableEnd:
    """One end of a link: a device, its port, and the address it has there."""

    device: str
    port: str
    address: IPv4Interface


@dataclass(frozen=True)
class AddressedCable:
    """A cable between two devices whose addresses are known."""

    one: CableEnd
    other: CableEnd

    @property
    def ends(self) -> tuple[CableEnd, CableEnd]:
        """Both ends."""
        return self.one, self.other

    @property
    def network(self) -> IPv4Network:
        """The subnet on the cable."""
        return self.one.address.network

    def end(self, device: str) -> CableEnd:
        """The end at a device."""
        return self.one if self.one.device == device else self.other

    def far(self, device: str) -> CableEnd:
        """The end that is not at a device."""
        return self.other if self.one.device == device else self.one


class LabNetwork:
    """The devices of a lab and the links between them."""

    def __init__(self, lab: Lab) -> None:
        """Index the lab's links; those without addresses are left out."""
        self._devices = {device.name: device for device in lab.devices}
        self.links = [link for cable in lab.cables if (link := self._link(cable))]
        self.routers = [device.name for device in lab.devices if device.kind == "router"]

    def links_of(self, device: str) -> list[AddressedCable]:
        """The links of a device."""
        return [link for link in self.links if device in {end.device for end in link.ends}]

    def transit(self, device: str) -> list[AddressedCable]:
        """The links of a router to other routers."""
        return [link for link in self.links_of(device) if link.far(device).device in self.routers]

    def lans(self, device: str) -> list[AddressedCable]:
        """The links of a router to hosts."""
        return [link for link in self.links_of(device) if link.far(device).device not in self.routers]

    def owner(self, address: str) -> str | None:
        """The device that has an address."""
        return self._owners.get(address)

    def owners_of(self, network: str) -> set[str]:
        """The routers that are connected to a network."""
        wanted = ip_network(network, strict=False)
        ends = [end for link in self.links if link.network == wanted for end in link.ends]
        return {end.device for end in ends if end.device in self.routers}

    def reach(self, device: str, without: AddressedCable | None = None) -> set[str]:
        """All devices that a device can reach, optionally without one link."""
        seen, waiting = {device}, [device]
        while waiting:
            here = waiting.pop()
            for link in self.links_of(here):
                there = link.far(here).device
                if link is not without and there not in seen:
                    seen.add(there)
                    waiting.append(there)
        return seen

    def passes(self, source: str, target: str, link: AddressedCable) -> bool:
        """Whether every path between two devices uses a link."""
        return target in self.reach(source) and target not in self.reach(source, without=link)

    def meets_first(self, source: str, router: str, link: AddressedCable) -> bool:
        """Whether a path from a device reaches this router's end of a link before the other end."""
        near = self.reach(source, without=link)
        return router in near and link.far(router).device not in near

    def host_addresses(self, device: str) -> list[str]:
        """The source addresses of a host; empty for a router, whose choice is unknown."""
        return [] if device in self.routers else [str(link.end(device).address.ip) for link in self.links_of(device)]

    def is_inside(self, address: str, network: str) -> bool:
        """Whether an address belongs to a network."""
        return ip_address(address) in ip_network(network, strict=False)

    @cached_property
    def _owners(self) -> dict[str, str]:
        return {str(end.address.ip): end.device for link in self.links for end in link.ends}

    def _link(self, cable: Cable) -> AddressedCable | None:
        one, other = self._end(cable.one), self._end(cable.other)
        return AddressedCable(one, other) if one and other else None

    def _end(self, written: str) -> CableEnd | None:
        name, _, port = written.partition(":")
        device = self._devices.get(name)
        found = _port(device, port) if device else None
        if not found or not found.address:
            return None
        address = ip_interface(found.address.replace(" ", "/"))
        return CableEnd(name, port, address) if isinstance(address, IPv4Interface) else None


def _port(device: LabDevice, name: str) -> Port | None:
    return next((port for port in device.ports if port.name == name), None)


_SECTION: Final = re.compile(r"(?:interface|router|line|vlan)\s+\S")
# A section has one line of each of these: a new one replaces the old.
_SINGLE: Final = re.compile(
    r"ip address|ip ospf \S+|description|hostname|version|router-id|bgp router-id|neighbor \S+ remote-as"
)
GLOBAL_SECTION: Final = ""


class TargetConfig:
    """The configuration of one router after start and solution were entered."""

    def __init__(self, *texts: str) -> None:
        """Apply configurations in order."""
        self._lines: dict[str, list[str]] = {GLOBAL_SECTION: []}
        for text in texts:
            self._type(text)

    def lines(self, section: str) -> list[str]:
        """The lines of a section such as `router ospf 1`; the global lines for an empty name."""
        return self._lines.get(section, [])

    def sections(self, beginning: str) -> Iterator[str]:
        """The names of the sections that start with a prefix."""
        return (name for name in self._lines if name.startswith(beginning))

    def stands(self, section: str, line: str) -> bool:
        """Whether a line is active; `no …` is active if the line itself is missing."""
        lines = self.lines(section)
        return line.removeprefix("no ") not in lines if line.startswith("no ") else line in lines

    def expects(self, text: str) -> bool:
        """Whether all lines that a check expects are active."""
        return all(self.stands(section, line) for section, line in _typed(text))

    def after(self, commands: tuple[str, ...]) -> "TargetConfig":
        """The configuration after more commands in configuration mode."""
        changed = TargetConfig()
        changed._lines = {name: list(lines) for name, lines in self._lines.items()}
        changed._type("\n".join(commands))
        return changed

    def _type(self, text: str) -> None:
        for section, line in _typed(text):
            lines = self._lines.setdefault(section, [])
            if line.startswith("no "):
                lines[:] = [other for other in lines if other != line.removeprefix("no ")]
                continue
            single = _SINGLE.match(line)
            if single:
                lines[:] = [other for other in lines if not other.startswith(single[0] + " ")]
            if line not in lines:
                lines.append(line)


def target_config(lab: Lab, device: str) -> TargetConfig:
    """The configuration of a router of a lab when the lab is done."""
    return TargetConfig(lab.start.get(device, ""), lab.solution.get(device, ""))


def _typed(text: str) -> Iterator[tuple[str, str]]:
    """The lines with their sections; an unindented line ends a section only if it does not fit into it."""
    section = GLOBAL_SECTION
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if line in {"", "!", "exit", "end", "configure terminal"}:
            section = section if line == "" else GLOBAL_SECTION
        elif _SECTION.match(line):
            section = line
        elif raw.startswith(" ") or section:
            yield section, line
        else:
            yield GLOBAL_SECTION, line


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


class FinishedLab:
    """A lab with its solution applied."""

    def __init__(self, lab: Lab) -> None:
        """Take the lab."""
        self.lab = lab
        self.network = LabNetwork(lab)

    @cached_property
    def configurations(self) -> dict[str, TargetConfig]:
        """The configuration of every router."""
        return {name: target_config(self.lab, name) for name in self.network.routers}

    def checks_of_lines(self, device: str, commands: tuple[str, ...]) -> list[str]:
        """The config checks that a change breaks."""
        changed = self.configurations[device].after(commands)
        return [
            check.id
            for check in self.lab.checks
            if check.kind == "config" and check.device == device and not changed.expects(check.expect)
        ]

    def checks_needing_link(self, link: AddressedCable, protocol: str = "") -> list[str]:
        """The checks that need a link, or a routing protocol on it."""
        return [check.id for check in self.lab.checks if self._needs(check, link, protocol)]

    def checks_towards(self, network: str, router: str, over: AddressedCable) -> list[str]:
        """The checks that need a router's route to a network over one of its links."""
        return [check.id for check in self.lab.checks if self._needs_way(check, network, router, over)]

    def checks_of_lan(self, lan: AddressedCable, router: str, protocol: str) -> list[str]:
        """The checks that need a router to announce its LAN to the others."""
        return [check.id for check in self.lab.checks if self._needs_announcement(check, lan, router, protocol)]

    def first_title(self, fails: Iterable[str]) -> str:
        """The title of the first failing check, preferably one about behaviour."""
        titles = {check.id: (check.kind == "config", check.title) for check in self.lab.checks}
        return min((titles[name] for name in fails), default=(True, "Everything works"), key=lambda one: one[0])[1]

    def _needs(self, check: LabCheck, link: AddressedCable, protocol: str) -> bool:
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

    def _needs_way(self, check: LabCheck, network: str, router: str, over: AddressedCable) -> bool:
        net = self.network
        if check.kind == "route":
            via_it = not check.via or net.is_inside(check.via, str(over.network))
            return check.device == router and check.target == network and via_it
        owner = net.owner(check.target) if check.kind == "ping" else None
        if owner is None or not net.passes(check.device, owner, over):
            return False
        # A ping also needs a route back.
        ways = [(check.device, check.target), *((owner, own) for own in net.host_addresses(check.device))]
        return any(
            net.is_inside(target, network)
            and not net.is_inside(target, str(over.network))
            and net.meets_first(source, router, over)
            for source, target in ways
        )

    def _needs_announcement(self, check: LabCheck, lan: AddressedCable, router: str, protocol: str) -> bool:
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
        """Whether a host is directly connected to a router."""
        return any(link.far(router).device == device for link in self.network.lans(router))

    def _is_called(self, device: str, link: AddressedCable, name: str) -> bool:
        lines = [line for section in self._routing(device) for line in self.configurations[device].lines(section)]
        identity = {found[1] for line in lines if (found := _ROUTER_ID.fullmatch(line))}
        return name in identity or name == str(link.end(device).address.ip)

    def _routing(self, device: str) -> list[str]:
        return list(self.configurations[device].sections("router ")) if device in self.configurations else []


# How long routers keep a silent neighbour: OSPF's dead interval, RIP's timeout, a BGP session's hold time.
_SECONDS: Final = {"ospf": 45.0, "rip": 200.0, "bgp": 185.0}
_AT_ONCE: Final = 10.0


class FaultBuilder:
    """Builds faults in one section of one router's configuration."""

    def __init__(self, plan: FinishedLab, device: str, section: str, topic: str) -> None:
        """Set the finished lab and the section for the faults."""
        self._plan = plan
        self._device = device
        self._section = section
        self._topic = topic

    def fault(
        self, kind: str, broken: tuple[str, ...], whole: tuple[str, ...], fails: Sequence[str], **told: str
    ) -> Fault:
        """Build a fault of a kind; `fails` are checks it breaks beside the config checks."""
        entering = () if self._section == GLOBAL_SECTION else (self._section,)
        lines = self._plan.checks_of_lines(self._device, (*entering, *broken))
        broken_checks = [check.id for check in self._plan.lab.checks if check.id in {*lines, *fails}]
        place = told.get("port") or told.get("network") or told.get("neighbor") or ""
        return Fault(
            id=f"{kind}-{self._device}-{place}".replace("_", "-").replace("/", "-").replace(" ", "-").lower(),
            topic=self._topic,
            device=self._device,
            commands=("configure terminal", *entering, *broken, "end"),
            mending=("configure terminal", *entering, *whole, "end"),
            question=_wording()["question"].format(title=self._plan.first_title(broken_checks)),
            cause=_wording()[kind].format(device=self._device, **told),
            fails=tuple(broken_checks),
            shows_within=_SECONDS.get(self._topic, _AT_ONCE),
        )


@cache
def _wording() -> dict[str, str]:
    text = files(__package__).joinpath("fault_wording.yaml").read_text(encoding="utf-8")
    wording: dict[str, str] = load_yaml(text, name="fault_wording.yaml")
    return wording
