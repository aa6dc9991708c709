"""A note as we write it: frontmatter, and sections with items that are known by a key."""

import json
from dataclasses import dataclass
from typing import Any, Literal

from studium.core.domain.change import PublishedVersion

Role = Literal["concept", "analysis", "connections", "source", "card"]
ROLES: tuple[Role, ...] = ("concept", "analysis", "connections", "source", "card")
LISTS: tuple[Role, ...] = ("connections", "source")


@dataclass(frozen=True)
class Item:
    """A paragraph, link or quote; `sign` is what tells that a note has it, reworded or not."""

    text: str
    sign: str = ""


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it, by key; the items of a `tight` one follow each other without empty lines."""

    heading: str
    items: dict[str, Item]
    tight: bool = False

    @property
    def body(self) -> str:
        """What stands under the heading."""
        return ("\n" if self.tight else "\n\n").join(item.text for item in self.items.values())

    @property
    def text(self) -> str:
        """The section as it is written."""
        return f"{self.heading}\n\n{self.body}"


@dataclass(frozen=True)
class Note:
    """A concept's note: what its frontmatter says, and its sections in order."""

    header: dict[str, Any]
    sections: dict[Role, Section]

    @property
    def text(self) -> str:
        """The whole file."""
        parts = [f"---\n{yaml_lines(self.header)}---", *(section.text for section in self.sections.values())]
        return "\n\n".join(parts) + "\n"

    @property
    def fields(self) -> dict[str, str]:
        """The note in a form that the ledger keeps."""
        kept: dict[str, str] = {role: _as_json(_plain(section)) for role, section in self.sections.items()}
        return {"frontmatter": _as_json(self.header)} | kept


def kept_note(base: PublishedVersion) -> Note:
    """The note that the ledger kept."""
    sections = {role: _section(json.loads(base.fields[role])) for role in ROLES if role in base.fields}
    return Note(json.loads(base.fields["frontmatter"]), sections)


def yaml_lines(values: dict[str, Any]) -> str:
    """Values as the lines of a frontmatter."""
    import yaml

    return yaml.dump(values, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=2**31 - 1)


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _plain(section: Section) -> dict[str, Any]:
    items = {key: [item.text, item.sign] for key, item in section.items.items()}
    return {"heading": section.heading, "items": items, "tight": section.tight}


def _section(kept: dict[str, Any]) -> Section:
    return Section(kept["heading"], {key: Item(*item) for key, item in kept["items"].items()}, kept["tight"])
