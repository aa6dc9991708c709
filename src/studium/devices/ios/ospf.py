"""What OSPF shows, as IOS shows it."""

import json
from ipaddress import IPv4Address
from typing import Any

from studium.devices.ios.grammar import Understood
from studium.devices.ios.names import short_name
from studium.devices.ios.session import Session

STATES = {"Point-To-Point": "P2P", "Backup": "BDR", "Loopback": "LOOP", "DROther": "DROTH"}


def neighbors(session: Session, _: Understood) -> str:
    """OSPF's neighbours."""
    said = session.ask("show ip ospf neighbor json")
    found = json.loads(said[said.find("{") :]).get("neighbors", {}) if "{" in said else {}
    lines = [_neighbor(session, router, each) for router, several in found.items() for each in several]
    heading = "Neighbor ID     Pri   State           Dead Time   Address         Interface"
    return "\n".join((heading, *lines)) if lines else ""


def _neighbor(session: Session, router: str, said: dict[str, Any]) -> str:
    state, _, role = str(said.get("nbrState") or said.get("state", "")).partition("/")
    role = {"Backup": "BDR", "DROther": "DROTHER", "-": "  -"}.get(role, role)
    seconds = int(said.get("deadTimeMsecs", said.get("routerDeadIntervalTimerDueMsec", 0))) // 1000
    dead = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    linux = str(said.get("ifaceName", "")).split(":")[0]
    address = said.get("address") or said.get("ifaceAddress", "")
    priority = said.get("priority", said.get("nbrPriority", 1))
    full = f"{state.upper()}/{role}"
    return f"{router:<15} {priority:>3}   {full:<15} {dead}    {address:<15} {session.names.ios(linux) or linux}"


def ospf_status(session: Session, _: Understood) -> str:
    """How OSPF is doing; without an address or an id to call itself by, it is not running."""
    sections = {section.header: section.lines for section in session.sections()}
    process = sections.get("router ospf")
    if process is None:
        return ""
    if not any(session.addresses().values()) and not any("router-id" in line for line in process):
        return f"%OSPF: Router process {session.kept.ospf_process} is not running, please configure a router-id"
    return session.names.to_ios(session.ask("show ip ospf"))


def ospf_interface(session: Session, said: Understood) -> str:
    """OSPF's view of its interfaces."""
    name = session.names.linux(said.args[-1]) if said.args and not said.args[-1].isdigit() else ""
    return session.names.to_ios(session.ask(f"show ip ospf interface {name}".rstrip()))


def ospf_brief(session: Session, _: Understood) -> str:
    """OSPF's interfaces, one a line."""
    said = session.ask("show ip ospf interface json")
    found = json.loads(said[said.find("{") :]).get("interfaces", {}) if "{" in said else {}
    lines = [_brief_line(session, linux, each) for linux, each in found.items() if each.get("ospfEnabled")]
    return "\n".join(("Interface    PID   Area            IP Address/Mask    Cost  State Nbrs F/C", *lines))


def _brief_line(session: Session, linux: str, said: dict[str, Any]) -> str:
    name = short_name(session.names.ios(linux) or linux)
    area = int(IPv4Address(said["area"].split()[0]))
    address = f"{said['ipAddress']}/{said['ipAddressPrefixlen']}"
    state = STATES.get(said["state"], said["state"].upper())
    count = f"{said.get('nbrAdjacentCount', 0)}/{said.get('nbrCount', 0)}"
    process = session.kept.ospf_process
    return f"{name:<12} {process:<5} {area:<15} {address:<18} {said['cost']:<5} {state:<5} {count}"


HANDLERS = {
    "neighbors": neighbors,
    "ospf_status": ospf_status,
    "ospf_interface": ospf_interface,
    "ospf_brief": ospf_brief,
}
