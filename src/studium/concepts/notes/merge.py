"""Merges a note with the reader's edits: no edit is lost, and text that could not be placed is reported.

Prose is merged line by line; links and quotes item by item, so that they may be reordered, reworded and added to.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from studium.concepts.notes.note import (
    LIST_SECTIONS,
    SECTION_ROLES,
    Note,
    NoteItem,
    NotePart,
    NoteSection,
    SectionRole,
    VaultPage,
    read_vault_page,
    yaml_lines,
)
from studium.core.documents.markdown import split_frontmatter

_BULLETS = ("-", "*", "+")


def merge_items(before: NoteSection | None, now: NoteSection, body: list[str]) -> list[str]:
    """Update our items in the body where they are as we wrote them; return those of ours that are not there now."""
    old = before.items if before else {}
    refused = [_removed(item, body) for key, item in old.items() if key not in now.items]
    for key, item in now.items.items():
        if key in old and item.text != old[key].text and not _replaced(old[key], item, body):
            refused.append(item.text)
    for key in now.items:
        if key not in old:
            _add(key, now, body)
    return [text for text in refused if text is not None]


def add_missing(now: NoteSection, body: list[str]) -> list[str]:
    """Add the items that the body does not have in any form."""
    text = "\n".join(body)
    for key, item in now.items.items():
        if (item.sign or item.text) not in text:
            _add(key, now, body)
    return []


def _removed(item: NoteItem, body: list[str]) -> str | None:
    """Take an item out; `""` if the reader reworded it, so that it stays."""
    at = _find(item, body)
    if at is None:
        return "" if item.sign and item.sign in "\n".join(body) else None
    end = at + len(item.text.split("\n"))
    if end < len(body) and not body[end].strip() and (at == 0 or not body[at - 1].strip()):
        end += 1
    while end == len(body) and at and not body[at - 1].strip():
        at -= 1
    del body[at:end]
    return None


def _replaced(old: NoteItem, new: NoteItem, body: list[str]) -> bool:
    at = _find(old, body)
    if at is not None:
        body[at : at + len(old.text.split("\n"))] = new.text.split("\n")
    return at is not None or _find(new, body) is not None


def _add(key: str, now: NoteSection, body: list[str]) -> None:
    """Put an item behind the one it follows in our order, else before the next, else at the end."""
    item = now.items[key]
    if _find(item, body) is not None:
        return
    at = _place(key, now, body)
    lines = item.text.split("\n")
    if not now.tight or (at == len(body) and body and not body[-1].lstrip().startswith(_BULLETS)):
        above = [""] if at and body[at - 1].strip() else []
        lines = [*above, *lines, *([""] if at < len(body) and body[at].strip() else [])]
    body[at:at] = lines


def _place(key: str, now: NoteSection, body: Sequence[str]) -> int:
    keys = list(now.items)
    for earlier in reversed(keys[: keys.index(key)]):
        if (found := _find(now.items[earlier], body)) is not None:
            return found + len(now.items[earlier].text.split("\n"))
    later = (_find(now.items[each], body) for each in keys[keys.index(key) + 1 :])
    return next((found for found in later if found is not None), len(body))


def _find(item: NoteItem, body: Sequence[str]) -> int | None:
    """Where the lines of an item are in the body."""
    lines = item.text.split("\n")
    bare = [line.rstrip() for line in body]
    return next((at for at in range(len(body) - len(lines) + 1) if bare[at : at + len(lines)] == lines), None)


class MergedLines(NamedTuple):
    """The lines as they are now, and which of ours are missing, place by place."""

    lines: list[str]
    refused: list[str]


class _Change(NamedTuple):
    start: int
    end: int
    lines: list[str]
    ours: bool


def merge_lines(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> MergedLines:
    """The changes of both sides to the base; where they conflict, theirs."""
    lines: list[str] = []
    refused: list[str] = []
    at = 0
    changes = sorted([*_changes(base, ours, ours=True), *_changes(base, theirs, ours=False)])
    for group in _meeting(changes):
        start, end = group[0].start, max(change.end for change in group)
        mine = _applied(base, start, end, [change for change in group if change.ours])
        other = _applied(base, start, end, [change for change in group if not change.ours])
        lines += [*base[at:start], *(mine if all(change.ours for change in group) else other)]
        at = end
        if mine != other and len({change.ours for change in group}) > 1:
            refused.append("\n".join(mine).strip())
    return MergedLines([*lines, *base[at:]], refused)


def _changes(base: Sequence[str], side: Sequence[str], *, ours: bool) -> Iterator[_Change]:
    for kind, start, end, side_start, side_end in SequenceMatcher(None, base, side, autojunk=False).get_opcodes():
        if kind != "equal":
            yield _Change(start, end, list(side[side_start:side_end]), ours)


def _meeting(changes: Sequence[_Change]) -> Iterator[list[_Change]]:
    """The changes in order, grouped where they concern the same lines or the same place."""
    group: list[_Change] = []
    for change in changes:
        if group and not _meets(group, change):
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _meets(group: Sequence[_Change], change: _Change) -> bool:
    inserts_there_too = change.start == change.end == group[-1].start == group[-1].end
    return inserts_there_too or change.start < max(each.end for each in group)


def _applied(base: Sequence[str], start: int, end: int, changes: Sequence[_Change]) -> list[str]:
    lines: list[str] = []
    for change in changes:
        lines += [*base[start : change.start], *change.lines]
        start = change.end
    return [*lines, *base[start:end]]


ID_KEY = "uuid"
"""The key by which a note is found in any folder; it is written again if it was deleted."""

_KEY = re.compile(r"""(?P<quote>["']?)(?P<key>[^\s#"'\-\[\]{},&*!|>%@`][^:#"']{0,200}?)(?P=quote)\s{0,20}:(?=\s|$)""")

_COMMENT = re.compile(r"(?:^|\s)(#.*)")


class UnreadableFrontmatter(ValueError):
    """The frontmatter is not YAML that we understand; it is left alone."""


def merge_frontmatter(
    base: Mapping[str, Any] | None, ours: Mapping[str, Any], lines: list[str]
) -> tuple[list[str], list[str]]:
    """The lines of the merged frontmatter, and the values of ours that are not in it, as YAML.

    Without a base, what is there is the reader's, and only missing keys are added.
    """
    theirs = read_frontmatter(lines)
    wanted = dict(theirs)
    refused: list[str] = []
    for key in dict.fromkeys([*ours, *(base or {})]):
        value, stands = _settled(key, base, ours, theirs)
        if not stands and ours.get(key) != (base or {}).get(key):
            refused.append(yaml_lines({key: ours.get(key)}).strip())
        if value is not None:
            wanted[key] = value
        elif theirs.get(key) is not None:
            del wanted[key]
    merged = list(_written(lines, theirs, wanted))
    if read_frontmatter(merged) != wanted:
        raise UnreadableFrontmatter
    return merged, refused


def read_frontmatter(lines: list[str]) -> dict[str, Any]:
    """The values of a frontmatter."""
    found = split_frontmatter("\n".join(["---", *lines, "---", ""]))
    if found.findings:
        raise UnreadableFrontmatter
    return found.values


def _settled(
    key: str, base: Mapping[str, Any] | None, ours: Mapping[str, Any], theirs: Mapping[str, Any]
) -> tuple[Any, bool]:
    """The current value of a key, and whether all of ours is in it."""
    mine, other = ours.get(key), theirs.get(key)
    if other == mine or (key == ID_KEY and other is None):
        return mine, True
    if base is None:
        return (mine, True) if key not in theirs else (other, True)
    before = base.get(key)
    if other == before:
        return mine, True
    if mine == before:
        return other, True
    if key in theirs and isinstance(other, list):
        return _merged_list(before or [], mine or [], other), True
    return other, False


def _merged_list(base: list[Any], ours: list[Any], theirs: list[Any]) -> list[Any]:
    gone = [each for each in base if each not in ours]
    new = [each for each in ours if each not in base and each not in theirs]
    return [*(each for each in theirs if each not in gone), *new]


def _written(lines: list[str], theirs: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[str]:
    """The old lines for what did not change, and ours for what did."""
    for key, block in _blocks(lines):
        if key is None or (key in wanted and wanted[key] == theirs.get(key)):
            yield from block
        else:
            yield from _yaml(key, wanted[key]) if key in wanted else ()
            yield from (found[1] for line in block if (found := _COMMENT.search(line)))
    for key, value in wanted.items():
        if key not in theirs:
            yield from _yaml(key, value)


def _yaml(key: str, value: Any) -> list[str]:
    return yaml_lines({key: value}).rstrip("\n").split("\n")


def _blocks(lines: list[str]) -> Iterator[tuple[str | None, list[str]]]:
    """Each key with the lines of its value; what comes before the first has none."""
    key: str | None = None
    block: list[str] = []
    for line in lines:
        if found := _KEY.match(line):
            if block:
                yield key, block
            key, block = found["key"], [line]
        else:
            block.append(line)
    if block:
        yield key, block


@dataclass(frozen=True)
class KeptEdit:
    """What we would have written where the reader wrote something else; empty where we would have removed it."""

    place: str
    text: str


@dataclass(frozen=True)
class MergedNote:
    """The merged note, and our text that is not in it."""

    text: str
    refused: tuple[KeptEdit, ...]


def merge_note(base: Note | None, ours: Note, text: str) -> MergedNote:
    """Update a note; without a base, everything in it is the reader's, and only missing parts are added."""
    page = read_vault_page(text)
    refused = [*_merge_header(base, ours, page)]
    places = _places(base or ours, page.parts)
    for role in SECTION_ROLES:
        refused += _merge_section(page, places, role, base, ours)
    return MergedNote(page.text, tuple(refused))


