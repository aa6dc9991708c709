"""The proof of a pair: its quote marked in the text, or on the page as it looks."""

import asyncio
from urllib.parse import urlencode

from nicegui import html, ui

from studium.core.domain.errors import StudiumError
from studium.core.domain.finding import Evidence
from studium.core.domain.run import Run
from studium.domain.question import QAPair
from studium.faculties.proofs import Page, document_of, has_page_images, marked_page, source_around
from studium.web.parts.evidence import evidence, marked, place
from studium.web.questions.sheet import sheet

_VIEWS = {"page": "On the page", "text": "In the text"}


async def show_proof(pair: QAPair, run: Run | None) -> None:
    """Every quote that the answer rests on, in its source."""
    for ref in pair.content_refs:
        if run is not None and ref.where.page is not None and has_page_images(pair.source_document):
            await _two_ways(pair, ref, run)
        else:
            await _text(pair, ref, run)


async def _two_ways(pair: QAPair, ref: Evidence, run: Run) -> None:
    view = ui.toggle(_VIEWS, value="page").props('no-caps unelevated aria-label="How to show the proof"')
    shown = ui.element("div").classes("s-stack")

    async def show() -> None:
        shown.clear()
        with shown:
            await (_page(pair, ref, run) if view.value == "page" else _text(pair, ref, run))

    view.on_value_change(show)
    await show()


async def _page(pair: QAPair, ref: Evidence, run: Run) -> None:
    number = ref.where.page or 1
    try:
        found = await asyncio.to_thread(_found_on, run, pair.source_document, number, ref.quote)
    except StudiumError as error:
        _quote_alone(ref, f"{error.what} {error.remedy}")
        return
    address = f"/api/v1/questions/runs/{run.id}/pages/{number}?{urlencode({'document': pair.source_document})}"
    sheet(address, found, ref.quote)
    if not found.marks:
        html.p(f"The quote is on this page, in a place that cannot be marked: “{ref.quote}”").classes("s-small")


def _found_on(run: Run, document: str, number: int, quote: str) -> Page:
    return marked_page(document_of(run, document), number, quote)


async def _text(pair: QAPair, ref: Evidence, run: Run | None) -> None:
    if run is None:
        _quote_alone(ref)
        return
    try:
        text = await asyncio.to_thread(_text_of, run, pair.source_document, ref)
    except StudiumError as error:
        _quote_alone(ref, f"{error.what} {error.remedy}")
        return
    if pieces := marked(text, [ref.quote]):
        evidence(pieces, where=place(ref.where))
    else:
        _quote_alone(ref, "The document has changed since: this is the quote as it was.")


def _text_of(run: Run, document: str, ref: Evidence) -> str:
    return source_around(document_of(run, document), ref)


def _quote_alone(ref: Evidence, why: str = "") -> None:
    """What is left where the document is not: the quote, as it was kept."""
    evidence([(ref.quote, True)], where=place(ref.where))
    if why:
        html.p(why).classes("s-muted s-small")
