"""A note as we write it: frontmatter, and sections with items that are known by a key."""

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

from studium.core.domain.change import PublishedVersion

SectionRole = Literal["concept", "analysis", "connections", "source", "card"]
SECTION_ROLES: tuple[SectionRole, ...] = ("concept", "analysis", "connections", "source", "card")
LIST_SECTIONS: tuple[SectionRole, ...] = ("connections", "source")


@dataclass(frozen=True)
class NoteItem:
    """A paragraph, link or quote; `sign` is what tells that a note has it, reworded or not."""

    text: str
    sign: str = ""


@dataclass(frozen=True)
class NoteSection:
    """A heading and what stands under it, by key; the items of a `tight` one follow each other without empty lines."""

    heading: str
    items: dict[str, NoteItem]
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
    sections: dict[SectionRole, NoteSection]

    @property
    def text(self) -> str:
        """The whole file."""
        parts = [f"---\n{yaml_lines(self.header)}---", *(section.text for section in self.sections.values())]
        return "\n\n".join(parts) + "\n"

    @property
    def fields(self) -> dict[str, str]:
        """The note in a form that the database keeps."""
        kept: dict[str, str] = {role: _as_json(_plain(section)) for role, section in self.sections.items()}
        return {"frontmatter": _as_json(self.header)} | kept


def published_note(base: PublishedVersion) -> Note:
    """The note that the database kept."""
    sections = {role: _section(json.loads(base.fields[role])) for role in SECTION_ROLES if role in base.fields}
    return Note(json.loads(base.fields["frontmatter"]), sections)


def yaml_lines(values: dict[str, Any]) -> str:
    """Values as the lines of a frontmatter."""
    import yaml

    return yaml.dump(values, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=2**31 - 1)


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _plain(section: NoteSection) -> dict[str, Any]:
    items = {key: [item.text, item.sign] for key, item in section.items.items()}
    return {"heading": section.heading, "items": items, "tight": section.tight}


def _section(kept: dict[str, Any]) -> NoteSection:
    return NoteSection(kept["heading"], {key: NoteItem(*item) for key, item in kept["items"].items()}, kept["tight"])


_HEADING = re.compile(r" {0,3}#{1,2}(?=[ \t]|$)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(eq=False)
class NotePart:
    """A heading of the first or second level with all below it; what stands before the first has no heading."""

    heading: str | None
    lines: list[str]

    @property
    def written(self) -> list[str]:
        """Its lines, with the heading."""
        return self.lines if self.heading is None else [self.heading, *self.lines]


@dataclass
class VaultPage:
    """The lines of a note's frontmatter, without its fences, and its parts; `header` is `None` where it has none."""

    header: list[str] | None
    parts: list[NotePart]
    newline: str = "\n"
    mark: str = ""
    closing: str = "---"

    @property
    def text(self) -> str:
        """The file, with the newlines and the byte order mark that it had."""
        top = [] if self.header is None else ["---", *self.header, self.closing]
        lines = [*top, *(line for part in self.parts for line in part.written)]
        return self.mark + self.newline.join(lines)


def read_vault_page(text: str) -> VaultPage:
    """Cut a note into its parts."""
    mark, text = ("\ufeff", text[1:]) if text.startswith("\ufeff") else ("", text)
    newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    lines = text.replace("\r\n", "\n").split("\n")
    end = _header_end(lines)
    header = lines[1:end] if end else None
    closing = lines[end].rstrip() if end else "---"
    return VaultPage(header, _parts(lines[end + 1 if end else 0 :]), newline, mark, closing)


def _header_end(lines: list[str]) -> int:
    if lines[0].rstrip() != "---":
        return 0
    return next((at for at, line in enumerate(lines) if at and line.rstrip() in ("---", "...")), 0)


def _parts(lines: list[str]) -> list[NotePart]:
    parts = [NotePart(None, [])]
    fence = ""
    for line in lines:
        if found := _FENCE.match(line):
            if not fence:
                fence = found[1]
            elif found[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        if not fence and _HEADING.match(line):
            parts.append(NotePart(line, []))
        else:
            parts[-1].lines.append(line)
    return parts
