"""The faults that can be injected into a lab."""

import re
from collections.abc import Iterator
from ipaddress import IPv4Network, ip_address, ip_network

from studium.tutor.domain import Lab
from studium.tutor.labs.finished_lab import GLOBAL_SECTION, AddressedCable, Fault, FaultBuilder, FinishedLab

_ADDRESS = re.compile(r"ip address (?P<address>\S+) (?P<mask>\S+)")


def shutdown_faults(plan: FinishedLab) -> Iterator[Fault]:
    """Interfaces that are shut down."""
    for router in plan.network.routers:
        for link in plan.network.links_of(router):
            port = link.end(router).port
            section = f"interface {port}"
            if plan.configurations[router].stands(section, "no shutdown"):
                making = FaultBuilder(plan, router, section, "addressing")
                yield making.fault(
                    "shutdown", ("shutdown",), ("no shutdown",), plan.checks_needing_link(link), port=port
                )


def mask_faults(plan: FinishedLab) -> Iterator[Fault]:
    """Masks so narrow that the hosts of a LAN are outside the subnet."""
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
                    making = FaultBuilder(plan, router, section, topic)
                    fails = plan.checks_needing_link(lan)
                    told = {"port": lan.end(router).port, "wrong": wrong, "right": found["mask"]}
                    yield making.fault("mask", broken, right, fails, **told)


def _narrow_mask(lan: AddressedCable, router: str) -> str | None:
    """A mask that leaves the router a host's address, but none of its hosts in its subnet."""
    own, host = lan.end(router).address, lan.far(router).address
    for length in range(own.network.prefixlen + 2, 31):
        narrow = ip_network(f"{own.ip}/{length}", strict=False)
        usable = own.ip not in {narrow.network_address, narrow.broadcast_address}
        if usable and ip_address(str(host.ip)) not in narrow:
            return str(narrow.netmask)
    return None


_STATIC = re.compile(r"ip route (?P<network>\S+) (?P<mask>\S+) (?P<hop>\d+\.\d+\.\d+\.\d+)")
_NETWORK = re.compile(r"network (?P<address>\S+)(?: mask (?P<mask>\S+)| (?P<wildcard>\d\S+))?(?: area (?P<area>\S+))?")
_REMOTE = re.compile(r"neighbor (?P<address>\S+) remote-as (?P<number>\d+)")
_HELLO = "ip ospf hello-interval"
_STRANGE_HELLO = 7
_STRANGE_AREA = "9"


def static_route_faults(plan: FinishedLab) -> Iterator[Fault]:
    """Static routes that are missing or point to an unused address."""
    for router, configuration in plan.configurations.items():
        for line in configuration.lines(GLOBAL_SECTION):
            found = _STATIC.fullmatch(line)
            over = _link_of(plan, router, found["hop"]) if found else None
            if not found or not over:
                continue
            network = str(ip_network(f"{found['network']}/{found['mask']}"))
            topic = "default_route" if network == "0.0.0.0/0" else "static_routing"
            making, fails = (
                FaultBuilder(plan, router, GLOBAL_SECTION, topic),
                plan.checks_towards(network, router, over),
            )
            yield making.fault("no_route", (f"no {line}",), (line,), fails, network=network)
            if wrong := _strange_hop(plan, router, over):
                bad = f"ip route {found['network']} {found['mask']} {wrong}"
                told = {"network": network, "wrong": wrong, "right": found["hop"]}
                yield making.fault("next_hop", (f"no {line}", bad), (f"no {bad}", line), fails, **told)


def ospf_faults(plan: FinishedLab) -> Iterator[Fault]:
    """OSPF neighbours that do not form: wrong area, wrong hello interval, passive interface."""
    for router, configuration in plan.configurations.items():
        for section in configuration.sections("router ospf"):
            for link in plan.network.transit(router):
                fails = plan.checks_needing_link(link, "ospf")
                yield from _wrong_area(plan, router, section, link)
                yield from _wrong_hello(plan, router, link, fails)
                yield from _passive(plan, router, section, link)


def rip_faults(plan: FinishedLab) -> Iterator[Fault]:
    """A passive interface towards a RIP neighbour."""
    for router, configuration in plan.configurations.items():
        for section in configuration.sections("router rip"):
            for link in plan.network.transit(router):
                yield from _passive(plan, router, section, link)


def network_statement_faults(plan: FinishedLab) -> Iterator[Fault]:
    """Missing network statements."""
    for router, configuration in plan.configurations.items():
        for section in configuration.sections("router "):
            protocol = section.split()[1]
            for line in configuration.lines(section):
                found = _NETWORK.fullmatch(line)
                if found:
                    network = _covered(found)
                    making = FaultBuilder(plan, router, section, protocol)
                    fails = _unspoken(plan, router, protocol, network)
                    told = {"network": str(network), "protocol": protocol.upper()}
                    yield making.fault("no_network", (f"no {line}",), (line,), fails, **told)


