"""Show commands of OSPF, interfaces, protocols and the configuration."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from ipaddress import IPv4Address, IPv4Interface
from typing import Any, TypedDict

from studium.tutor.devices.ios import show_routes
from studium.tutor.devices.ios.running_config import SIMULATED_VERSION, render
from studium.tutor.devices.ios.session import NOT_RUNNING, Session
from studium.tutor.ios.interface_names import short_interface_name
from studium.tutor.ios.parser import ParsedCommand

STATES = {"Point-To-Point": "P2P", "Backup": "BDR", "Loopback": "LOOP", "DROther": "DROTH"}


def neighbors(session: Session, _: ParsedCommand) -> str:
    """Show OSPF's neighbours."""
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


def ospf_status(session: Session, _: ParsedCommand) -> str:
    """Show the OSPF process; it does not run without a router id."""
    sections = {section.header: section.lines for section in session.sections()}
    process = sections.get("router ospf")
    if process is None:
        return ""
    if not any(session.addresses().values()) and not any("router-id" in line for line in process):
        return f"%OSPF: Router process {session.kept.ospf_process} is not running, please configure a router-id"
    return session.names.to_ios(session.ask("show ip ospf"))


def ospf_interface(session: Session, said: ParsedCommand) -> str:
    """Show OSPF's interfaces in detail."""
    name = session.names.linux(said.args[-1]) if said.args and not said.args[-1].isdigit() else ""
    return session.names.to_ios(session.ask(f"show ip ospf interface {name}".rstrip()))


def ospf_brief(session: Session, _: ParsedCommand) -> str:
    """Show OSPF's interfaces, one per line."""
    said = session.ask("show ip ospf interface json")
    found = json.loads(said[said.find("{") :]).get("interfaces", {}) if "{" in said else {}
    lines = [_brief_line(session, linux, each) for linux, each in found.items() if each.get("ospfEnabled")]
    return "\n".join(("Interface    PID   Area            IP Address/Mask    Cost  State Nbrs F/C", *lines))


def _brief_line(session: Session, linux: str, said: dict[str, Any]) -> str:
    name = short_interface_name(session.names.ios(linux) or linux)
    area = int(IPv4Address(said["area"].split()[0]))
    address = f"{said['ipAddress']}/{said['ipAddressPrefixlen']}"
    state = STATES.get(said["state"], said["state"].upper())
    count = f"{said.get('nbrAdjacentCount', 0)}/{said.get('nbrCount', 0)}"
    process = session.kept.ospf_process
    return f"{name:<12} {process:<5} {area:<15} {address:<18} {said['cost']:<5} {state:<5} {count}"


OSPF_SHOW_HANDLERS = {
    "neighbors": neighbors,
    "ospf_status": ospf_status,
    "ospf_interface": ospf_interface,
    "ospf_brief": ospf_brief,
}


NO_INTERFACE = "%Invalid interface type and number"


def running(session: Session, _: ParsedCommand) -> str:
    """The running configuration."""
    text = render(session).text()
    return f"Building configuration...\n\nCurrent configuration : {len(text.encode())} bytes\n!\n{text}"


def running_interface(session: Session, said: ParsedCommand) -> str:
    """The running configuration of one interface."""
    block = render(session).interface(said.args[0])
    if block is None:
        return NO_INTERFACE
    text = "\n".join((*block, "end"))
    return f"Building configuration...\n\nCurrent configuration : {len(text.encode())} bytes\n!\n{text}"


def startup(session: Session, _: ParsedCommand) -> str:
    """Show the startup configuration."""
    text = session.kept.startup
    return f"Using {len(text.encode())} out of 262136 bytes\n!\n{text}" if text else "startup-config is not present"


def version(session: Session, _: ParsedCommand) -> str:
    """Show the software version."""
    beneath = session.ask("show version").splitlines()
    frr = next((line for line in beneath if "FRR" in line), "").split("(")[0].strip()
    return (
        f"IOS command line, version {SIMULATED_VERSION}, in front of {frr or 'a router'}\n\n{session.kept.hostname} "
        f"has {len(session.names.all)} interfaces\n\nConfiguration register is 0x2102"
    )