def is_untouched(base: Note, text: str) -> bool:
    """Whether a note is as we wrote it."""
    return _bare(text) == _bare(base.text)


def _bare(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.removeprefix("\ufeff").strip().split("\n"))


def _merge_header(base: Note | None, ours: Note, page: VaultPage) -> Iterator[KeptEdit]:
    try:
        page.header, refused = merge_frontmatter(base.header if base else None, ours.header, page.header or [])
    except UnreadableFrontmatter:
        if base is None or base.header != ours.header:
            yield KeptEdit("---", "\n".join(f"{key}: {value}" for key, value in ours.header.items()))
        return
    yield from (KeptEdit("---", value) for value in refused)


def _places(known: Note, parts: Sequence[NotePart]) -> dict[SectionRole, NotePart]:
    """Which part of a page is which of our sections: by its heading, else by its content."""
    places: dict[SectionRole, NotePart] = {}
    free = [part for part in parts if part.heading is not None]
    for same in (_has_heading, _says_the_same):
        for role, section in known.sections.items():
            if role not in places and (found := next((part for part in free if same(part, section)), None)):
                places[role] = found
                free.remove(found)
    return places


def _has_heading(part: NotePart, section: NoteSection) -> bool:
    return part.heading is not None and part.heading.strip() == section.heading


