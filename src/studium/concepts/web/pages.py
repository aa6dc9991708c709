"""The pages of the concepts feature: graph, books, review and health check."""

import asyncio
from pathlib import Path

from nicegui import background_tasks, html, ui

from studium.concepts.graph_cache import GraphViewFilter, graph_cache
from studium.concepts.web.books_page import show_books, show_publish_and_undo
from studium.concepts.web.graph_page import show_audit, show_graph
from studium.concepts.web.review_page import show_review
from studium.web.components.notices import empty_state
from studium.web.frame import current_frame, page
from studium.web.service import service

_CSS = Path(__file__).parent / "concepts.css"
_VIEWS = {"/concepts": "Graph", "/concepts/books": "Books", "/concepts/audit": "Health check"}


@page("/concepts", "Concepts")
async def graph(concept: str = "", book: str = "", depth: int = 0) -> None:
    """The graph page, with the selected concept."""
    _page_header("/concepts")
    library = graph_cache(service().app)
    if not (await asyncio.to_thread(library.counts))["Concept"]:
        with empty_state(
            "No concepts yet", "Import highlights from a book, then extract concepts from them.", icon="hub"
        ):
            html.a("Import highlights", href="/concepts/books").classes("s-button")
        return
    if not depth:  # the map is drawn while the browser gets ready to ask for it
        background_tasks.create(
            asyncio.to_thread(library.graph_view, GraphViewFilter()), name="draw the map of concepts"
        )
    of = (await asyncio.to_thread(library.book, book)).title if book else ""
    await show_graph(concept, of, max(0, min(depth, 3)))


@page("/concepts/books", "Books")
async def books() -> None:
    """The books page, with publishing, export and undo."""
    _page_header("/concepts/books")
    await show_books()
    await show_publish_and_undo()


@page("/concepts/review", "Review")
async def review(book: str = "") -> None:
    """The review page of a book."""
    _page_header("/concepts/books")
    await show_review(book)


@page("/concepts/audit", "Health check")
async def audit() -> None:
    """The health check page."""
    _page_header("/concepts/audit")
    await show_audit()


def _page_header(path: str) -> None:
    ui.add_css(_CSS)
    with current_frame().actions, ui.element("nav").classes("s-row s-tight").props('aria-label="Concepts"'):
        for address, name in _VIEWS.items():
            link = html.a(name, href=address).classes("s-button")
            if address == path:
                link.props("aria-current=page")
