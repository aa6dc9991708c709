"""Reads a note: frontmatter, sections, and every card it defines."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from studium.cards.models import CardSource, Marker, Section
from studium.cards.notes import cloze_syntax, headings, labels_and_callouts, line_syntaxes, tool_blocks, whole_note
from studium.cards.notes.markers import assign_listed, find_markers, note_id
from studium.cards.notes.page import (
    TAKEN_MARK,
    FoundCard,
    NoteOptions,
    NotePage,
    SkippedLines,
    anki_tag,
    card_mark,
    inline_tags,
    is_marker_line,
    note_page,
    read_frontmatter,
    read_header,
    spans,
    without_markers,
)
from studium.core.domain.document import Document
from studium.core.domain.finding import Finding, Locator, Severity

CardFinder = Callable[[NotePage], Iterator[FoundCard | Finding | SkippedLines]]


class CardSyntax(NamedTuple):
    """How to find the cards of one syntax; a note without any of the `hints` has none."""

    find: CardFinder
    hints: tuple[str, ...]

    def may_occur(self, text: str) -> bool:
        """Whether a text may have cards of this syntax."""
        return any(hint in text for hint in self.hints)


FINDERS: Mapping[str, CardSyntax] = {
    "blocks": CardSyntax(tool_blocks.find_block_cards, ("START",)),
    "headings": CardSyntax(headings.find_heading_cards, ("#",)),
    "inka": CardSyntax(tool_blocks.find_inka_cards, ("Deck:", "Tags:", "<!--ID:")),
    "callouts": CardSyntax(labels_and_callouts.find_callout_cards, ("[!",)),
    "tagged": CardSyntax(
        line_syntaxes.find_tagged_cards, ("#card", "#flashcard", "#Card", "#Flashcard", "#CARD", "#FLASHCARD")
    ),
    "labelled": CardSyntax(
        labels_and_callouts.find_labelled_cards, ("Q", "A:", "A*", "A_", "Answer", "Вопрос", "Ответ")
    ),
    "multiline": CardSyntax(line_syntaxes.find_multiline_cards, ("\n?", "\r?", " ?", "\t?")),
    "inline": CardSyntax(line_syntaxes.find_inline_cards, ("::",)),
    "cloze": CardSyntax(cloze_syntax.find_cloze_cards, ("{", "==")),
    "whole": CardSyntax(whole_note.find_whole_note_card, ("",)),
}
"""The syntaxes in the order they are tried; text that one has used is hidden from the later ones."""


MAX_LINE_CHARS = 20_000
MAX_EMBEDDED_CHARS = 10_000

_DEFAULT = NoteOptions()
_FILE_WIDE_HINTS = ("TARGET DECK", "FILE TAGS", "#card", "#flashcard", "#cloze")
_FILE_WIDE = re.compile(r"(?P<key>TARGET DECK|FILE TAGS)(?::[ \t]*+(?P<value>.*)|[ \t]*+)")


@dataclass(frozen=True)
class ParsedNote:
    """A note with its cards in order, and findings about it."""

    slug: str
    path: str
    title: str
    frontmatter: dict[str, Any]
    tags: tuple[str, ...] = ()
    deck: str | None = None
    sections: tuple[Section, ...] = ()
    cards: tuple[CardSource, ...] = ()
    findings: tuple[Finding, ...] = ()


def read_note(document: Document, *, name: str, options: NoteOptions = _DEFAULT) -> ParsedNote:
    """Read the cards out of a note; `name` is its path in the vault."""
    stem = PurePosixPath(name).stem
    if reason := _not_prose(document.text, name):
        where = Locator(path=document.path)
        skipped = Finding(code="note.skipped", severity=Severity.INFO, message=reason, where=where)
        return ParsedNote(name, document.path, stem, {}, findings=(skipped,))
    frontmatter = read_frontmatter(document.text, document.path)
    header = read_header(frontmatter.values, frontmatter.body_line - 1)
    page = _file_wide(note_page(document.text, name, document.path, header, options))
    drafts, rest, findings = _search(page)
    tags = _unique((*page.header.tags, *_loose_tags(rest)))
    cards, doubled = _cards(page, drafts, tags)
    return ParsedNote(
        slug=name,
        path=document.path,
        title=str(header.values.get("title") or stem),
        frontmatter=header.values,
        tags=tags,
        deck=page.header.deck,
        sections=tuple(_sections(page)),
        cards=cards,
        findings=(*frontmatter.findings, *_unclosed(page), *findings, *doubled),
    )


def _not_prose(text: str, name: str) -> str | None:
    """Why a note is skipped: drawings and embedded files are not text, and are slow to search."""
    if name.endswith(".excalidraw.md") or ("excalidraw-plugin" in text[:2000] and text.startswith("---")):
        return "This is an Excalidraw drawing; it is not searched for cards."
    for match in re.finditer(r";base64,", text):
        if not re.search(r"[\s)\"']", text[match.end() : match.end() + MAX_EMBEDDED_CHARS]) and (
            len(text) > match.end() + MAX_EMBEDDED_CHARS
        ):
            return "The note has an embedded file (`data:…;base64,…`); it is not searched. Save the file beside it."
    if len(text) > MAX_LINE_CHARS and max(map(len, text.split("\n"))) > MAX_LINE_CHARS:
        return f"The note has a line of over {MAX_LINE_CHARS // 1000} kB; it is not searched for cards. Break the line."
    return None


def _file_wide(page: NotePage) -> NotePage:
    """Apply Obsidian_to_Anki's TARGET DECK and FILE TAGS, and card tags that are alone on a line."""
    if not any(hint in page.source for hint in _FILE_WIDE_HINTS):
        return page
    header, shown = page.header, list(page.shown)
    marks, tags, deck = set(header.marks), list(header.tags), header.deck
    for index, line in enumerate(page.shown):
        if line[:1] == "#" and not page.heading_at(index) and all(word[:1] == "#" for word in line.split()):
            marks |= {mark for tag in inline_tags(line) if (mark := card_mark(tag))}
        elif line[:1] in "TF" and (match := _FILE_WIDE.fullmatch(line)):
            value = match["value"] or (page.lines[index + 1] if index + 1 < len(page.lines) else "")
            shown[index : index + (1 if match["value"] else 2)] = [TAKEN_MARK] * (1 if match["value"] else 2)
            if match["key"] == "TARGET DECK":
                deck = deck or value.strip() or None
            else:
                tags += [anki_tag(tag) for tag in re.split(r"[,\s]+", value) if tag]
    header = replace(header, marks=frozenset(marks), tags=tuple(tags), deck=deck)
    return replace(page, header=header, shown=shown[: len(page.lines)])