def history(session: Session, _: ParsedCommand) -> str:
    """Show the last commands."""
    return "\n".join(f"  {line}" for line in session.typed[-10:])


class InterfaceState(TypedDict, total=False):
    """What FRR says of an interface, by its own keys."""

    administrativeStatus: str
    operationalStatus: str
    hardwareAddress: str
    type: str
    description: str
    mtu: int
    speed: int
    ipAddresses: list[dict[str, Any]]


def states(session: Session) -> Iterable[tuple[str, InterfaceState]]:
    """All visible interfaces with FRR's state of each."""
    said = session.ask("show interface json")
    found: dict[str, InterfaceState] = json.loads(said[said.find("{") :]) if "{" in said else {}
    named = {name: state for linux, state in found.items() if (name := session.names.ios(linux))}
    if (
        not any(state.get("ipAddresses") for state in [named.get("Loopback0", {})])
        and "Loopback0" not in session.names.all
    ):
        named.pop("Loopback0", None)
    order = {name: at for at, name in enumerate(session.names.all)}
    yield from sorted(named.items(), key=lambda pair: (order.get(pair[0], len(order)), pair[0]))


def _status(state: InterfaceState) -> tuple[str, str]:
    if state.get("administrativeStatus") != "up":
        return "administratively down", "down"
    line = "up" if state.get("operationalStatus") == "up" else "down"
    return line, line


def brief(session: Session, _: ParsedCommand) -> str:
    """Show interfaces, addresses and states, one per line."""
    addresses = session.addresses()
    lines = [f"{'Interface':<26} {'IP-Address':<15} OK? Method {'Status':<21} Protocol"]
    for name, state in states(session):
        status, protocol = _status(state)
        own = addresses.get(name)
        address, method = (str(own[0].ip), "manual") if own else ("unassigned", "unset")
        lines.append(f"{name:<26} {address:<15} YES {method:<6} {status:<21} {protocol:<8}")
    return "\n".join(lines)


def brief6(session: Session, _: ParsedCommand) -> str:
    """Show interfaces and their IPv6 addresses."""
    lines = []
    for name, state in states(session):
        status, protocol = _status(state)
        own = [each["address"].split("/")[0] for each in state.get("ipAddresses", []) if ":" in each["address"]]
        lines.append(f"{name:<26} [{status}/{protocol}]")
        lines += [f"    {each.upper()}" for each in own or ["unassigned"]]
    return "\n".join(lines)


def interfaces(session: Session, said: ParsedCommand) -> str:
    """Show all interfaces or one in detail."""
    addresses = session.addresses()
    wanted = [pair for pair in states(session) if not said.args or pair[0] == said.args[0]]
    return "\n".join(_interface(name, state, addresses.get(name, [])) for name, state in wanted) or NO_INTERFACE


def _interface(name: str, state: InterfaceState, own: list[IPv4Interface]) -> str:
    status, protocol = _status(state)
    digits = str(state.get("hardwareAddress", "")).replace(":", "")
    hardware = ".".join((digits[:4], digits[4:8], digits[8:])) if digits else "0000.0000.0000"
    lines = [
        f"{name} is {status}, line protocol is {protocol}",
        f"  Hardware is {state.get('type', 'Ethernet')}, address is {hardware} (bia {hardware})",
        *([f"  Description: {state['description']}"] if state.get("description") else []),
        *([f"  Internet address is {own[0]}"] if own else []),
        f"  MTU {min(int(state.get('mtu', 1500)), 17916)} bytes, BW {int(state.get('speed', 0)) * 1000} Kbit/sec",
    ]
    return "\n".join(lines)


def ip_interface(session: Session, said: ParsedCommand) -> str:
    """Show the IPv4 settings of all interfaces or of one."""
    addresses = session.addresses()
    blocks = []
    for name, state in states(session):
        if not said.args or name == said.args[0]:
            status, protocol = _status(state)
            own = addresses.get(name)
            address = f"  Internet address is {own[0]}" if own else "  Internet protocol processing disabled"
            blocks.append(f"{name} is {status}, line protocol is {protocol}\n{address}")
    return "\n".join(blocks) or NO_INTERFACE


