"""Configuration commands that the FRR router carries out, checked as IOS checks them."""

import re
from ipaddress import IPv4Address, IPv4Interface, IPv4Network

from studium.tutor.devices.ios.session import CliMode, Session
from studium.tutor.ios.addresses import (
    can_be_host,
    classful,
    is_address,
    mask_complaint,
    mask_length,
    network_of,
    wildcard_length,
)
from studium.tutor.ios.parser import ParsedCommand

NEEDS_TAG = (
    "% Configuring IP routing on a LAN subinterface is only allowed if that\n"
    "subinterface is already configured as part of an IEEE 802.10, IEEE 802.1Q,\nor ISL vLAN."
)


def interface(session: Session, said: ParsedCommand) -> str:
    """Enter an interface; those that FRR cannot have are simulated."""
    name = said.args[0]
    linux = session.names.linux(name)
    parent, dot, _ = name.partition(".")
    known = linux or name.startswith("Vlan") or (dot and session.names.linux(parent))
    if not known or name == "Null0":
        return "%Invalid interface type and number"
    section = f"interface {name}"
    session.place = CliMode("if", "(config-subif)" if dot else "(config-if)", section, linux and f"interface {linux}")
    if not linux:
        session.kept.open(section)
        return ""
    return session.configure(under=session.place.frr) if linux.startswith("lo") else ""


def no_interface(session: Session, said: ParsedCommand) -> str:
    """Remove a virtual interface."""
    name = said.args[0]
    linux = session.names.linux(name)
    session.kept.close(f"interface {name}")
    if not linux:
        return ""
    if not name.startswith("Loopback"):
        return "% Physical interfaces can not be removed"
    removals = [f"no {line}" for line in session.section(f"interface {linux}")]
    said_back = session.configure(*removals, under=f"interface {linux}") if removals else ""
    return said_back or session.configure(f"no interface {linux}")


def address(session: Session, said: ParsedCommand) -> str:
    """Set an interface's address if IOS would accept it."""
    host, mask = said.args[:2]
    section = session.place.section
    name = section.removeprefix("interface ")
    if complaint := mask_complaint(host, mask):
        return complaint if complaint.startswith("Bad mask 0x") else f"% {complaint}"
    wanted = IPv4Interface(f"{host}/{mask_length(mask)}")
    if overlap := _overlap(session, name, wanted):
        return overlap
    if session.place.frr is None:
        return _keep_address(session, said)
    secondary = said.words[-1] == "secondary"
    had = session.addresses().get(name, [])
    # What comes first is the primary address, unless a secondary one was typed before any
    primary = session.kept.primary.setdefault(name, str(had[0]) if had else "")
    old = [f"no ip address {primary}"] if primary and not secondary and primary != str(wanted) else []
    if not secondary:
        session.kept.primary[name] = str(wanted)
    session.kept.drop(section, "ip address dhcp")
    return session.configure(*old, f"ip address {wanted}", under=session.place.frr)


def _keep_address(session: Session, said: ParsedCommand) -> str:
    section = session.place.section
    if "." in section and session.kept.value(section, "encapsulation") is None:
        return NEEDS_TAG
    session.kept.keep(section, said.text, 99 if said.words[-1] == "secondary" else 2)
    return ""


def _overlap(session: Session, name: str, wanted: IPv4Interface) -> str | None:
    taken = session.addresses()
    for section in session.kept.sections:
        if section.startswith("interface ") and (kept := session.kept.value(section, "ip address")) and kept != "dhcp":
            host, mask = kept.split()[:2]
            taken.setdefault(section.removeprefix("interface "), []).append(IPv4Interface(f"{host}/{mask}"))
    for other, addresses in taken.items():
        if other != name and any(each.network.overlaps(wanted.network) for each in addresses):
            return f"% {wanted.network.network_address} overlaps with {other}"
    return None


def no_address(session: Session, said: ParsedCommand) -> str:
    """Remove one address or all of them."""
    section, frr = session.place.section, session.place.frr
    session.kept.drop(section, "ip address")
    if frr is None:
        return ""
    name = section.removeprefix("interface ")
    had = session.addresses().get(name, [])
    if said.args:
        host, mask = said.args[:2]
        had = [each for each in had if (str(each.ip), str(each.netmask)) == (host, mask)]
        if not had:
            return "% Invalid address"
    if session.kept.primary.get(name) in {str(each) for each in had}:
        del session.kept.primary[name]
    return session.configure(*(f"no ip address {each}" for each in had), under=frr) if had else ""


def no_address6(session: Session, _: ParsedCommand) -> str:
    """Remove all IPv6 addresses."""
    session.kept.drop(session.place.section, "ipv6 address")
    frr = session.place.frr
    had = [line for line in session.section(frr) if line.startswith("ipv6 address ")] if frr else []
    return session.configure(*(f"no {line}" for line in had), under=frr) if had else ""


def shutdown(session: Session, said: ParsedCommand) -> str:
    """Shut an interface down or enable it."""
    if session.place.frr:
        return session.configure(said.text, under=session.place.frr)
    if said.words[0] == "no":
        session.kept.drop(session.place.section, "shutdown")
    else:
        session.kept.keep(session.place.section, "shutdown", 1)
    return ""


