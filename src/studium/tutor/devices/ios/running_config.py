"""Render the running configuration as IOS writes it, from FRR's and the simulated part."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from studium.tutor.devices.ios.session import FrrSection, IosOnlyConfig, Session
from studium.tutor.ios.addresses import address_and_mask, address_and_wildcard, classful, is_address
from studium.tutor.ios.interface_names import InterfaceNames

SIMULATED_VERSION = "15.9"
EARLY = ("no service", "service", "enable", "no ip", "ip domain", "ip name-server", "ipv6", "username", "no cdp")
FRR_ALONE = re.compile(
    r"no bgp (ebgp-requires-policy|default)|address-family|exit-address-family|!|ip ospf passive$|no ip ospf passive$"
)


@dataclass(frozen=True)
class ConfigRenderer:
    """Renders the parts of one configuration."""

    sections: Sequence[FrrSection]
    names: InterfaceNames
    kept: IosOnlyConfig

    def text(self) -> str:
        """The whole configuration, without the lines above `version`."""
        blocks = [
            [f"version {SIMULATED_VERSION}", *self._service()],
            [f"hostname {self.kept.hostname}"],
            [line for line in self._global() if line.startswith(EARLY) and "service" not in line],
            *self._kept_blocks("vlan ", "ip dhcp pool "),
            *self._interfaces(),
            *self._routers(),
            [line for line in self._global() if not line.startswith((*EARLY, "banner"))] + self._routes(),
            *self._kept_blocks("ip access-list "),
            [line for line in self._global() if line.startswith("banner")],
            [line for block in self._kept_blocks("line ") for line in block],
        ]
        return "\n!\n".join("\n".join(block) for block in blocks if block) + "\n!\nend"

    def interface(self, name: str) -> list[str] | None:
        """The section of one interface."""
        return next((block for block in self._interfaces() if block[0] == f"interface {name}"), None)

    def _global(self) -> list[str]:
        return self.kept.lines("")

    def _service(self) -> list[str]:
        kept = [line for line in self._global() if line.startswith("service")]
        return kept if "service password-encryption" in kept else [*kept, "no service password-encryption"]

    def _kept_blocks(self, *starts: str) -> list[list[str]]:
        found = sorted((name for name in self.kept.sections if name.startswith(starts)), key=_numerically)
        return [[name, *(f" {line}" for line in sorted(self.kept.lines(name), key=_is_login))] for name in found]

    def _interfaces(self) -> Iterable[list[str]]:
        lines: dict[str, list[str]] = {name: [] for name in self.names.all}
        for section in self.sections:
            if section.header.startswith("interface ") and (name := self.names.ios(section.header.split()[1])):
                made = name not in self.names.all and name != "Loopback0"
                if made or section.lines or name in lines:
                    lines[name] = list(section.lines)
        kept = (name.removeprefix("interface ") for name in self.kept.sections if name.startswith("interface "))
        for name in sorted({*lines, *kept}, key=_interface_order):
            yield [f"interface {name}", *(f" {line}" for line in self._interface_lines(name, lines.get(name, [])))]

    def _interface_lines(self, name: str, frr: Sequence[str]) -> list[str]:
        kept = self.kept.lines(f"interface {name}")
        primary = self.kept.primary.get(name)
        frr = sorted(frr, key=lambda line: line != f"ip address {primary}")
        found = [line for line in (*frr, *kept) if line.startswith("description")]
        found += [line for line in kept if line.startswith("encapsulation")]
        addresses = [
            f"ip address {address_and_mask(line.split()[2])}" for line in frr if line.startswith("ip address ")
        ]
        addresses = [*(f"{each} secondary" for each in addresses[1:]), *addresses[:1]]
        addresses += [line for line in kept if line.startswith("ip address ")]
        found += addresses or ["no ip address"]
        known = ("description", "ip address", "shutdown")
        found += [
            self._interface_line(line) for line in frr if not line.startswith(known) and not FRR_ALONE.match(line)
        ]
        found += [
            line for line in kept if not line.startswith(("description", "encapsulation", "ip address ", "shutdown"))
        ]
        return [*found, *(line for line in (*frr, *kept) if line == "shutdown")]

    def _interface_line(self, line: str) -> str:
        line = line.replace("ip rip split-horizon", "ip split-horizon")
        return re.sub(r"^ip ospf area", f"ip ospf {self.kept.ospf_process} area", line)

    def _routers(self) -> Iterable[list[str]]:
        found = {section.header: section.lines for section in self.sections if section.header.startswith("router ")}
        for header in sorted(found, key=lambda name: ("ospf", "rip", "bgp").index(name.split()[1])):
            ios = f"router ospf {self.kept.ospf_process}" if header == "router ospf" else header
            lines = [self._router_line(header, line) for line in found[header] if not FRR_ALONE.match(line)]
            lines += self._passive() if header == "router ospf" else []
            lines += self.kept.lines(ios)
            # FRR lists networks and neighbours before some of what IOS lists first
            yield [ios, *(f" {line}" for line in sorted(lines, key=_router_order))]

    def _router_line(self, header: str, line: str) -> str:
        words = line.split()
        if words[0] == "network":
            return _network(header, words)
        if words[0] == "redistribute":
            return self._redistribute(header, words)
        if words[:2] == ["timers", "basic"]:
            return f"timers basic {words[2]} {words[3]} {words[3]} {words[4]}"
        if words[0] in {"neighbor", "passive-interface"} and words[2:3] != ["description"]:
            return " ".join(self.names.ios(word) or word for word in words)
        return line.replace("ospf router-id", "router-id")

    def _redistribute(self, header: str, words: list[str]) -> str:
        numbers = {"ospf": self.kept.ospf_process, "bgp": self._autonomous_system()}
        source = f"{words[1]} {numbers[words[1]]}" if words[1] in numbers else words[1]
        rest = [*words[2:], *(["subnets"] if header == "router ospf" else [])]
        return " ".join(("redistribute", source, *rest))

    def _autonomous_system(self) -> str:
        headers = (section.header for section in self.sections)
        return next((header.split()[2] for header in headers if header.startswith("router bgp ")), "1")

    def _passive(self) -> list[str]:
        return [
            line.replace("ip ospf passive", f"passive-interface {name}")
            for section in self.sections
            if (name := self.names.ios(section.header.removeprefix("interface ")))
            for line in section.lines
            if line.endswith("ip ospf passive")
        ]

    def _routes(self) -> list[str]:
        headers = [section.header for section in self.sections]
        ours = [self._route(header) for header in headers if header.startswith("ip route ")]
        return [*ours, *(self.names.to_ios(header) for header in headers if header.startswith("ipv6 route "))]

    def _route(self, header: str) -> str:
        prefix, *hops = header.split()[2:]
        hops = [self.names.ios(hop) or hop.replace("blackhole", "Null0") for hop in hops]
        # IOS wants the interface before the gateway
        if len(hops) > 1 and is_address(hops[0]) and not hops[1].isdigit():
            hops[0], hops[1] = hops[1], hops[0]
        return " ".join(("ip route", address_and_mask(prefix), *hops))


def render(session: Session) -> ConfigRenderer:
    """The present configuration of a device."""
    return ConfigRenderer(session.sections(), session.names, session.kept)


def _network(header: str, words: list[str]) -> str:
    prefix = words[1]
    if header == "router ospf":
        return f"network {address_and_wildcard(prefix)} {' '.join(words[2:])}"
    address, mask = address_and_mask(prefix).split()
    if header == "router rip" or str(classful(address)) == prefix:
        return f"network {address}"
    return f"network {address} mask {mask}"


def _router_order(line: str) -> int:
    first = ("version", "bgp", "router-id", "auto-cost", "area", "redistribute", "passive", "no passive")
    if line.startswith(first):
        return next(at for at, start in enumerate(first) if line.startswith(start))
    return 99 if line.startswith(("default-information", "no auto")) else 50


def _is_login(line: str) -> bool:
    """`login` comes after the password it asks for."""
    return line.startswith(("login", "transport"))


def _numerically(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name) if part]


def _interface_order(name: str) -> tuple[bool, bool, list[tuple[int, str]]]:
    return name.startswith("Vlan"), not name.startswith("Loopback"), _numerically(name)