def descriptions(session: Session, _: ParsedCommand) -> str:
    """Show interfaces with states and descriptions."""
    lines = [f"{'Interface':<30} {'Status':<14} Protocol Description"]
    for name, state in states(session):
        status, protocol = _status(state)
        shown = "admin down" if status.startswith("admin") else status
        lines.append(
            f"{short_interface_name(name):<30} {shown:<14} {protocol:<8} {state.get('description', '')}".rstrip()
        )
    return "\n".join(lines)


def clock(_session: Session, _: ParsedCommand) -> str:
    """Show the time."""
    now = datetime.now(UTC)
    return f"*{now:%H:%M:%S}.{now.microsecond // 1000:03} UTC {now:%a %b} {now.day} {now.year}"


def protocols(session: Session, _: ParsedCommand) -> str:
    """Show the routing protocols from their configuration."""
    blocks = []
    lines = render(session).text().splitlines()
    for at, header in enumerate(lines):
        if header.startswith("router "):
            rest = lines[at + 1 :]
            end = next(place for place, line in enumerate(rest) if not line.startswith(" "))
            blocks.append(_protocol(header.removeprefix("router "), [line.strip() for line in rest[:end]]))
    return "\n\n".join(blocks)


def _protocol(name: str, lines: list[str]) -> str:
    distance = {"ospf": "110", "rip": "120", "bgp": "external 20 internal 200 local 200"}[name.split(maxsplit=1)[0]]
    found = [f'Routing Protocol is "{name}"']
    found += [f"  Router ID {line.split()[-1]}" for line in lines if "router-id" in line]
    networks = [f"    {' '.join(line.split()[1:])}" for line in lines if line.startswith("network ")]
    passive = [f"    {line.split()[-1]}" for line in lines if line.startswith("passive-interface")]
    neighbours = [f"    {line.split()[1]}" for line in lines if " remote-as " in line]
    for title, members in (
        ("Routing for Networks:", networks),
        ("Passive Interface(s):", passive),
        ("Neighbor(s):", neighbours),
    ):
        found += [f"  {title}", *members] if members else []
    return "\n".join((*found, f"  Distance: (default is {distance})"))


def passed(session: Session, said: ParsedCommand) -> str:
    """Pass a show command on whose FRR output is close to that of IOS."""
    answer = session.ask(said.command.target)
    if NOT_RUNNING.match(answer):
        return "% BGP not active" if answer.startswith("bgp") else ""
    return session.names.to_ios(answer)


def passed_same(session: Session, said: ParsedCommand) -> str:
    """Pass a show command on with its arguments."""
    return session.names.to_ios(session.ask(said.text))


def vlans(session: Session, _: ParsedCommand) -> str:
    """Show the VLANs."""
    lines = [
        "VLAN Name                             Status",
        f"---- {'-' * 32} {'-' * 9}",
        f"1    {'default':<32} active",
    ]
    numbers = sorted(int(name.split()[1]) for name in session.kept.sections if name.startswith("vlan "))
    for number in numbers:
        name = session.kept.value(f"vlan {number}", "name") or f"VLAN{number:04}"
        lines.append(f"{number:<4} {name:<32} active")
    return "\n".join(lines)


def access_lists(session: Session, _: ParsedCommand) -> str:
    """Show the access lists."""
    numbered = [line for line in session.kept.lines("") if line.startswith("access-list ")]
    named = [name for name in session.kept.sections if name.startswith("ip access-list ")]
    blocks = [
        [f"{name.split()[2].title()} IP access list {name.split()[3]}", *session.kept.lines(name)] for name in named
    ]
    return "\n".join((*numbered, *("\n    ".join(block) for block in blocks)))


SHOW_HANDLERS = {
    **show_routes.ROUTE_SHOW_HANDLERS,
    **OSPF_SHOW_HANDLERS,
    "running": running,
    "running_interface": running_interface,
    "startup": startup,
    "version": version,
    "history": history,
    "brief": brief,
    "brief6": brief6,
    "interfaces": interfaces,
    "ip_interface": ip_interface,
    "descriptions": descriptions,
    "clock": clock,
    "protocols": protocols,
    "pass": passed,
    "pass_same": passed_same,
    "vlans": vlans,
    "access_lists": access_lists,
}