def description(session: Session, said: ParsedCommand) -> str:
    """Set an interface's description; text that FRR would misread is kept on our side."""
    no_description(session, said)
    if session.place.frr and not set("|;?!") & set(said.args[0]):
        return session.configure(said.text, under=session.place.frr)
    session.kept.keep(session.place.section, said.text, 1)
    return ""


def no_description(session: Session, _: ParsedCommand) -> str:
    """Remove an interface's description."""
    session.kept.drop(session.place.section, "description")
    frr = session.place.frr
    described = frr and any(line.startswith("description") for line in session.section(frr))
    return session.configure("no description", under=frr) if described else ""


def interface_area(session: Session, said: ParsedCommand) -> str:
    """Run OSPF on this interface."""
    process, area = said.args
    if session.kept.ospf_process != process and any(each.header == "router ospf" for each in session.sections()):
        return f"% OSPF process {session.kept.ospf_process} is already running; this router runs one process"
    session.kept.ospf_process = process
    return session.configure("router ospf", "exit", session.place.frr or "", f"ip ospf area {area}")


def no_interface_area(session: Session, _: ParsedCommand) -> str:
    """Stop OSPF on this interface."""
    return session.configure("no ip ospf area", under=session.place.frr)


def frr_rip(session: Session, said: ParsedCommand) -> str:
    """Set split horizon, which FRR has for RIP only."""
    return session.configure(said.text.replace("ip split", "ip rip split"), under=session.place.frr)


INTERFACE_HANDLERS = {
    "interface": interface,
    "no_interface": no_interface,
    "address": address,
    "no_address": no_address,
    "no_address6": no_address6,
    "shutdown": shutdown,
    "description": description,
    "no_description": no_description,
    "interface_area": interface_area,
    "no_interface_area": no_interface_area,
    "frr_rip": frr_rip,
}


NO_ROUTER_ID = "%OSPF-4-NORTRID: OSPF process {process} failed to allocate unique router-id and cannot start"
NO_GATEWAY = "%Default route without gateway, if not a point-to-point interface, may impact performance"


def route(session: Session, said: ParsedCommand) -> str:
    """Add a static route if IOS would accept it."""
    network, mask, hop = said.args[:3]
    if complaint := _route_complaint(session, network, mask, hop):
        return complaint
    answer = session.configure(_frr_route(session, said.args))
    if mask_length(mask) == 0 and not any(map(is_address, said.args[2:])) and hop != "Null0":
        return answer or NO_GATEWAY
    return answer


def _route_complaint(session: Session, network: str, mask: str, hop: str) -> str | None:
    if mask_length(mask) is None or network_of(network, mask) is None:
        return "% Inconsistent address and mask"
    if not is_address(hop):
        return None if session.names.linux(hop) else "%Invalid interface type and number"
    own = {each.ip for addresses in session.addresses().values() for each in addresses}
    if IPv4Address(hop) in own:
        return "% Invalid next hop address (it's this router)"
    if not can_be_host(hop):
        return "% Invalid next hop address"
    return None


def _frr_route(session: Session, args: tuple[str, ...]) -> str:
    network, mask, *rest = args
    hops = [session.names.linux(each) or each for each in rest]
    # FRR wants the gateway before the interface
    if len(hops) > 1 and is_address(hops[1]):
        hops[0], hops[1] = hops[1], hops[0]
    return " ".join(("ip route", f"{network}/{mask_length(mask)}", *hops))


def no_route(session: Session, said: ParsedCommand) -> str:
    """Remove a static route, or all of them to a network."""
    if mask_length(said.args[1]) is None or network_of(*said.args[:2]) is None:
        return "% Inconsistent address and mask"
    start = _frr_route(session, said.args)
    present = [each.header for each in session.sections() if f"{each.header} ".startswith(f"{start} ")]
    return session.configure(*(f"no {line}" for line in present)) if present else "% No matching route to delete"


def ospf(session: Session, said: ParsedCommand) -> str:
    """Enter the OSPF process; FRR has a single one for all process numbers."""
    process = said.args[0]
    running = any(each.header == "router ospf" for each in session.sections())
    if running and session.kept.ospf_process != process:
        return f"% OSPF process {session.kept.ospf_process} is already running; this router runs one process"
    session.kept.ospf_process = process
    entered = _enter(session, "ospf", f"router ospf {process}", "router ospf")
    if running or any(session.addresses().values()):
        return entered
    return entered or NO_ROUTER_ID.format(process=process)


def no_ospf(session: Session, said: ParsedCommand) -> str:
    """Remove the OSPF process and its interface settings."""
    if session.kept.ospf_process != said.args[0]:
        return ""
    left = [each.header for each in session.sections() if "ip ospf passive" in each.lines]
    for header in left:
        session.configure("no ip ospf passive", under=header)
    return session.configure("no router ospf")


