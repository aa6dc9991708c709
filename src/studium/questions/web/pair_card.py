"""The card of a pair with its evidence: the quote marked on the page image, or in the text."""

import asyncio
from collections.abc import Awaitable, Callable
from urllib.parse import urlencode

from nicegui import html, ui

from studium.core.domain.errors import StudiumError
from studium.core.domain.finding import Evidence
from studium.core.domain.run import Run
from studium.questions.domain import QAPair, RejectedQA
from studium.questions.kinds import lettered
from studium.questions.source_pages import MarkedPage, document_of, has_page_images, marked_page, source_around
from studium.web.components.evidence import evidence, format_locator, mark_quotes
from studium.web.components.labels import chip

_ZOOMS = (100, 150, 200, 300)
# Scrolls the first mark into view, within its own frame only.
_SCROLL_TO_MARK = """(event) => {
  const mark = event.target.parentElement.querySelector(".qa-mark");
  const frame = event.target.closest(".qa-frame");
  if (mark) frame.scrollTo(mark.offsetLeft - 24, mark.offsetTop - frame.clientHeight / 3);
}"""


def marked_page_image(address: str, page: MarkedPage, quote: str) -> None:
    """A page image with the marks over it."""
    with ui.element("figure").classes("qa-sheet"):
        frame = ui.element("div").classes("qa-frame").props('tabindex=0 role=group aria-label="The page"')
        with frame, ui.element("div").classes("qa-paper") as paper:
            image = html.img(src=address, alt=f"Page {page.number} of {page.of}. Marked on it: {quote}")
            image.on("load", js_handler=_SCROLL_TO_MARK)
            for mark in page.marks:
                edges = zip(("left", "top", "width", "height"), mark, strict=True)
                place = ";".join(f"{edge}:{100 * share:.3f}%" for edge, share in edges)
                ui.element("div").classes("qa-mark").style(place).props("aria-hidden=true")
        with ui.element("figcaption").classes("s-row s-between"):
            html.span(f"Page {page.number} of {page.of}")
            _zoom(paper)


def _zoom(paper: ui.element) -> None:
    at = 0

    def draw(step: int) -> None:
        nonlocal at
        at = min(max(at + step, 0), len(_ZOOMS) - 1)
        paper.style(f"width: {_ZOOMS[at]}%")
        label.set_text(f"{_ZOOMS[at]} %")

    with ui.element("div").classes("s-row s-tight"):
        ui.button(icon="zoom_out", on_click=lambda: draw(-1)).props('flat round dense aria-label="Smaller"')
        label = ui.label("100 %").props("aria-live=polite")
        ui.button(icon="zoom_in", on_click=lambda: draw(1)).props('flat round dense aria-label="Larger"')


_VIEWS = {"page": "On the page", "text": "In the text"}


async def show_evidence(pair: QAPair, run: Run | None) -> None:
    """Show every quote of the evidence in its source."""
    for ref in pair.evidence:
        if run is not None and ref.where.page is not None and has_page_images(pair.source_document):
            await _page_or_text(pair, ref, run)
        else:
            await _text(pair, ref, run)


async def _page_or_text(pair: QAPair, ref: Evidence, run: Run) -> None:
    view = ui.toggle(_VIEWS, value="page").props('no-caps unelevated aria-label="How to show the evidence"')
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
        found = await asyncio.to_thread(_marked_page, run, pair.source_document, number, ref.quote)
    except StudiumError as error:
        _quote_alone(ref, f"{error.what} {error.remedy}")
        return
    address = f"/api/v1/questions/runs/{run.id}/pages/{number}?{urlencode({'document': pair.source_document})}"
    marked_page_image(address, found, ref.quote)
    if not found.marks:
        html.p(f"The quote is on this page, but its place cannot be marked: “{ref.quote}”").classes("s-small")


def _marked_page(run: Run, document: str, number: int, quote: str) -> MarkedPage:
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
    if pieces := await asyncio.to_thread(mark_quotes, text, [ref.quote]):
        evidence(pieces, where=format_locator(ref.where))
    else:
        _quote_alone(ref, "The document has changed since; this is the quote as it was.")


def _text_of(run: Run, document: str, ref: Evidence) -> str:
    return source_around(document_of(run, document), ref)


def _quote_alone(ref: Evidence, why: str = "") -> None:
    """Show the stored quote, if its document cannot be shown."""
    evidence([(ref.quote, True)], where=format_locator(ref.where))
    if why:
        html.p(why).classes("s-muted s-small")


FindRun = Callable[[], Awaitable[Run | None]]
"""Finds the run of a pair; None before the run has started."""


class PairCard:
    """One accepted pair; its evidence opens beside it."""

    def __init__(self, pair: QAPair, find_run: FindRun) -> None:
        self.pair, self._find_run = pair, find_run
        with ui.element("article").classes("s-card qa-pair") as self.card:
            with ui.element("div").classes("s-stack qa-said"):
                html.h3(pair.question)
                if pair.choices:
                    with ui.element("ul").classes("qa-choices"):
                        for choice in lettered(pair.choices):
                            html.li(choice)
                html.p(pair.answer).classes("qa-answer")
                with ui.element("div").classes("s-row s-tight"):
                    if pair.kind != "open":
                        chip(pair.kind.replace("_", " "), "info")
                    if pair.difficulty:
                        chip(pair.difficulty)
                    if pair.category == "visual":
                        chip("visual", "info")
                    for where in dict.fromkeys(format_locator(ref.where) for ref in pair.evidence):
                        html.span(where).classes("s-muted s-small qa-name")
                self._button = ui.button("Show evidence", icon="search", on_click=self.toggle)
                self._button.props("outline aria-expanded=false")
            self._proof = ui.element("div").classes("s-stack qa-proof")
            self._proof.set_visibility(False)

    async def toggle(self) -> None:
        """Show or hide the evidence."""
        is_open = not self._proof.visible
        self._proof.set_visibility(is_open)
        self.card.classes(toggle="qa-open")
        self._button.set_text("Hide evidence" if is_open else "Show evidence")
        self._button.props(f"aria-expanded={str(is_open).lower()}")
        if is_open and not self._proof.default_slot.children:
            with self._proof:
                await show_evidence(self.pair, await self._find_run())


def rejected_row(rejected: RejectedQA) -> ui.element:
    """One rejected candidate, and why."""
    with ui.element("article").classes("qa-refused") as row:
        with ui.element("div").classes("s-row s-tight"):
            chip(rejected.rejection_reason.value, "bad")
            html.span(rejected.rejection_detail).classes("s-muted s-small")
        html.p(rejected.question)
        html.p(rejected.answer).classes("s-muted s-small")
        if rejected.duplicate_of:
            html.p(f"Duplicate of: {rejected.duplicate_of}").classes("s-muted s-small")
    return row
