"""A router without processes: it only stores an FRR configuration; IOS text is translated by typing it there."""

from collections.abc import Mapping
from dataclasses import dataclass

from studium.tutor.devices.ios.device import IosDevice
from studium.tutor.devices.ios.running_config import ConfigRenderer
from studium.tutor.devices.ios.session import IosOnlyConfig, read_sections
from studium.tutor.ios.interface_names import InterfaceNames

HEADERS = ("interface ", "router ")
ONE_OF_A_KIND = ("description", "ip ospf", "ospf router-id", "bgp router-id", "version", "timers basic", "auto-cost")
KEPT_NEGATIONS = ("no bgp ebgp-requires-policy", "no ip ospf passive", "no ip rip split-horizon")


class OfflineRouter:
    """A Device with a configuration and nothing else."""

    def __init__(self, name: str = "Router", configuration: str = "") -> None:
        self.name = name
        self._mode = ""
        self._header = ""
        self._sections: dict[str, list[str]] = {each.header: list(each.lines) for each in read_sections(configuration)}

    @property
    def prompt(self) -> str:
        """The prompt that waits now."""
        return f"{self.name}{self._mode}#"

    def run(self, command: str, *, timeout: float = 10.0) -> str:
        """Type one line; only `show running-config` has an answer."""
        del timeout
        if command == "show running-config":
            return self.configuration
        if command == "configure terminal":
            self._mode, self._header = "(config)", ""
        elif command == "end":
            self._mode, self._header = "", ""
        elif self._mode:
            self._configure(command)
        return ""

    def close(self) -> None:
        """Nothing is open."""

    @property
    def configuration(self) -> str:
        """The configuration, as FRR loads it."""
        blocks = []
        for header, lines in self._sections.items():
            inside = header.startswith(HEADERS)
            blocks.append("\n".join((header, *(f" {line}" for line in lines), *(["exit"] if inside else []))))
        return "\n".join(blocks)

    def _configure(self, line: str) -> None:
        if line == "exit":
            self._header = ""
        elif line.startswith(HEADERS):
            self._header = line
            self._sections.setdefault(line, [])
        elif self._header:
            _change(self._sections[self._header], line)
        elif line.startswith("no "):
            self._sections.pop(line.removeprefix("no "), None)
        else:
            self._sections.setdefault(line, [])


def _change(lines: list[str], line: str) -> None:
    """Write a line into a section, in place of one that it replaces; a `no` strikes lines out."""
    opposite = line.removeprefix("no ")
    old = [each for each in lines if f"{each} ".startswith(f"{opposite} ") or each == f"no {line}"]
    kind = next((start for start in ONE_OF_A_KIND if line.startswith(start)), None)
    if kind:
        count = len(kind.split()) + (kind == "ip ospf")
        old += [each for each in lines if each.split()[:count] == line.split()[:count] and each not in old]
    for each in old:
        lines.remove(each)
    if line == opposite or (line in KEPT_NEGATIONS and not old):
        lines.append(line)


@dataclass(frozen=True)
class Translated:
    """What an IOS configuration is in FRR's words, what is kept beside it, and what IOS had against it."""

    frr: str
    kept: IosOnlyConfig
    complaints: tuple[str, ...] = ()


def to_frr(configuration: str, interfaces: Mapping[str, str], name: str = "Router") -> Translated:
    """Translate an IOS configuration."""
    paper = OfflineRouter(name)
    device = IosDevice(paper, interfaces)
    complaints = device.load(configuration)
    return Translated(paper.configuration, device.kept, tuple(complaints))


def to_ios(configuration: str, interfaces: Mapping[str, str], kept: IosOnlyConfig | None = None) -> str:
    """Render an FRR configuration as IOS writes it."""
    return ConfigRenderer(read_sections(configuration), InterfaceNames(interfaces), kept or IosOnlyConfig()).text()
