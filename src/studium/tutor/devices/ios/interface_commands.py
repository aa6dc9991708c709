"""Commands of the interface mode that the router beneath carries out, checked as IOS checks them."""

from ipaddress import IPv4Interface

from studium.tutor.devices.ios.addresses import mask_complaint, mask_length
from studium.tutor.devices.ios.grammar import ParsedCommand
from studium.tutor.devices.ios.session import CliMode, Session

NEEDS_TAG = (
    "% Configuring IP routing on a LAN subinterface is only allowed if that\n"
    "subinterface is already configured as part of an IEEE 802.10, IEEE 802.1Q,\nor ISL vLAN."
)


def interface(session: Session, said: ParsedCommand) -> str:
    """Enter an interface; those that the router beneath cannot have are kept."""
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
    """Remove an interface that was made by naming it."""
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
    """Give an interface its address in place of the old one, if IOS would."""
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
    """Take an address away, or all of them."""
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
    """Take every IPv6 address away."""
    session.kept.drop(session.place.section, "ipv6 address")
    frr = session.place.frr
    had = [line for line in session.section(frr) if line.startswith("ipv6 address ")] if frr else []
    return session.configure(*(f"no {line}" for line in had), under=frr) if had else ""


def shutdown(session: Session, said: ParsedCommand) -> str:
    """Shut an interface down or bring it up."""
    if session.place.frr:
        return session.configure(said.text, under=session.place.frr)
    if said.words[0] == "no":
        session.kept.drop(session.place.section, "shutdown")
    else:
        session.kept.keep(session.place.section, "shutdown", 1)
    return ""


def description(session: Session, said: ParsedCommand) -> str:
    """Say what an interface is for; signs that the router beneath would take for its own stay with us."""
    no_description(session, said)
    if session.place.frr and not set("|;?!") & set(said.args[0]):
        return session.configure(said.text, under=session.place.frr)
    session.kept.keep(session.place.section, said.text, 1)
    return ""


def no_description(session: Session, _: ParsedCommand) -> str:
    """Forget what an interface is for."""
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
    """Split horizon, which the router beneath has for RIP alone."""
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
