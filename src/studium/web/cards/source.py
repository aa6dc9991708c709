"""The note that a card came from: the lines around it, with its own lines marked."""

from dataclasses import dataclass
from pathlib import Path

from nicegui import html, ui

from studium.core.domain.decision import Decision
from studium.domain.vault import Vault
from studium.web.cards.rows import note_of
from studium.web.house import service
from studium.web.parts.sources import Lines, lines_around, source_text

_MOST = 120


@dataclass(frozen=True)
class Excerpt:
    """Some lines of a note, and the numbers of those to be marked."""

    note: str
    link: str
    shown: Lines
    marked: frozenset[int]


def excerpt(decision: Decision, vault: Path) -> Excerpt:
    """The lines that a decision is about; of a note that may not be read, what was quoted from it."""
    note = note_of(decision)
    link = Vault(vault, vault.name, ()).link(note)
    text = source_text(service(), note, str(vault))
    if not text:
        quotes = tuple(each.quote for each in decision.evidence)
        return Excerpt(note, link, Lines(1, quotes), frozenset())
    marked = _marked(decision)
    found = lines_around(text, min(marked), max(marked))
    return Excerpt(note, link, Lines(found.first, found.lines[:_MOST]), marked)


def show_excerpt(found: Excerpt) -> None:
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


def _marked(decision: Decision) -> frozenset[int]:
    quoted = [each.where for each in decision.evidence]
    found = [each.where for each in decision.findings if each.where]
    places = [(place.line, place.end_line or place.line) for place in (*quoted, *found) if place.line]
    lines = {line for first, last in places for line in range(first, min(last, first + _MOST) + 1)}
    return frozenset(lines or {(decision.order or {}).get("line", 1)})
