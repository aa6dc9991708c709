"""One concept: what it says, how it relates to others, and the quotes that carry it."""

import asyncio
from collections.abc import Callable
from itertools import groupby

from nicegui import html, ui

from studium.domain.concept import Content, Quote, Relation
from studium.faculties.conceptgraph import Shown
from studium.web.concepts.obsidian import VaultNote, note_of
from studium.web.concepts.words import DRAWN, SAID
from studium.web.house import service
from studium.web.parts.evidence import evidence

Choose = Callable[[str], None]


async def show_concept(concept: str, choose: Choose) -> None:
    """The concept; another one that is clicked is chosen instead."""
    shown = await asyncio.to_thread(service().concepts.concept, concept)
    note = await asyncio.to_thread(note_of, service().settings, service().ledger, shown.concept.uuid)
    ui.button("All concepts", icon="arrow_back", on_click=lambda: choose("")).props("flat dense")
    html.h2(shown.concept.title)
    html.p(shown.concept.concept).classes("c-says")
    if shown.concept.analysis:
        html.p(shown.concept.analysis).classes("s-muted c-says")
    _relations(shown, choose)
    _quotes(shown)
    _note(note)


def _relations(shown: Shown, choose: Choose) -> None:
    html.h3("Relations")
    if not shown.relations:
        html.p("It stands alone.").classes("s-muted")
    order = list(SAID)
    by_kind = sorted(shown.relations, key=lambda each: (order.index(each[0].type), each[1]))
    for kind, group in groupby(by_kind, key=lambda each: each[0].type):
        with ui.element("div").classes("c-relation"):
            drawn = kind if kind in DRAWN else kind.inverse
            html.span(SAID[kind]).classes("c-kind").style(f"--line-colour: var(--relation-{drawn.lower()})")
            with ui.element("ul"):
                for relation, title in group:
                    _relation(relation, title, choose)


def _relation(relation: Relation, title: str, choose: Choose) -> None:
    with ui.element("li"):
        link = html.a(title, href=f"/concepts?concept={relation.target}")
        link.on("click.prevent", lambda: choose(relation.target))
        if relation.reasoning:
            html.span(relation.reasoning).classes("s-muted s-small c-why")


def _quotes(shown: Shown) -> None:
    html.h3("Quotes")
    for support, quote, book in shown.supports:
        quote_figure(quote, book)
        if support.reasoning:
            html.p(support.reasoning).classes("s-muted s-small")


def quote_figure(quote: Quote, book: Content) -> None:
    """A quote, with where it stands and what its reader wrote beside it."""
    where = " · ".join(part for part in (book.title, quote.section, quote.page_reference) if part)
    figure = evidence([(quote.text, False)], where=where)
    if quote.note:
        with figure:
            html.p(quote.note).classes("s-small")


def _note(note: VaultNote | None) -> None:
    if note is None:
        return
    html.h3("Note")
    html.a("Open in Obsidian", href=note.link).classes("s-button")
    with ui.expansion("The note itself").props("dense"):
        html.pre(note.text).classes("c-note-text").props("tabindex=0")
