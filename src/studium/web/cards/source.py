"""The note that a card came from: the lines around it, with its own lines marked."""

from dataclasses import dataclass
from pathlib import Path

from nicegui import html, ui

from studium.domain.decision import Decision
from studium.domain.errors import BadInput
from studium.domain.vault import Vault
from studium.web.cards.rows import note_of
from studium.web.house import service

_AROUND = 6
_MOST = 120
_LARGEST = 2_000_000


@dataclass(frozen=True)
class Excerpt:
    """Some lines of a note, from the line `first` on, and the numbers of those to be marked."""

    note: str
    link: str
    first: int
    lines: tuple[str, ...]
    marked: frozenset[int]


def excerpt(decision: Decision, vault: Path) -> Excerpt:
    """The lines that a decision is about; of a note that may not be read, what was quoted from it."""
    note = note_of(decision)
    link = Vault(vault, vault.name, ()).link(note)
    marked = _marked(decision)
    lines = _read(vault / note)
    if lines is None:
        quotes = tuple(each.quote for each in decision.evidence)
        return Excerpt(note, link, 1, quotes, frozenset())
    first = max(1, min(marked, default=1) - _AROUND)
    last = min(len(lines), max(marked, default=1) + _AROUND, first + _MOST)
    return Excerpt(note, link, first, tuple(lines[first - 1 : last]), marked)


def show_excerpt(found: Excerpt) -> None:
    """Show the lines, all of them as text."""
    with ui.element("section").classes("s-stack s-tight"):
        with ui.element("div").classes("s-row s-between"):
            html.h3("From the note")
            html.a("Open in Obsidian", href=found.link).classes("s-small")
        html.span(found.note).classes("s-muted s-small s-wrap")
        if not found.lines:
            html.p("The note has gone, or lies outside the folders that may be read.").classes("s-muted")
            return
        with (
            ui.element("ol").classes("s-source").props(f'start={found.first} tabindex=0 aria-label="Lines of the note"')
        ):
            for number, line in enumerate(found.lines, found.first):
                with html.li():
                    (html.mark if number in found.marked else html.span)(line or " ")


def _marked(decision: Decision) -> frozenset[int]:
    quoted = [each.where for each in decision.evidence]
    found = [each.where for each in decision.findings if each.where]
    places = [(place.line, place.end_line or place.line) for place in (*quoted, *found) if place.line]
    lines = {line for first, last in places for line in range(first, min(last, first + _MOST) + 1)}
    return frozenset(lines or {(decision.order or {}).get("line", 1)})


def _read(path: Path) -> list[str] | None:
    try:
        found = service().find(str(path))
        if found.stat().st_size > _LARGEST:
            return None
        return found.read_text(encoding="utf-8", errors="replace").splitlines()
    except (BadInput, OSError):
        return None
