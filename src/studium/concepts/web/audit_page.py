"""The graph looked over: what is thin, what stands apart, what contradicts, what may be there twice."""

import asyncio
from collections.abc import Sequence

from nicegui import html, ui

from studium.concepts.graph_analysis.audit import Audit, ComparedConcept, ItemRef, QuoteRef
from studium.concepts.graph_cache import graph_cache
from studium.concepts.setup import concept_embedder
from studium.web.components.labels import counted, stat
from studium.web.components.notices import empty_state
from studium.web.service import service

_SHOWN = 50


async def show_audit() -> None:
    """What there is to see to."""
    found = await asyncio.to_thread(graph_cache(service().app).audit, concept_embedder(service().app))
    if found == Audit():
        empty_state("Nothing to see to", "No concept is thin, alone, contradicted or there twice.", icon="task_alt")
        return
    with ui.element("div").classes("s-grid c-figures"):
        stat("carried by one quote", len(found.one_quote))
        stat("without any link", len(found.alone))
        stat("islands", len(found.islands))
        stat("contradictions", len(found.oppositions))
        stat("perhaps twice", len(found.near_duplicates))
        stat("quotes that carry nothing", len(found.unattributed))
    _pairs("Contradictions", [(each.one, each.other, each.reasoning) for each in found.oppositions])
    alike = [(each.one, each.other, f"{each.similarity:.0%} alike") for each in found.near_duplicates]
    _pairs("Perhaps twice", alike)
    _named("Without any link", found.alone)
    _islands(found.islands)
    _named("Carried by no quote", found.no_quotes)
    _named("Carried by one quote", found.one_quote)
    _books(found.unextracted)
    _loose(found.unattributed)


def _pairs(title: str, pairs: Sequence[tuple[ComparedConcept, ComparedConcept, str]]) -> None:
    if pairs:
        html.h2(title)
    for one, other, why in pairs[:_SHOWN]:
        with ui.element("section").classes("s-card"):
            with ui.element("div").classes("s-columns"):
                _side(one)
                _side(other)
            if why:
                html.p(why).classes("s-muted s-small")
    _rest(len(pairs))


def _side(side: ComparedConcept) -> None:
    with ui.element("div").classes("s-stack c-side"):
        with html.h3():
            concept_link(side)
        html.p(side.concept)
        for quote in side.quotes[:2]:
            _quote(quote)


def _quote(quote: QuoteRef) -> None:
    with ui.element("figure").classes("s-evidence"):
        with ui.element("blockquote").props("tabindex=0"):
            html.span(quote.text)
        html.figcaption(quote.book.title)


def _named(title: str, concepts: Sequence[ItemRef]) -> None:
    if concepts:
        html.h2(title)
        with ui.element("ul").classes("s-card c-names"):
            for each in concepts[:_SHOWN]:
                with ui.element("li"):
                    concept_link(each)
        _rest(len(concepts))


def _islands(islands: Sequence[Sequence[ItemRef]]) -> None:
    if islands:
        html.h2("Islands")
        for island in islands[:_SHOWN]:
            with ui.element("ul").classes("s-card c-names"):
                for each in island[:_SHOWN]:
                    with ui.element("li"):
                        concept_link(each)
        _rest(len(islands))


def _books(books: Sequence[ItemRef]) -> None:
    if books:
        html.h2("Books that no concepts were drawn from")
        with ui.element("ul").classes("s-card c-names"):
            for book in books[:_SHOWN]:
                with ui.element("li"):
                    html.a(book.title, href="/concepts/books")


def _loose(quotes: Sequence[QuoteRef]) -> None:
    if quotes:
        html.h2("Quotes that carry nothing")
        for quote in quotes[:_SHOWN]:
            _quote(quote)
        _rest(len(quotes))


def _rest(many: int) -> None:
    if many > _SHOWN:
        html.p(f"And {counted(many - _SHOWN, 'more', 'more')}.").classes("s-muted")


def concept_link(concept: ItemRef | ComparedConcept) -> None:
    """The concept's title, which leads to it."""
    html.a(concept.title, href=f"/concepts?concept={concept.uuid}")
