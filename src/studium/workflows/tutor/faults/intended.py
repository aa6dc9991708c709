"""The configuration a router has when the lab is done, section by section."""

import re
from collections.abc import Iterator
from typing import Final

from studium.domain.lab import Lab

_SECTION: Final = re.compile(r"(?:interface|router|line|vlan)\s+\S")
# Of these a section holds one line: a new one takes the place of the old.
_SINGLE: Final = re.compile(
    r"ip address|ip ospf \S+|description|hostname|version|router-id|bgp router-id|neighbor \S+ remote-as"
)
GLOBAL: Final = ""


class Intended:
    """What stands in the configuration of one router once start and solution were typed."""

    def __init__(self, *texts: str) -> None:
        """Take configurations in the order in which they are typed."""
        self._lines: dict[str, list[str]] = {GLOBAL: []}
        for text in texts:
            self._type(text)

    def lines(self, section: str) -> list[str]:
        """The lines of a section, such as `router ospf 1`; of no section those outside of all."""
        return self._lines.get(section, [])

    def sections(self, beginning: str) -> Iterator[str]:
        """The names of the sections that begin so."""
        return (name for name in self._lines if name.startswith(beginning))

    def stands(self, section: str, line: str) -> bool:
        """Whether a line is in force; `no …` is if the line itself is not there."""
        lines = self.lines(section)
        return line.removeprefix("no ") not in lines if line.startswith("no ") else line in lines

    def expects(self, text: str) -> bool:
        """Whether all that a check expects stands here."""
        return all(self.stands(section, line) for section, line in _typed(text))

    def after(self, commands: tuple[str, ...]) -> "Intended":
        """The configuration once more was typed in configuration mode."""
        changed = Intended()
        changed._lines = {name: list(lines) for name, lines in self._lines.items()}
        changed._type("\n".join(commands))
        return changed

    def _type(self, text: str) -> None:
        for section, line in _typed(text):
            lines = self._lines.setdefault(section, [])
            if line.startswith("no "):
                lines[:] = [other for other in lines if other != line.removeprefix("no ")]
                continue
            single = _SINGLE.match(line)
            if single:
                lines[:] = [other for other in lines if not other.startswith(single[0] + " ")]
            if line not in lines:
                lines.append(line)


def intended(lab: Lab, device: str) -> Intended:
    """The configuration of a router of a lab when the lab is done."""
    return Intended(lab.start.get(device, ""), lab.solution.get(device, ""))


def _typed(text: str) -> Iterator[tuple[str, str]]:
    """The lines with their sections; a line that is not indented ends a section only if it does not fit into one."""
    section = GLOBAL
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if line in {"", "!", "exit", "end", "configure terminal"}:
            section = section if line == "" else GLOBAL
        elif _SECTION.match(line):
            section = line
        elif raw.startswith(" ") or section:
            yield section, line
        else:
            yield GLOBAL, line
