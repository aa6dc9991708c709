"""A conversation: the router beneath, the names of its interfaces, and where the student stands."""

import re
from dataclasses import dataclass, field
from ipaddress import IPv4Interface

from studium.devices.ios.kept import Kept
from studium.devices.ios.names import InterfaceNames
from studium.domain.lab import Device


@dataclass(frozen=True)
class Place:
    """A mode: its grammar, how the prompt shows it, and its section in IOS's and in FRR's configuration."""

    grammar: str
    shown: str = ""
    section: str = ""
    frr: str | None = None


NOT_RUNNING = re.compile(r"\w+d is not running")
USER = Place("user")
PRIVILEGED = Place("priv")
GLOBAL = Place("config", "(config)")


@dataclass(frozen=True)
class Section:
    """A header of FRR's configuration with the lines beneath it; both are one for a global line."""

    header: str
    lines: tuple[str, ...] = ()


@dataclass
class Session:
    """What the commands of one conversation share. Between two commands the router beneath stands in its exec mode."""

    inner: Device
    names: InterfaceNames
    kept: Kept
    place: Place = USER
    typed: list[str] = field(default_factory=list)
    timeout: float = 10.0

    def ask(self, command: str) -> str:
        """Ask the router beneath."""
        return self.inner.run(command, timeout=self.timeout)

    def configure(self, *lines: str, under: str | None = None) -> str:
        """Configure the router beneath, in a section if one is given; what it has to say, in IOS's words."""
        # A command that timed out may have left the router beneath in a configuration mode
        if "(config" in self.inner.prompt:
            self.ask("end")
        headers = [under] if under else []
        said = [self.ask(line) for line in ("configure terminal", *headers, *lines)]
        self.ask("end")
        return "\n".join(_in_ios_words(self.names.to_ios(text)) for text in said if text.strip())

    def sections(self) -> list[Section]:
        """The configuration that the router beneath runs."""
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


def read_sections(configuration: str) -> list[Section]:
    """FRR's configuration in sections, without its frame."""
    found: list[tuple[str, list[str]]] = []
    for line in configuration.splitlines():
        text = line.strip()
        if not text or text in {"!", "end", "exit"} or text.startswith(("Building conf", "Current conf")):
            continue
        if line[0] != " ":
            found.append((text, []))
        elif found:
            found[-1][1].append(text)
    return [Section(header, tuple(lines)) for header, lines in found]


def _in_ios_words(text: str) -> str:
    if text.startswith("% Command incomplete"):
        return "% Incomplete command."
    if text.startswith("Please remove") or NOT_RUNNING.match(text):
        return f"% {text.strip()}"
    return text.strip("\n")
