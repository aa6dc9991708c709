"""The part of a configuration that IOS has and the router beneath has not; it is kept word for word."""

from dataclasses import dataclass, field


@dataclass
class Kept:
    """Lines by the section they stand in (`line vty 0 4`; empty for global ones); share it between conversations."""

    hostname: str = "Router"
    sections: dict[str, list[str]] = field(default_factory=lambda: {"": [], "line con 0": [], "line vty 0 4": []})
    ospf_process: str = "1"
    primary: dict[str, str] = field(default_factory=dict)
    has_keys: bool = False
    startup: str | None = None

    def open(self, section: str) -> None:
        """Make sure that a section is there."""
        self.sections.setdefault(section, [])

    def close(self, section: str) -> None:
        """Forget a section."""
        self.sections.pop(section, None)

    def lines(self, section: str) -> list[str]:
        """What stands in a section."""
        return self.sections.get(section, [])

    def keep(self, section: str, line: str, key: int) -> None:
        """Keep a line in place of the one that begins with the same so many words."""
        lines = self.sections.setdefault(section, [])
        begins = line.split()[:key]
        same = [at for at, old in enumerate(lines) if old.split()[:key] == begins]
        if same:
            lines[same[0]] = line
        else:
            lines.append(line)

    def drop(self, section: str, start: str) -> bool:
        """Forget the lines that begin with these words; whether there were any."""
        words = start.split()
        lines = self.sections.get(section, [])
        left = [line for line in lines if line.split()[: len(words)] != words]
        found = len(left) < len(lines)
        lines[:] = left
        return found

    def value(self, section: str, start: str) -> str | None:
        """What follows these words in a section, if they are there."""
        found = [line for line in self.lines(section) if f"{line} ".startswith(f"{start} ")]
        return found[0][len(start) :].strip() if found else None
