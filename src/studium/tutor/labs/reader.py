"""Read and validate the folder of a lab; reports all mistakes together, with line numbers."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Interface, ip_address, ip_interface
from pathlib import Path

from studium.core.documents.files import display_path, has_valid_name, read_text
from studium.core.domain.errors import NotFound
from studium.core.domain.finding import Finding, Locator, Severity
from studium.tutor.domain import Lab
from studium.tutor.labs.lab_yaml import LabMistake, YamlNode, build_lab, nearest_name, parse_yaml

_NO_EDGES = {"4": 31, "6": 127}  # from this length on a subnet has neither a network nor a broadcast address


@dataclass(frozen=True)
class DeviceIndex:
    """The devices of a lab with the address of each port, if valid."""

    routers: frozenset[str]
    hosts: frozenset[str]
    ports: dict[str, dict[str, IPv4Interface | IPv6Interface | None]] = field(default_factory=dict)

    @property
    def devices(self) -> frozenset[str]:
        """The names of all of them."""
        return self.routers | self.hosts


def index_devices(lab: YamlNode) -> DeviceIndex:
    """Index the devices of a lab; invalid ones are left out."""
    kinds = {device.at("name").text: device.at("kind").text for device in lab.at("devices").each()}
    hosts = frozenset(name for name, kind in kinds.items() if kind == "host")
    ports = {
        device.at("name").text: {
            port.at("name").text: _interface(port.at("address").text) for port in device.at("ports").each()
        }
        for device in lab.at("devices").each()
    }
    return DeviceIndex(frozenset(kinds) - hosts - {""}, hosts - {""}, ports)


def check_topology(lab: YamlNode, plan: DeviceIndex) -> Iterator[LabMistake]:
    """Find mistakes in devices, addresses and cables."""
    yield from find_duplicates([device.at("name") for device in lab.at("devices").each()], "device")
    addresses: dict[str, YamlNode] = {}
    for device in lab.at("devices").each():
        yield from find_duplicates([port.at("name") for port in device.at("ports").each()], "port")
        for port in device.at("ports").each():
            yield from _check_address(port.at("address"), addresses)
        yield from _check_gateway(device, plan)
    yield from _check_cables(lab, plan)


def find_duplicates(names: list[YamlNode], what: str) -> Iterator[LabMistake]:
    """Report duplicate names."""
    first: dict[str, YamlNode] = {}
    for name in names:
        if name.text and first.setdefault(name.text, name) is not name:
            message = f"There is a {what} `{name.text}` already, on line {first[name.text].line}."
            yield LabMistake("twice", name.line, message)


def _interface(text: str) -> IPv4Interface | IPv6Interface | None:
    try:
        return ip_interface(text) if "/" in text else None
    except ValueError:
        return None


def _check_address(given: YamlNode, seen: dict[str, YamlNode]) -> Iterator[LabMistake]:
    if not given.text:
        return
    interface = _interface(given.text)
    if interface is None:
        message = f"`{given.text}` is not an address with a prefix length, such as 192.168.1.1/24."
        yield LabMistake("address", given.line, message)
        return
    network = interface.network
    if network.prefixlen < _NO_EDGES[str(network.version)]:
        if interface.ip == network.network_address:
            yield LabMistake("address", given.line, f"`{given.text}` is the address of the subnet itself.")
        elif isinstance(interface, IPv4Interface) and interface.ip == network.broadcast_address:
            yield LabMistake("address", given.line, f"`{given.text}` is the broadcast address of {network}.")
    if (first := seen.setdefault(str(interface.ip), given)) is not given:
        yield LabMistake("twice", given.line, f"The address {interface.ip} is given twice, first on line {first.line}.")


def _check_gateway(device: YamlNode, plan: DeviceIndex) -> Iterator[LabMistake]:
    gateway, name = device.at("gateway"), device.at("name").text
    if not gateway.text:
        return
    if name not in plan.hosts:
        yield LabMistake("gateway", gateway.line, f"`{name}` is a router; only hosts have a gateway.")
        return
    try:
        address = ip_address(gateway.text)
    except ValueError:
        yield LabMistake("address", gateway.line, f"`{gateway.text}` is not an address.")
        return
    subnets = [interface.network for interface in plan.ports[name].values() if interface]
    if subnets and not any(address in subnet for subnet in subnets):
        shown = ", ".join(map(str, subnets))
        yield LabMistake("gateway", gateway.line, f"The gateway {address} is not in a subnet of `{name}` ({shown}).")


def _check_cables(lab: YamlNode, plan: DeviceIndex) -> Iterator[LabMistake]:
    plugged: dict[str, YamlNode] = {}
    for cable in lab.at("cables").each():
        ends = [cable.at(end) for end in ("one", "other")]
        faults = [fault for end in ends for fault in _check_end(end, plan)]
        for end in ends:
            if not faults and plugged.setdefault(end.text, cable) is not cable:
                faults.append(LabMistake("cable", end.line, f"`{end.text}` has a cable already; a port takes one."))
        if ends[0].text and ends[0].text == ends[1].text:
            faults.append(LabMistake("cable", ends[1].line, f"The cable joins `{ends[1].text}` to itself."))
        yield from faults
        if not faults:
            yield from _check_subnet(ends, plan)


def _check_end(end: YamlNode, plan: DeviceIndex) -> Iterator[LabMistake]:
    """Check one end of a cable; a missing one is reported with the keys."""
    device, colon, port = (part.strip() for part in end.text.partition(":"))
    if not end.text:
        return
    if not colon or not port:
        message = f"`{end.text}` is not a cable end; write the device and its port: `r1:GigabitEthernet0/0`."
        yield LabMistake("cable", end.line, message)
    elif device not in plan.ports:
        yield LabMistake("unknown", end.line, f"There is no device `{device}`. {nearest_name(device, plan.devices)}")
    elif port not in plan.ports[device]:
        near = nearest_name(port, plan.ports[device])
        yield LabMistake("unknown", end.line, f"`{device}` has no port `{port}`. {near}")


def _check_subnet(ends: list[YamlNode], plan: DeviceIndex) -> Iterator[LabMistake]:
    pairs = [[part.strip() for part in end.text.split(":", 1)] for end in ends if end.text]
    interfaces = [plan.ports[device][port] for device, port in pairs]
    known = [interface for interface in interfaces if interface]
    if len({interface.network for interface in known}) > 1:
        message = f"The ends of this cable are in different subnets: {known[0]} and {known[1]}."
        yield LabMistake("subnet", ends[0].line, message)


_NEEDS = {"config": ("expect",), "ping": ("target",), "route": ("target",), "neighbor": ("target", "protocol")}
_TAKES = {**_NEEDS, "route": ("target", "protocol", "via")}
_PROTOCOLS = {"connected", "static", "rip", "ospf", "bgp"}
_NEIGHBORLY = {"rip", "ospf", "bgp"}
_MADE_BY_TYPING = ("loopback", "tunnel")  # interfaces that are there once they are configured


def check_goals(lab: YamlNode, plan: DeviceIndex) -> Iterator[LabMistake]:
    """Find mistakes in checks and hints."""
    for key in ("title", "goal"):
        if key in lab.children and lab.at(key).value is not None and not lab.at(key).text:
            yield LabMistake("missing", lab.at(key).line, f"`{key}` is empty; say it in a sentence.")
    for key in ("devices", "checks"):
        if not lab.at(key).children:
            yield LabMistake("missing", lab.at(key).line, f"A lab needs `{key}`; there are none.")
    for key in ("start", "solution"):
        for name, text in lab.at(key).items():
            yield from _check_configuration(name, text, plan)
    yield from find_duplicates([check.at("id") for check in lab.at("checks").each()], "check")
    for check in lab.at("checks").each():
        yield from _check_check(check, plan)
    yield from _check_hints(lab)


def _check_configuration(device: str, text: YamlNode, plan: DeviceIndex) -> Iterator[LabMistake]:
    if device in plan.hosts:
        yield LabMistake("host", text.line, f"`{device}` is a host; only routers are configured by commands.")
        return
    if device not in plan.devices:
        yield LabMistake("unknown", text.line, f"There is no device `{device}`. {nearest_name(device, plan.routers)}")
        return
    ports = {_plain(port) for port in plan.ports[device]}
    for number, line in enumerate(str(text.value or "").splitlines()):
        named = re.match(r"\s*interface\s+(\S.*)", line.rstrip())
        if named and not _plain(named[1]).startswith(_MADE_BY_TYPING) and _plain(named[1]) not in ports:
            near = nearest_name(named[1], plan.ports[device])
            message = f"`{device}` has no port `{named[1]}`. {near}"
            yield LabMistake("unknown", text.text_line + number, message)


def _plain(port: str) -> str:
    return "".join(port.split()).lower()


def _check_check(check: YamlNode, plan: DeviceIndex) -> Iterator[LabMistake]:
    device, kind = check.at("device"), check.at("kind").text
    if device.text and device.text not in plan.devices:
        message = f"There is no device `{device.text}`. {nearest_name(device.text, plan.devices)}"
        yield LabMistake("unknown", device.line, message)
    if kind not in _NEEDS:
        return
    if device.text in plan.hosts and kind != "ping":
        yield LabMistake("host", device.line, f"`{device.text}` is a host; a host can only be checked by ping.")
    for key in _NEEDS[kind]:
        if not check.at(key).text:
            yield LabMistake("missing", check.line, f"A check of kind `{kind}` needs `{key}`.")
    for key in ("target", "protocol", "via", "expect"):
        if check.at(key).text and key not in _TAKES[kind]:
            yield LabMistake("value", check.at(key).line, f"A check of kind `{kind}` has no `{key}`.")
    yield from _check_values(check, kind)


def _check_values(check: YamlNode, kind: str) -> Iterator[LabMistake]:
    target, protocol, via = check.at("target"), check.at("protocol"), check.at("via")
    fault = _network_fault if kind == "route" and "/" in target.text else _address_fault
    if kind != "config" and target.text and (said := fault(target.text)):
        yield LabMistake("address", target.line, said)
    known = _PROTOCOLS if kind == "route" else _NEIGHBORLY
    if "protocol" in _TAKES[kind] and protocol.text and protocol.text not in known:
        yield LabMistake(
            "unknown", protocol.line, f"`{protocol.text}` is not a protocol. {nearest_name(protocol.text, known)}"
        )
    if via.text and (said := _address_fault(via.text)):
        yield LabMistake("address", via.line, said)


def _address_fault(text: str) -> str:
    try:
        IPv4Address(text)
    except ValueError:
        return f"`{text}` is not an IPv4 address."
    return ""


def _network_fault(text: str) -> str:
    try:
        network = IPv4Network(text, strict=False)
    except ValueError:
        return f"`{text}` is not a network such as 192.168.2.0/24."
    if str(network.network_address) == text.partition("/")[0]:
        return ""
    return f"`{text}` is not where a subnet begins; that is {network}."


def _check_hints(lab: YamlNode) -> Iterator[LabMistake]:
    known = {check.at("id").text for check in lab.at("checks").each()} - {""}
    seen: dict[tuple[str, int], YamlNode] = {}
    for hint in lab.at("hints").each():
        check, level = hint.at("check"), hint.at("level").value
        if check.text and check.text not in known:
            yield LabMistake(
                "unknown", check.line, f"There is no check `{check.text}`. {nearest_name(check.text, known)}"
            )
        if "text" in hint.children and hint.at("text").value is not None and not hint.at("text").text:
            yield LabMistake("missing", hint.at("text").line, "The hint says nothing.")
        if isinstance(level, int) and seen.setdefault((check.text, level), hint) is not hint:
            message = f"There is a hint of level {level} for `{check.text}` already."
            yield LabMistake("twice", hint.line, message)


LAB_FILE = "lab.yaml"
_MAX_BYTES = 1_000_000


@dataclass(frozen=True)
class LabReadResult:
    """A lab, or None, and the findings about it."""

    lab: Lab | None
    findings: tuple[Finding, ...] = ()


def read_lab(folder: Path) -> LabReadResult:
    """Read a lab; its documents are named by their paths below the folder."""
    path = folder / LAB_FILE
    file = read_text(path, max_bytes=_MAX_BYTES)
    if file.text is None:
        return LabReadResult(None, file.findings)
    tree, mistakes = parse_yaml(file.text)
    if tree is None:
        return LabReadResult(None, _findings(path, mistakes))
    lab, misshapen = build_lab(tree)
    mistakes += misshapen
    if isinstance(tree.value, dict):
        mistakes += _check_id(tree, folder)
        plan = index_devices(tree)
        mistakes += [*check_topology(tree, plan), *check_goals(tree, plan)]
    if mistakes or lab is None:
        return LabReadResult(None, _findings(path, mistakes))
    instructions = read_text(folder / "instructions.md")
    named = (found.relative_to(folder).as_posix() for found in folder.glob("docs/*.md"))
    documents = tuple(sorted(filter(has_valid_name, named)))
    made = lab.model_copy(update={"instructions": instructions.text or "", "documents": documents})
    return LabReadResult(made, tuple(_softened(finding) for finding in instructions.findings))


def list_lab_folders(folders: Iterable[Path]) -> dict[str, Path]:
    """The labs in these folders by id; later folders win."""
    found = (path.parent for folder in folders for path in sorted(folder.glob(f"*/{LAB_FILE}")))
    return {path.name: path for path in found if has_valid_name(path)}


def find_lab(name: str, folders: Iterable[Path]) -> Path:
    """The folder of a lab by its id or a unique part of it: `ospf-faults`, `05`."""
    labs = list_lab_folders(folders)
    matching = (
        [name] if name in labs else [lab for lab in labs if name and (lab.startswith(name) or lab.endswith(name))]
    )
    if len(matching) == 1:
        return labs[matching[0]]
    if matching:
        raise NotFound(f"`{name}` names several labs: {', '.join(sorted(matching))}.", remedy="Give the whole name.")
    raise NotFound(f"There is no lab `{name}`. {_near(name, labs)}", remedy="Choose one of the labs that are there.")


def _near(name: str, labs: Iterable[str]) -> str:
    """The nearest lab names, ignoring their numbers."""
    spoken = {re.sub(r"^\d+-", "", lab): lab for lab in sorted(labs)}
    told = nearest_name(re.sub(r"^\d+-", "", name), spoken)
    named = re.search(r"`(.+)`", told)
    return f"Did you mean `{spoken[named[1]]}`?" if named else f"Known: {', '.join(sorted(labs))}."


def _check_id(tree: YamlNode, folder: Path) -> list[LabMistake]:
    given = tree.at("id")
    if given.text in {"", folder.resolve().name}:
        return []
    message = f"The id `{given.text}` differs from the name of its folder, `{folder.resolve().name}`."
    return [LabMistake("id", given.line, message)]


def _findings(path: Path, mistakes: list[LabMistake]) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            code=f"lab.{mistake.code}",
            severity=Severity.ERROR,
            message=mistake.message,
            where=Locator(path=display_path(path), line=mistake.line),
        )
        for mistake in sorted(mistakes, key=lambda mistake: mistake.line)
    )


def _softened(finding: Finding) -> Finding:
    """Turn missing instructions into a warning: the lab still works."""
    return finding.model_copy(update={"severity": Severity.WARNING})
