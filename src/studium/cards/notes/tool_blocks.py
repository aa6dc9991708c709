"""Cards of other tools: Obsidian_to_Anki's blocks, also on one line, and inka's numbered sections.

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

from studium.cards.notes.cloze_syntax import to_anki_clozes
from studium.cards.notes.masking import masked_lines
from studium.cards.notes.page import FoundCard, NotePage, anki_tag, is_marker_line, spans, unquoted
from studium.core.domain.finding import Finding

_FIELD = re.compile(r"(Front|Back Extra|Back|Text|Extra|Hint|Add Reverse):(?:[ \t]+|$)")
_TAGS = re.compile(r"Tags:[ \t]*+(.*)")
_BARE_ID = re.compile(r"(?:<!--)?ID: ?\d+(?:-->)?[ \t]*")
_INLINE = re.compile(r"STARTI[ \t]+\[([^\]]{1,200})\][ \t]++(.{0,5000}?)ENDI\b")
_INLINE_PART = re.compile(r"(?<![ \t])[ \t]+(?=(?:Front|Back Extra|Back|Text|Extra|Tags):|(?:<!--)?ID:)")

_CardKind = Literal["basic", "reversed", "cloze"]


def find_block_cards(page: NotePage) -> Iterator[FoundCard | Finding]:
    """Every block between START and END; a block without END becomes a finding."""
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


def _block(page: NotePage, start: int, end: int) -> FoundCard | Finding:
    first = page.first_text(start + 1, end)
    if first + 1 >= end:
        return page.finding("empty_block", start, "This block has no text. Write the note type and the fields into it.")
    draft = _block_card(page.lines[first].strip(), page.lines[first + 1 : end], start, end + 1)
    return _complete(page, replace(draft, asked=page.first_text(first + 1, end)))


def _inline(page: NotePage, index: int) -> Iterator[FoundCard | Finding]:
    found = list(_INLINE.finditer(page.lines[index]))
    for match in found:
        yield _complete(page, _block_card(match[1].strip(), _INLINE_PART.split(match[2]), index, index + 1))
    if not found:
        yield page.finding("unclosed_block", index, "This STARTI has no `[type]` or no ENDI. Write both on one line.")


def _fields(lines: Sequence[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The fields by name, with the unnamed first one as `Front`; and the tags."""
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


def _block_card(note_type: str, lines: Sequence[str], start: int, end: int) -> FoundCard:
    fields, tags = _fields(lines)
    kind = _kind(note_type, fields)
    front = fields.pop("Front") or fields.pop("Text", "")
    if kind == "cloze":
        front = to_anki_clozes(front.split("\n"), masked_lines(front.split("\n")), bare=True)
    back = "" if kind == "cloze" else fields.pop("Back", "")
    extra = "\n\n".join(text for name, text in fields.items() if text and name != "Add Reverse")
    return FoundCard(kind, "blocks", front, back, start, end, extra=extra, tags=tags)


def _complete(page: NotePage, draft: FoundCard) -> FoundCard | Finding:
    """The card, or a finding about what it lacks."""
    asked = draft.start if draft.asked is None else draft.asked
    if not draft.front:
        message = "This block has no question. Write the first field below the note type."
        return page.finding("answer_without_question", asked, message)
    if draft.kind == "cloze" and "{{c" not in draft.front:
        message = "This block has no cloze deletion. Write `{{c1::…}}` around what to learn."
        return page.finding("cloze_without_deletion", asked, message)
    if draft.kind != "cloze" and not draft.back:
        message = "This block has no answer. Write it after `Back:`."
        return page.finding("question_without_answer", asked, message)
    return draft


def _kind(note_type: str, fields: dict[str, str]) -> _CardKind:
    if "cloze" in note_type.lower():
        return "cloze"
    return "reversed" if "revers" in note_type.lower() or fields.get("Add Reverse") else "basic"


_INKA_HINT = re.compile(r"Deck:|Tags:|[ \t]*<!--ID:\d+-->")
_NUMBER = re.compile(r" {0,3}\d{1,9}\.[ \t]+")


def find_inka_cards(page: NotePage) -> Iterator[FoundCard | Finding]:
    """The numbered questions of every section between rules that has a deck, tags or ids."""
    if not any(line.startswith(("Deck:", "Tags:", "<!--ID:")) for line in page.lines):
        return
    rules = [index for index in range(page.header.body, len(page.shown)) if page.rule(index)]
    opening: int | None = None
    for rule in rules:
        if opening is not None and _is_section(page, opening, rule):
            yield from _inka_section_cards(page, opening + 1, rule)
            opening = None
        else:
            opening = rule


def _is_section(page: NotePage, start: int, end: int) -> bool:
    return any(_INKA_HINT.match(line) for line in page.lines[start:end]) and any(
        _NUMBER.match(line) for line in page.shown[start:end]
    )


def _inka_section_cards(page: NotePage, start: int, end: int) -> Iterator[FoundCard | Finding]:
    deck = _value(page, "Deck:", start, end) or None
    tags = tuple(anki_tag(tag) for tag in _value(page, "Tags:", start, end).split())
    numbers = [index for index in range(start, end) if _NUMBER.match(page.shown[index])]
    for number, following in spans(numbers, end):
        last = following
        while page.blank(last - 1) or is_marker_line(page.lines[last - 1]):
            last -= 1
        yield _inka_card(page, number, last, deck, tags)


def _inka_card(page: NotePage, start: int, end: int, deck: str | None, tags: tuple[str, ...]) -> FoundCard | Finding:
    answer = next((index for index in range(start, end) if page.shown[index].startswith(">")), end)
    lines, shown = list(page.lines[start:answer]), list(page.shown[start:answer])
    if answer < end:
        front = _NUMBER.sub("", "\n".join(lines), count=1).strip()
        return FoundCard("basic", "inka", front, unquoted(page.text(answer, end)), start, end, tags=tags, deck=deck)
    text = _NUMBER.sub("", to_anki_clozes(lines, shown, bare=True), count=1).strip()
    if "{{c" in text:
        return FoundCard("cloze", "inka", text, "", start, end, tags=tags, deck=deck)
    message = "This question has no answer. Write it below as a quote: `> answer`."
    return page.finding("question_without_answer", start, message)


def _value(page: NotePage, key: str, start: int, end: int) -> str:
    return next((line[len(key) :].strip() for line in page.lines[start:end] if line.startswith(key)), "")
