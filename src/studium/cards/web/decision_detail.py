"""The details of one decision: the card as Anki shows it, the reasons, the changes and the source."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from nicegui import html, ui

from studium.cards.models import FieldChange
from studium.cards.sync.changes import AnkiChange, note_of
from studium.cards.web.card_frame import CardFrame, RenderedSides, card_frame, shown_cards
from studium.core.documents.vault import Vault
from studium.core.domain.decision import Action, Decision, review_id
from studium.core.reader_process import outside_server
from studium.core.text.html import visible_text
from studium.core.text.locate import UNSPACED
from studium.core.text.three_way_merge import diff_tokens
from studium.web.components.evidence import SourceLines, lines_around, source_text
from studium.web.components.labels import chip
from studium.web.service import service

_TOKEN = re.compile(rf"\s+|[{UNSPACED}]|[^\W{UNSPACED}]+|.", re.DOTALL)


class DiffPart(NamedTuple):
    """A piece of text that is unchanged, removed or added."""

    kind: Literal["same", "gone", "new"]
    text: str


@outside_server(lambda _old, _new: "The card")
def word_diff(old: str, new: str) -> list[DiffPart]:
    """The difference of two texts as a person reads them, or of their HTML if they read the same."""
    before, after = visible_text(old), visible_text(new)
    if before == after:
        before, after = old, new
    return [part for part in _diff_parts(_TOKEN.findall(before), _TOKEN.findall(after)) if part.text]


def _diff_parts(before: list[str], after: list[str]) -> Iterator[DiffPart]:
    at = 0
    for hunk in diff_tokens(before, after):
        yield DiffPart("same", "".join(before[at : hunk.start]))
        yield DiffPart("gone", "".join(before[hunk.start : hunk.end]))
        yield DiffPart("new", "".join(after[hunk.left : hunk.right]))
        at = hunk.end
    yield DiffPart("same", "".join(before[at:]))


_MAX_LINES = 120


@dataclass(frozen=True)
class NoteExcerpt:
    """Some lines of a note, and the numbers of the lines to highlight."""

    note: str
    link: str
    shown: SourceLines
    marked: frozenset[int]


def read_excerpt(decision: Decision, vault: Path) -> NoteExcerpt:
    """The lines that a decision is about, or its quotes if the note may not be read."""
    note = note_of(decision)
    link = Vault(vault, vault.name, ()).link(note)
    text = source_text(service(), note, str(vault))
    if not text:
        quotes = tuple(each.quote for each in decision.evidence)
        return NoteExcerpt(note, link, SourceLines(1, quotes), frozenset())
    marked = _marked_lines(decision)
    found = lines_around(text, min(marked), max(marked))
    return NoteExcerpt(note, link, SourceLines(found.first, found.lines[:_MAX_LINES]), marked)


def show_excerpt(found: NoteExcerpt) -> None:
    """Show the lines as plain text."""
    with ui.element("section").classes("s-stack s-tight"):
        with ui.element("div").classes("s-row s-between"):
            html.h3("From the note")
            html.a("Open in Obsidian", href=found.link).classes("s-small")
        html.span(found.note).classes("s-muted s-small s-wrap")
        if not found.shown.lines:
            html.p("The note is gone, or is outside the folders that may be read.").classes("s-muted")
            return
        with (
            ui.element("ol")
            .classes("s-source")
            .props(f'start={found.shown.first} tabindex=0 aria-label="Lines of the note"')
        ):
            for number, line in enumerate(found.shown.lines, found.shown.first):
                with html.li():
                    (html.mark if number in found.marked else html.span)(line or " ")


def _marked_lines(decision: Decision) -> frozenset[int]:
    quoted = [each.where for each in decision.evidence]
    found = [each.where for each in decision.findings if each.where]
    places = [(place.line, place.end_line or place.line) for place in (*quoted, *found) if place.line]
    lines = {line for first, last in places for line in range(first, min(last, first + _MAX_LINES) + 1)}
    return frozenset(lines or {(decision.change or {}).get("line", 1)})


_ELEMENTS = {"same": html.span, "gone": html.del_, "new": html.ins}


@dataclass(frozen=True)
class DecisionDetail:
    """Everything that is shown of a decision, prepared outside the event loop."""

    decision: Decision
    cards: RenderedSides
    changes: list[tuple[FieldChange, list[DiffPart]]]
    source: NoteExcerpt


def prepare_detail(decision: Decision, vault: Path) -> DecisionDetail:
    """Render the card, compute the differences and read the source; this takes a while, so call it in a thread."""
    change = AnkiChange.of(decision)
    fields = change.diff.changes if change and change.diff else ()
    changes = [(each, word_diff(each.old, each.new)) for each in fields]
    return DecisionDetail(decision, shown_cards(decision, vault), changes, read_excerpt(decision, vault))


def show_detail(detail: DecisionDetail) -> CardFrame | None:
    """Show a decision; returns the frame that holds its card."""
    decision = detail.decision
    _head(decision)
    frame = card_frame(detail.cards) if detail.cards else None
    _reasons(decision)
    _changes(detail)
    show_excerpt(detail.source)
    return frame


def _head(decision: Decision) -> None:
    change, proposal = AnkiChange.of(decision), decision.proposal or {}
    with ui.element("div").classes("s-row s-between"):
        html.h2(note_of(decision).rpartition("/")[2].removesuffix(".md")).classes("s-wrap")
        with ui.element("div").classes("s-row s-tight"):
            chip(decision.action.value)
            if decision.score is not None:
                chip(f"score {decision.score:.2f}", "neutral")
    facts = {
        "Deck": (change and change.deck) or proposal.get("deck_name"),
        "Moves to": change and change.move_to,
        "Type": (change and change.note_type) or proposal.get("model_name"),
        "Tags": ", ".join((change and change.add_tags) or proposal.get("tags", ())),
    }
    if any(facts.values()):
        line = " · ".join(f"{name}: {value}" for name, value in facts.items() if value)
        html.p(line).classes("s-muted s-small s-wrap")
    if change and change.kind == "retire":
        html.p("Its source is gone: the card is suspended and keeps its history.")


def _reasons(decision: Decision) -> None:
    said = {finding.message for finding in decision.findings}
    reasons = [reason for reason in decision.reasons if reason not in said]
    if reasons or decision.findings:
        with ui.element("section").classes("s-stack s-tight"):
            html.h3("Why")
            with ui.element("ul").classes("s-reasons"):
                for reason in reasons:
                    html.li(reason)
                for finding in decision.findings:
                    with html.li():
                        chip(finding.severity.value)
                        html.span(finding.message)
                        html.code(finding.code).classes("s-muted s-small")
    if decision.action is Action.MANUAL_REVIEW:
        html.a("Decide in the inbox", href=f"/inbox?review={review_id('cards', decision)}").classes("s-button")


def _changes(detail: DecisionDetail) -> None:
    if not detail.changes:
        return
    with ui.element("section").classes("s-stack s-tight"):
        html.h3("What changes")
        for change, parts in detail.changes:
            with ui.element("div").classes("s-row s-tight"):
                html.strong(change.field)
                html.span(change.severity).classes("s-muted s-small")
            with ui.element("p").classes("s-difference"):
                for part in parts:
                    _ELEMENTS[part.kind](part.text)