def _says_the_same(part: NotePart, section: NoteSection) -> bool:
    lines = {line for line in section.body.split("\n") if line.strip(" >")}
    return len(lines & set(part.lines)) * 2 > len(lines)


def _merge_section(
    page: VaultPage, places: dict[SectionRole, NotePart], role: SectionRole, base: Note | None, ours: Note
) -> Iterator[KeptEdit]:
    before, now, part = base.sections.get(role) if base else None, ours.sections.get(role), places.get(role)
    if before == now:
        return
    if part is None and now and before is None:
        part = next((each for each in page.parts if _has_heading(each, now)), None)
    if now and part:
        yield from (KeptEdit(now.heading, text) for text in _merge_part(part, role, before, now, lost=base is None))
    elif now and before:
        yield KeptEdit(now.heading, now.body)
    elif now and (base or role in LIST_SECTIONS):
        places[role] = _add_part(page, places, role, now)
    elif before and part:
        if _bare("\n".join(part.written)) == _bare(before.text):
            page.parts.remove(places.pop(role))
        else:
            yield KeptEdit(before.heading, "")


def _merge_part(
    part: NotePart, role: SectionRole, before: NoteSection | None, now: NoteSection, *, lost: bool
) -> list[str]:
    """Merge the text under a heading, and return our text that is not there now."""
    if before and part.heading and part.heading.strip() == before.heading:
        part.heading = now.heading
    first = next((at for at, line in enumerate(part.lines) if line.strip()), min(1, len(part.lines)))
    last = next((at for at in range(len(part.lines), first, -1) if part.lines[at - 1].strip()), first)
    body = part.lines[first:last]
    if role in LIST_SECTIONS:
        refused = add_missing(now, body) if lost else merge_items(before, now, body)
        part.lines[first:last] = body
        return refused
    if lost:
        return []
    settled = merge_lines(before.body.split("\n") if before else [], now.body.split("\n"), body)
    part.lines[first:last] = settled.lines
    return settled.refused


def _add_part(
    page: VaultPage, places: dict[SectionRole, NotePart], role: SectionRole, section: NoteSection
) -> NotePart:
    """Put a new section behind the one it follows in our order, else before the next, else at the end."""
    part = NotePart(section.heading, ["", *section.body.split("\n"), ""])
    before = [page.parts.index(places[each]) for each in SECTION_ROLES[: SECTION_ROLES.index(role)] if each in places]
    after = [page.parts.index(places[each]) for each in SECTION_ROLES[SECTION_ROLES.index(role) :] if each in places]
    at = before[-1] + 1 if before else after[0] if after else len(page.parts)
    above = page.parts[at - 1].lines
    if at == len(page.parts) and above and not above[-1]:
        above.pop()
    if not above or above[-1].strip():
        above.append("")
    page.parts.insert(at, part)
    return part