def router(session: Session, said: ParsedCommand) -> str:
    """Enter a routing protocol without a process number."""
    protocol = said.command.target
    return _enter(session, protocol, f"router {protocol}", f"router {protocol}")


def bgp(session: Session, said: ParsedCommand) -> str:
    """Enter BGP; a new process exchanges routes without a policy, as on IOS."""
    number = said.args[0]
    running = [each.header.split()[2] for each in session.sections() if each.header.startswith("router bgp ")]
    if running and number not in running:
        return f"BGP is already running; AS is {running[0]}"
    header = f"router bgp {number}"
    entered = _enter(session, "bgp", header, header)
    return entered if running else entered or session.configure("no bgp ebgp-requires-policy", under=header)


def _enter(session: Session, grammar: str, section: str, frr: str) -> str:
    answer = session.configure(under=frr)
    if not answer.startswith("%"):
        session.place = CliMode(grammar, "(config-router)", section, frr)
    return answer


def no_router(session: Session, said: ParsedCommand) -> str:
    """Remove a protocol."""
    text = " ".join(said.words[1:])
    session.kept.close(text)
    return session.configure(said.text) if any(each.header == text for each in session.sections()) else ""


def router6(session: Session, _: ParsedCommand) -> str:
    """Enter an IPv6 routing protocol, which needs IPv6 routing first."""
    if session.kept.value("", "ipv6 unicast-routing") is None:
        return "% IPv6 routing not enabled"
    return "% This router has no IPv6 routing protocols; use static routes"


def ospf_network(session: Session, said: ParsedCommand) -> str:
    """Run OSPF on the interfaces in a range."""
    start, wildcard, area = said.args
    length = wildcard_length(wildcard)
    if length is None:
        return "% OSPF: Invalid address/mask combination (discontiguous mask)"
    prefix = IPv4Network((start, length), strict=False)
    if said.words[0] != "no":
        other = _area_of(session, prefix)
        # A second area for the very same range replaces the first in IOS; FRR refuses it
        before = [f"no network {prefix} area {other}"] if other and other != area else []
        return session.configure(*before, f"network {prefix} area {area}", under="router ospf")
    return session.configure(f"no network {prefix} area {area}", under="router ospf")


def _area_of(session: Session, prefix: IPv4Network) -> str | None:
    start = f"network {prefix} area "
    return next((each.removeprefix(start) for each in session.section("router ospf") if each.startswith(start)), None)


def router_id(session: Session, said: ParsedCommand) -> str:
    """Set OSPF's router id."""
    return session.configure(f"ospf router-id {said.args[0]}", under="router ospf")


def no_router_id(session: Session, _: ParsedCommand) -> str:
    """Let OSPF choose its router id."""
    return session.configure("no ospf router-id", under="router ospf")


def passive(session: Session, said: ParsedCommand) -> str:
    """Make an interface passive; FRR stores this with the interface for OSPF."""
    linux = session.names.linux(said.args[0])
    if linux is None:
        return "%Invalid interface type and number"
    no = "no " if said.words[0] == "no" else ""
    if session.place.grammar == "ospf":
        return session.configure(f"{no}ip ospf passive", under=f"interface {linux}")
    return session.configure(f"{no}passive-interface {linux}", under=session.place.frr)


def redistribute(session: Session, said: ParsedCommand) -> str:
    """Redistribute routes; `subnets` and process numbers exist on IOS only."""
    text = re.sub(r" subnets\b", "", said.text)
    text = re.sub(r"\b(ospf|bgp) \d+", r"\1", text)
    return session.configure(text, under=session.place.frr)


def rip_network(session: Session, said: ParsedCommand) -> str:
    """Run RIP on the interfaces of a classful network."""
    no = "no " if said.words[0] == "no" else ""
    return session.configure(f"{no}network {classful(said.args[0])}", under="router rip")


def timers(session: Session, said: ParsedCommand) -> str:
    """Set RIP's timers; FRR lacks the hold-down timer of IOS."""
    if said.words[0] == "no":
        return session.configure("no timers basic", under="router rip")
    update, invalid, *_, flush = said.args
    return session.configure(f"timers basic {update} {invalid} {flush}", under="router rip")


def bgp_network(session: Session, said: ParsedCommand) -> str:
    """Announce a network; without a mask, a classful one."""
    start, *mask = said.args
    network = network_of(start, mask[0]) if mask else classful(start)
    if network is None or (not mask and str(network.network_address) != start):
        return "% BGP: Incorrect network or mask configured"
    no = "no " if said.words[0] == "no" else ""
    return session.configure(f"{no}network {network}", under=session.place.frr)


ROUTING_HANDLERS = {
    "route": route,
    "no_route": no_route,
    "ospf": ospf,
    "no_ospf": no_ospf,
    "router": router,
    "no_router": no_router,
    "bgp": bgp,
    "router6": router6,
    "ospf_network": ospf_network,
    "router_id": router_id,
    "no_router_id": no_router_id,
    "passive": passive,
    "redistribute": redistribute,
    "rip_network": rip_network,
    "timers": timers,
    "bgp_network": bgp_network,
}