def _search(page: NotePage) -> tuple[list[FoundCard], NotePage, list[Finding]]:
    """Try the syntaxes one after the other; each sees what the ones before have left."""
    drafts: list[FoundCard] = []
    findings: list[Finding] = []
    for name, syntax in FINDERS.items():
        if name in page.options.syntaxes and syntax.may_occur(page.source):
            found = list(syntax.find(page))
            new = [_clean(page, each) for each in found if isinstance(each, FoundCard)]
            findings += [each for each in found if isinstance(each, Finding)]
            findings += [_nothing_left(page, each) for each in new if not _complete(each)]
            drafts += [each for each in new if _complete(each)]
            if taken := [each for each in found if not isinstance(each, Finding)]:
                page = page.without(taken)
    return sorted(drafts, key=lambda draft: (draft.start, draft.end)), page, findings


def _clean(page: NotePage, draft: FoundCard) -> FoundCard:
    """The card without the ids and schedules that tools left in its text."""
    front, back = without_markers(draft.front).strip(), without_markers(draft.back).strip()
    if (front, back) == (draft.front, draft.back):
        return draft
    start = _past_ids(page, draft.start, draft.end)
    asked = None if draft.asked is None else _past_ids(page, draft.asked, draft.end)
    extra = without_markers(draft.extra).strip()
    return replace(draft, start=start, asked=asked, front=front, back=back, extra=extra)


