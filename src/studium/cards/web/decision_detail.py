"""One decision of a plan: the card as Anki shows it, why it was decided so, what changes, and where it came from."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from nicegui import html, ui

from studium.cards.web.card_frame import CardFrame, RenderedSides, card_frame, shown_cards
from studium.cards.web.plan_rows import StoredPlan, note_of
from studium.core.documents.vault import Vault
from studium.core.domain.decision import Action, Decision, review_id
from studium.core.text.html import visible_text
from studium.core.text.locate import UNSPACED
from studium.core.text.three_way_merge import diff_tokens
from studium.web.components.evidence import SourceLines, lines_around, source_text
from studium.web.components.labels import chip
from studium.web.service import service

_TOKEN = re.compile(rf"\s+|[{UNSPACED}]|[^\W{UNSPACED}]+|.", re.DOTALL)


class DiffPart(NamedTuple):
    """A piece of text that stays, goes or comes."""

    kind: Literal["same", "gone", "new"]
    text: str


def word_diff(old: str, new: str) -> list[DiffPart]:
    """How one text becomes another, told in what a person reads; where that is the same, in the HTML."""
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


_MOST = 120


@dataclass(frozen=True)
class NoteExcerpt:
    """Some lines of a note, and the numbers of those to be marked."""

    note: str
    link: str
    shown: SourceLines
    marked: frozenset[int]


def read_excerpt(decision: Decision, vault: Path) -> NoteExcerpt:
    """The lines that a decision is about; of a note that may not be read, what was quoted from it."""
    note = note_of(decision)
    link = Vault(vault, vault.name, ()).link(note)
    text = source_text(service(), note, str(vault))
    if not text:
        quotes = tuple(each.quote for each in decision.evidence)
        return NoteExcerpt(note, link, SourceLines(1, quotes), frozenset())
    marked = _marked_lines(decision)
    found = lines_around(text, min(marked), max(marked))
    return NoteExcerpt(note, link, SourceLines(found.first, found.lines[:_MOST]), marked)


def show_excerpt(found: NoteExcerpt) -> None:
    """Show the lines, all of them as text."""
    with ui.element("section").classes("s-stack s-tight"):
        with ui.element("div").classes("s-row s-between"):
            html.h3("From the note")
            html.a("Open in Obsidian", href=found.link).classes("s-small")
        html.span(found.note).classes("s-muted s-small s-wrap")
        if not found.shown.lines:
            html.p("The note has gone, or lies outside the folders that may be read.").classes("s-muted")
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
    lines = {line for first, last in places for line in range(first, min(last, first + _MOST) + 1)}
    return frozenset(lines or {(decision.order or {}).get("line", 1)})


_ELEMENTS = {"same": html.span, "gone": html.del_, "new": html.ins}


@dataclass(frozen=True)
class DecisionDetail:
    """All that is shown of a decision, made ready away from the event loop."""

    decision: Decision
    cards: RenderedSides
    changes: list[tuple[dict[str, Any], list[DiffPart]]]
    source: NoteExcerpt


async def load_detail(planned: StoredPlan, number: int) -> DecisionDetail:
    """Make ready what is shown of the decision of this number."""
    return await asyncio.to_thread(_prepare, planned, number)


def show_detail(detail: DecisionDetail) -> CardFrame | None:
    """Show a decision; says which frame holds its card."""
    decision = detail.decision
    _head(decision)
    frame = card_frame(detail.cards) if detail.cards else None
    _reasons(decision)
    _changes(detail)
    show_excerpt(detail.source)
    return frame


def _prepare(planned: StoredPlan, number: int) -> DecisionDetail:
    decision, vault = planned.decision(number), planned.vault
    diff = (decision.order or {}).get("diff") or {}
    changes = [(change, word_diff(change["old"], change["new"])) for change in diff.get("changes", ())]
    return DecisionDetail(decision, shown_cards(decision, vault), changes, read_excerpt(decision, vault))


def _head(decision: Decision) -> None:
    order, proposal = decision.order or {}, decision.proposal or {}
    with ui.element("div").classes("s-row s-between"):
        html.h2(note_of(decision).rpartition("/")[2].removesuffix(".md")).classes("s-wrap")
        with ui.element("div").classes("s-row s-tight"):
            chip(decision.action.value)
            if decision.score is not None:
                chip(f"score {decision.score:.2f}", "neutral")
    told = {
        "Deck": order.get("deck") or proposal.get("deck_name"),
        "Moves to": order.get("move_to"),
        "Type": order.get("note_type") or proposal.get("model_name"),
        "Tags": ", ".join([*order.get("add_tags", ())] or proposal.get("tags", ())),
    }
    if any(told.values()):
        line = " · ".join(f"{name}: {value}" for name, value in told.items() if value)
        html.p(line).classes("s-muted s-small s-wrap")
    if order.get("kind") == "retire":
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
        html.a("Answer it in the inbox", href=f"/inbox?review={review_id('cards', decision)}").classes("s-button")


def _changes(detail: DecisionDetail) -> None:
    if not detail.changes:
        return
    with ui.element("section").classes("s-stack s-tight"):
        html.h3("What changes")
        for change, parts in detail.changes:
            with ui.element("div").classes("s-row s-tight"):
                html.strong(str(change["field"]))
                html.span(str(change["severity"])).classes("s-muted s-small")
            with ui.element("p").classes("s-difference"):
                for part in parts:
                    _ELEMENTS[part.kind](part.text)
