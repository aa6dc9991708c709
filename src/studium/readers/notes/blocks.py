"""Obsidian_to_Anki's blocks, also on one line.

START                                       STARTI [Basic] What is 2 + 2? Back: 4 ENDI
Basic
What does OSPF flood?
Back: Link-state advertisements.
Tags: network routing
<!--ID: 1566052191670-->
END
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from studium.core.domain.finding import Finding
from studium.readers.notes.cloze import as_anki_clozes
from studium.readers.notes.header import anki_tag
from studium.readers.notes.masking import masked_lines
from studium.readers.notes.page import Draft, NotePage

_FIELD = re.compile(r"(Front|Back Extra|Back|Text|Extra|Hint|Add Reverse):(?:[ \t]+|$)")
_TAGS = re.compile(r"Tags:[ \t]*(.*)")
_BARE_ID = re.compile(r"(?:<!--)?ID: ?\d+(?:-->)?[ \t]*")
_INLINE = re.compile(r"STARTI[ \t]+\[([^\]]+)\][ \t]+(.{0,5000}?)ENDI\b")
_INLINE_PART = re.compile(r"(?<![ \t])[ \t]+(?=(?:Front|Back Extra|Back|Text|Extra|Tags):|(?:<!--)?ID:)")

_Kind = Literal["basic", "reversed", "cloze"]


def find_cards(page: NotePage) -> Iterator[Draft | Finding]:
    """Every block between START and END; one that does not end is said."""
    index = page.header.body
    while index < len(page.shown):
        line = page.shown[index]
        if line.rstrip() == "START":
            end = _end(page, index)
            if end is None:
                yield page.finding(
                    "unclosed_block", index, "This START has no END. Write END on a line after the card."
                )
            else:
                yield _block(page, index, end)
                index = end
        elif "STARTI" in line:
            yield from _inline(page, index)
        index += 1


def _end(page: NotePage, start: int) -> int | None:
    for index in range(start + 1, len(page.shown)):
        line = page.shown[index].rstrip()
        if line == "END":
            return index
        if line == "START":
            return None
    return None


def _block(page: NotePage, start: int, end: int) -> Draft | Finding:
    first = page.first_text(start + 1, end)
    if first + 1 >= end:
        return page.finding("empty_block", start, "This block has no text. Write the note type and the fields into it.")
    draft = _draft(page.lines[first].strip(), page.lines[first + 1 : end], start, end + 1)
    return _complete(page, replace(draft, asked=page.first_text(first + 1, end)))


def _inline(page: NotePage, index: int) -> Iterator[Draft | Finding]:
    found = list(_INLINE.finditer(page.lines[index]))
    for match in found:
        yield _complete(page, _draft(match[1].strip(), _INLINE_PART.split(match[2]), index, index + 1))
    if not found:
        yield page.finding("unclosed_block", index, "This STARTI has no `[type]` or no ENDI. Write both on one line.")


def _fields(lines: Sequence[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The fields by name, the unnamed first one as `Front`; and the tags."""
    fields: dict[str, list[str]] = {"Front": []}
    name, tags = "Front", ""
    for line in lines:
        if match := _TAGS.fullmatch(line):
            tags = match[1]
        elif match := _FIELD.match(line):
            name = match[1]
            fields.setdefault(name, []).append(line[match.end() :])
        elif not _BARE_ID.fullmatch(line):
            fields[name].append(line)
    texts = {name: "\n".join(parts).strip() for name, parts in fields.items()}
    return texts, tuple(anki_tag(tag) for tag in re.split(r"[,\s]+", tags) if tag)


def _draft(note_type: str, lines: Sequence[str], start: int, end: int) -> Draft:
    fields, tags = _fields(lines)
    kind = _kind(note_type, fields)
    front = fields.pop("Front") or fields.pop("Text", "")
    if kind == "cloze":
        front = as_anki_clozes(front.split("\n"), masked_lines(front.split("\n")), bare=True)
    back = "" if kind == "cloze" else fields.pop("Back", "")
    extra = "\n\n".join(text for name, text in fields.items() if text and name != "Add Reverse")
    return Draft(kind, "blocks", front, back, start, end, extra=extra, tags=tags)


def _complete(page: NotePage, draft: Draft) -> Draft | Finding:
    """The card, or what it lacks."""
    asked = draft.start if draft.asked is None else draft.asked
    if not draft.front:
        message = "This block has no question. Write the first field below the note type."
        return page.finding("answer_without_question", asked, message)
    if draft.kind == "cloze" and "{{c" not in draft.front:
        message = "This block has no cloze deletion. Write `{{c1::…}}` around what is to be asked."
        return page.finding("cloze_without_deletion", asked, message)
    if draft.kind != "cloze" and not draft.back:
        message = "This block has no answer. Write it behind `Back:`."
        return page.finding("question_without_answer", asked, message)
    return draft


def _kind(note_type: str, fields: dict[str, str]) -> _Kind:
    if "cloze" in note_type.lower():
        return "cloze"
    return "reversed" if "revers" in note_type.lower() or fields.get("Add Reverse") else "basic"