def _past_ids(page: NotePage, at: int, end: int) -> int:
    return next((index for index in range(at, end) if not is_marker_line(page.lines[index])), at)


def _complete(draft: FoundCard) -> bool:
    return bool(draft.front and (draft.back or draft.kind == "cloze"))


def _nothing_left(page: NotePage, draft: FoundCard) -> Finding:
    message = "One side of this card has only ids. Write its text, or remove the card."
    return page.finding("question_without_answer", draft.start, message)


def _cards(
    page: NotePage, drafts: Sequence[FoundCard], tags: tuple[str, ...]
) -> tuple[tuple[CardSource, ...], list[Finding]]:
    """Complete the cards with heading, tags, deck and id; each id belongs to one card only."""
    in_text = find_markers(page, drafts)
    listed = assign_listed(page.header.values, page.lines[: page.header.body], drafts)
    cards: list[CardSource] = []
    findings: list[Finding] = []
    seen: dict[tuple[str, str], int] = {}
    for place, draft in enumerate(drafts):
        marker = _ours_first(in_text.get(place), listed.get(place))
        if not marker and draft.syntax == "whole":
            marker = note_id(page)
        if marker and (first := seen.get((marker.tool, marker.value))):
            message = f"The id {marker.value} is already used on line {first}. Remove it here: this card is a new one."
            findings.append(page.finding("duplicate_id", marker.line - 1, message))
            marker = None
        elif marker:
            seen[marker.tool, marker.value] = marker.line
        cards.append(_card(page, draft, tags, marker))
    return tuple(cards), findings


def _ours_first(in_text: Marker | None, listed: Marker | None) -> Marker | None:
    """The id at the card, unless the one in the frontmatter is ours."""
    return listed if listed and listed.tool == "studium" else in_text or listed


def _card(page: NotePage, draft: FoundCard, tags: tuple[str, ...], marker: Marker | None) -> CardSource:
    heading = page.heading_over(draft.start)
    own = [
        anki_tag(tag)
        for line in page.shown[draft.start if draft.tail is None else draft.tail : draft.end]
        if "#" in line
        for tag in inline_tags(line)
        if not card_mark(tag)
    ]
    return CardSource(
        kind=draft.kind,
        syntax=draft.syntax,
        front=draft.front,
        back=draft.back,
        extra=draft.extra,
        language=draft.language,
        pair=draft.pair,
        heading=heading.title if heading else "",
        line=(draft.start if draft.asked is None else draft.asked) + 1,
        end_line=_last_line(page, draft),
        tags=_unique((*tags, *draft.tags, *own)),
        deck=draft.deck or page.header.deck,
        marker=marker,
    )


def _last_line(page: NotePage, draft: FoundCard) -> int:
    """The number of the card's last line, without ids below the text."""
    end = draft.end
    while end > draft.start + 1 and (page.blank(end - 1) or is_marker_line(page.lines[end - 1])):
        end -= 1
    return end


def _loose_tags(page: NotePage) -> Iterator[str]:
    """The tags outside of all cards, which apply to the whole note."""
    for line in page.shown:
        if "#" in line:
            yield from (anki_tag(tag) for tag in inline_tags(line) if not card_mark(tag))


def _sections(page: NotePage) -> Iterator[Section]:
    """The note split at its headings; text before the first heading is a section without one."""
    starts = list(page.headings)
    if lead := page.text(page.header.body, starts[0] if starts else len(page.lines)):
        yield Section(heading="", text=lead, line=page.first_text(page.header.body, len(page.lines)) + 1)
    for start, end in spans(starts, len(page.lines)):
        heading = page.headings[start]
        yield Section(heading=heading.title, text=page.text(start + 1, end), line=start + 1, level=heading.level)


def _unclosed(page: NotePage) -> Iterator[Finding]:
    if page.unclosed_fence is not None:
        message = "This code block is not closed, so nothing after it is read. Close it with the same characters."
        yield page.finding("unclosed_code", page.unclosed_fence, message)


def _unique(tags: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag for tag in tags if tag))
