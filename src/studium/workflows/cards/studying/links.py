"""The links of a note: `[[Note#Heading|alias]]`, `[label](Note.md)`, and those of its frontmatter."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from studium.readers.notes.masking import MASK, masked_lines

LINK_FIELDS = ("related", "moc")
"""The fields of the frontmatter that name other notes."""

# Every part is bounded, so that a line full of half-written links costs no more than any other.
_LINK = re.compile(
    r"\[\[(?P<wiki>[^\[\]\n]{1,500})\]\]"
    r"|\[[^\[\]\n]{0,500}\]\((?:<(?P<angled>[^<>\n]{1,500})>|(?P<plain>[^()\s]{1,500}))(?:\s[^()\n]{0,200})?\)"
)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:", re.IGNORECASE)
_BRACKETS = re.compile(r"\[\[([^\[\]]+)\]\]")


@dataclass(frozen=True)
class Link:
    """A link as it stands in a note: where it leads, the line it is on, and the frontmatter's field that names it."""

    target: str
    line: int | None = None
    field: str = ""


def body_links(text: str) -> Iterator[Link]:
    """The links into the vault that a text holds, not those in code and comments."""
    if "[[" not in text and "](" not in text:
        return
    lines = text.splitlines()
    for number, (line, shown) in enumerate(zip(lines, masked_lines(lines), strict=True), 1):
        for link in _LINK.finditer(line) if "](" in line or "[[" in line else ():
            if shown[link.start()] != MASK and (target := _target(link)):
                yield Link(target, number)


def frontmatter_links(frontmatter: Mapping[str, Any]) -> Iterator[Link]:
    """The notes that the frontmatter names, with or without brackets."""
    for field in LINK_FIELDS:
        for name in _names(frontmatter.get(field)):
            bracketed = _BRACKETS.search(name)
            if target := _path(bracketed[1] if bracketed else name):
                yield Link(target, field=field)


def _target(link: re.Match[str]) -> str:
    if link["wiki"]:
        return _path(link["wiki"])
    address = link["angled"] or link["plain"]
    return "" if _SCHEME.match(address) else _path(unquote(address))


def _path(target: str) -> str:
    """The part of a link that names a file; of one within the note, nothing."""
    return target.partition("|")[0].partition("#")[0].strip()


def _names(value: Any) -> Iterable[str]:
    """Whatever people write where a list of notes belongs; `[[a]]` without quotes is a list in a list for YAML."""
    if isinstance(value, str):
        return [value] if "[[" in value else [part.strip() for part in value.split(",")]
    if isinstance(value, list):
        return [name for each in value for name in _names(each)]
    return []
