"""The state of one session: the FRR router, its interface names and the current mode."""

import re
from dataclasses import dataclass, field
from ipaddress import IPv4Interface

from studium.tutor.domain import Device
from studium.tutor.ios.interface_names import InterfaceNames


@dataclass
class IosOnlyConfig:
    """Configuration lines by section (`line vty 0 4`; empty for global ones); shared between sessions."""

    hostname: str = "Router"
    sections: dict[str, list[str]] = field(default_factory=lambda: {"": [], "line con 0": [], "line vty 0 4": []})
    ospf_process: str = "1"
    primary: dict[str, str] = field(default_factory=dict)
    has_keys: bool = False
    startup: str | None = None

    def open(self, section: str) -> None:
        """Add a section if it is missing."""
        self.sections.setdefault(section, [])

    def close(self, section: str) -> None:
        """Remove a section."""
        self.sections.pop(section, None)

    def lines(self, section: str) -> list[str]:
        """The lines of a section."""
        return self.sections.get(section, [])

    def keep(self, section: str, line: str, key: int) -> None:
        """Store a line, replacing the one that starts with the same `words` words."""
        lines = self.sections.setdefault(section, [])
        begins = line.split()[:key]
        same = [at for at, old in enumerate(lines) if old.split()[:key] == begins]
        if same:
            lines[same[0]] = line
        else:
            lines.append(line)

    def drop(self, section: str, start: str) -> bool:
        """Remove the lines that start with these words; return whether there were any."""
        words = start.split()
        lines = self.sections.get(section, [])
        left = [line for line in lines if line.split()[: len(words)] != words]
        found = len(left) < len(lines)
        lines[:] = left
        return found

    def value(self, section: str, start: str) -> str | None:
        """The rest of the line that starts with these words, if any."""
        found = [line for line in self.lines(section) if f"{line} ".startswith(f"{start} ")]
        return found[0][len(start) :].strip() if found else None


@dataclass(frozen=True)
class CliMode:
    """A mode: its grammar, how the prompt shows it, and its section in IOS's and in FRR's configuration."""

    grammar: str
    shown: str = ""
    section: str = ""
    frr: str | None = None


NOT_RUNNING = re.compile(r"\w+d is not running")
USER_MODE = CliMode("user")
PRIVILEGED_MODE = CliMode("priv")
GLOBAL_MODE = CliMode("config", "(config)")


@dataclass(frozen=True)
class FrrSection:
    """A header of FRR's configuration with the lines beneath it; both are one for a global line."""

    header: str
    lines: tuple[str, ...] = ()


@dataclass
class Session:
    """What the commands of one session share; between commands the FRR router is in exec mode."""

    inner: Device
    names: InterfaceNames
    kept: IosOnlyConfig
    place: CliMode = USER_MODE
    typed: list[str] = field(default_factory=list)
    timeout: float = 10.0

    def ask(self, command: str) -> str:
        """Run a command on the FRR router."""
        return self.inner.run(command, timeout=self.timeout)

    def configure(self, *lines: str, under: str | None = None) -> str:
        """Configure the FRR router, optionally in a section; return its errors in IOS wording."""
        # A command that timed out may have left the FRR router in a configuration mode
        if "(config" in self.inner.prompt:
            self.ask("end")
        headers = [under] if under else []
        said = [self.ask(line) for line in ("configure terminal", *headers, *lines)]
        self.ask("end")
        return "\n".join(_in_ios_words(self.names.to_ios(text)) for text in said if text.strip())

    def sections(self) -> list[FrrSection]:
        """The running configuration of the FRR router."""
        return read_sections(self.ask("show running-config"))

    def section(self, header: str) -> tuple[str, ...]:
        """The lines of one section."""
        return next((found.lines for found in self.sections() if found.header == header), ())

    def addresses(self) -> dict[str, list[IPv4Interface]]:
        """The addresses of every interface, by its IOS name, the primary one first."""
        found: dict[str, list[IPv4Interface]] = {}
        for section in self.sections():
            ios = self.names.ios(section.header.removeprefix("interface "))
            if ios and section.header.startswith("interface "):
                own = [IPv4Interface(line.split()[2]) for line in section.lines if line.startswith("ip address ")]
                main = self.kept.primary.get(ios)
                found[ios] = [each for each in own if str(each) == main] + [each for each in own if str(each) != main]
        return found


def read_sections(configuration: str) -> list[FrrSection]:
    """Split FRR's configuration into sections."""
    found: list[tuple[str, list[str]]] = []
    for line in configuration.splitlines():
        text = line.strip()
        if not text or text in {"!", "end", "exit"} or text.startswith(("Building conf", "Current conf")):
            continue
        if line[0] != " ":
            found.append((text, []))
        elif found:
            found[-1][1].append(text)
    return [FrrSection(header, tuple(lines)) for header, lines in found]


def _in_ios_words(text: str) -> str:
    if text.startswith("% Command incomplete"):
        return "% Incomplete command."
    if text.startswith("Please remove") or NOT_RUNNING.match(text):
        return f"% {text.strip()}"
    return text.strip("\n")