def remote_as_faults(plan: FinishedLab) -> Iterator[Fault]:
    """BGP neighbours with the wrong remote AS."""
    for router, configuration in plan.configurations.items():
        for section in configuration.sections("router bgp"):
            for line in configuration.lines(section):
                found = _REMOTE.fullmatch(line)
                link = _link_of(plan, router, found["address"]) if found else None
                if found and link:
                    neighbor, right = found["address"], found["number"]
                    wrong = str(int(right) + 9)
                    making = FaultBuilder(plan, router, section, "bgp")
                    told = {"neighbor": neighbor, "wrong": wrong, "right": right}
                    broken = (f"neighbor {neighbor} remote-as {wrong}",)
                    yield making.fault("remote_as", broken, (line,), plan.checks_needing_link(link, "bgp"), **told)


def _wrong_area(plan: FinishedLab, router: str, section: str, link: AddressedCable) -> Iterator[Fault]:
    for line in plan.configurations[router].lines(section):
        found = _NETWORK.fullmatch(line)
        if found and found["area"] and _covered(found) == link.network:
            bad = line.removesuffix(found["area"]) + _STRANGE_AREA
            told = {"network": str(link.network), "wrong": _STRANGE_AREA, "right": found["area"]}
            making = FaultBuilder(plan, router, section, "ospf")
            broken, whole = (f"no {line}", bad), (f"no {bad}", line)
            yield making.fault("ospf_area", broken, whole, plan.checks_needing_link(link, "ospf"), **told)


def _wrong_hello(plan: FinishedLab, router: str, link: AddressedCable, fails: list[str]) -> Iterator[Fault]:
    port = link.end(router).port
    section = f"interface {port}"
    lines = plan.configurations[router].lines(section)
    whole = next((line for line in lines if line.startswith(_HELLO)), f"no {_HELLO}")
    making = FaultBuilder(plan, router, section, "ospf")
    broken = (f"{_HELLO} {_STRANGE_HELLO}",)
    yield making.fault("ospf_hello", broken, (whole,), fails, port=port, wrong=str(_STRANGE_HELLO))


def _passive(plan: FinishedLab, router: str, section: str, link: AddressedCable) -> Iterator[Fault]:
    port, protocol = link.end(router).port, section.split()[1]
    line = f"passive-interface {port}"
    if plan.configurations[router].stands(section, f"no {line}"):
        making = FaultBuilder(plan, router, section, protocol)
        # Passive RIP still listens: only the other side loses its routes.
        fails = plan.checks_needing_link(link, protocol) if protocol == "ospf" else _deaf(plan, router, link)
        yield making.fault("passive", (line,), (f"no {line}",), fails, port=port, protocol=protocol.upper())


def _deaf(plan: FinishedLab, router: str, link: AddressedCable) -> list[str]:
    heard = {check.id for check in plan.lab.checks if check.device == router and check.kind in {"route", "neighbor"}}
    return [name for name in plan.checks_needing_link(link, "rip") if name not in heard]


def _unspoken(plan: FinishedLab, router: str, protocol: str, network: IPv4Network) -> list[str]:
    """The checks that fail without a network statement: those over a link, or those that need a LAN."""
    fails: list[str] = []
    for link in plan.network.transit(router):
        if protocol != "bgp" and link.network.subnet_of(network):
            fails += plan.checks_needing_link(link, protocol)
    for lan in plan.network.lans(router):
        if lan.network.subnet_of(network):
            fails += plan.checks_of_lan(lan, router, protocol)
    return fails


def _covered(found: re.Match[str]) -> IPv4Network:
    """The network of a statement; without a mask it is a class, as RIP has it."""
    address = found["address"]
    first = int(address.partition(".")[0])
    length = found["mask"] or found["wildcard"] or str(8 if first < 128 else 16 if first < 192 else 24)  # noqa: PLR2004
    return IPv4Network(f"{address}/{length}", strict=False)


def _link_of(plan: FinishedLab, router: str, address: str) -> AddressedCable | None:
    links = plan.network.links_of(router)
    return next((link for link in links if str(link.far(router).address.ip) == address), None)


def _strange_hop(plan: FinishedLab, router: str, over: AddressedCable) -> str | None:
    """An unused address on another link of the router, or else nearby."""
    for link in [*plan.network.lans(router), over]:
        taken = {str(end.address.ip) for end in link.ends}
        free = (str(host) for host in reversed(list(link.network.hosts())[:254]) if str(host) not in taken)
        if found := next(free, None):
            return found
    return None


_MAKERS = (
    static_route_faults,
    ospf_faults,
    rip_faults,
    network_statement_faults,
    remote_as_faults,
    mask_faults,
    shutdown_faults,
)


def faults_for(lab: Lab, topic: str | None = None) -> list[Fault]:
    """The faults of a lab or topic, the fastest to show first; each breaks at least one check."""
    plan = FinishedLab(lab)
    found = {fault.id: fault for make in _MAKERS for fault in make(plan) if fault.fails}
    chosen = (fault for fault in found.values() if topic in {None, fault.topic})
    return sorted(chosen, key=lambda fault: fault.shows_within)
