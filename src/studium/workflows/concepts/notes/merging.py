"""Merges a note with what its reader made of it: an edit is never lost, and what of ours finds no place is told.

Prose is merged line by line; links and quotes item by item, so that they may be reordered, reworded and added to.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from studium.workflows.concepts.notes.header import UnreadableHeader, merge_header
from studium.workflows.concepts.notes.items import add_missing, merge_items
from studium.workflows.concepts.notes.lines import merge_lines
from studium.workflows.concepts.notes.note import LISTS, ROLES, Note, Role, Section
from studium.workflows.concepts.notes.page import Page, Part, read_page


@dataclass(frozen=True)
class Refused:
    """What we would have written where the reader wrote something else; empty where we would have removed it."""

    place: str
    text: str


@dataclass(frozen=True)
class Merged:
    """The note as it stands now, and what of ours does not stand in it."""

    text: str
    refused: tuple[Refused, ...]


def merge_note(base: Note | None, ours: Note, text: str) -> Merged:
    """Bring a note up to date; without a base, all that is there is the reader's, and only what is missing is added."""
    page = read_page(text)
    refused = [*_merge_header(base, ours, page)]
    places = _places(base or ours, page.parts)
    for role in ROLES:
        refused += _merge_section(page, places, role, base, ours)
    return Merged(page.text, tuple(refused))


def is_untouched(base: Note, text: str) -> bool:
    """Whether a note is as we wrote it."""
    return _bare(text) == _bare(base.text)


def _bare(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.removeprefix("\ufeff").strip().split("\n"))


def _merge_header(base: Note | None, ours: Note, page: Page) -> Iterator[Refused]:
    try:
        page.header, refused = merge_header(base.header if base else None, ours.header, page.header or [])
    except UnreadableHeader:
        if base is None or base.header != ours.header:
            yield Refused("---", "\n".join(f"{key}: {value}" for key, value in ours.header.items()))
        return
    yield from (Refused("---", value) for value in refused)


def _places(known: Note, parts: Sequence[Part]) -> dict[Role, Part]:
    """Which part of a page is which of our sections: by its heading, else by what it says."""
    places: dict[Role, Part] = {}
    free = [part for part in parts if part.heading is not None]
    for same in (_has_heading, _says_the_same):
        for role, section in known.sections.items():
            if role not in places and (found := next((part for part in free if same(part, section)), None)):
                places[role] = found
                free.remove(found)
    return places


def _has_heading(part: Part, section: Section) -> bool:
    return part.heading is not None and part.heading.strip() == section.heading


def _says_the_same(part: Part, section: Section) -> bool:
    lines = {line for line in section.body.split("\n") if line.strip(" >")}
    return len(lines & set(part.lines)) * 2 > len(lines)


def _merge_section(
    page: Page, places: dict[Role, Part], role: Role, base: Note | None, ours: Note
) -> Iterator[Refused]:
    before, now, part = base.sections.get(role) if base else None, ours.sections.get(role), places.get(role)
    if before == now:
        return
    if part is None and now and before is None:
        part = next((each for each in page.parts if _has_heading(each, now)), None)
    if now and part:
        yield from (Refused(now.heading, text) for text in _merge_part(part, role, before, now, lost=base is None))
    elif now and before:
        yield Refused(now.heading, now.body)
    elif now and (base or role in LISTS):
        places[role] = _add_part(page, places, role, now)
    elif before and part:
        if _bare("\n".join(part.written)) == _bare(before.text):
            page.parts.remove(places.pop(role))
        else:
            yield Refused(before.heading, "")


def _merge_part(part: Part, role: Role, before: Section | None, now: Section, *, lost: bool) -> list[str]:
    """Merge what stands under a heading, and say what of ours does not stand there now."""
    if before and part.heading and part.heading.strip() == before.heading:
        part.heading = now.heading
    first = next((at for at, line in enumerate(part.lines) if line.strip()), min(1, len(part.lines)))
    last = next((at for at in range(len(part.lines), first, -1) if part.lines[at - 1].strip()), first)
    body = part.lines[first:last]
    if role in LISTS:
        refused = add_missing(now, body) if lost else merge_items(before, now, body)
        part.lines[first:last] = body
        return refused
    if lost:
        return []
    settled = merge_lines(before.body.split("\n") if before else [], now.body.split("\n"), body)
    part.lines[first:last] = settled.lines
    return settled.refused


def _add_part(page: Page, places: dict[Role, Part], role: Role, section: Section) -> Part:
    """Put a new section behind the one it follows in our order, else before the next, else at the end."""
    part = Part(section.heading, ["", *section.body.split("\n"), ""])
    before = [page.parts.index(places[each]) for each in ROLES[: ROLES.index(role)] if each in places]
    after = [page.parts.index(places[each]) for each in ROLES[ROLES.index(role) :] if each in places]
    at = before[-1] + 1 if before else after[0] if after else len(page.parts)
    above = page.parts[at - 1].lines
    if at == len(page.parts) and above and not above[-1]:
        above.pop()
    if not above or above[-1].strip():
        above.append("")
    page.parts.insert(at, part)
    return part
