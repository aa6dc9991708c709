"""The books: bring quotes, draw concepts from them, see what waits."""

import asyncio
from typing import Any
from urllib.parse import urlencode

from nicegui import html, ui

from studium.core.domain.job import Job
from studium.core.jobs.file_types import QUOTE_TYPES
from studium.faculties.conceptlibrary import Shelved
from studium.service.kinds.concepts import Extract, Parse
from studium.web.house import service
from studium.web.parts.figures import chip, counted
from studium.web.parts.notices import empty_state
from studium.web.parts.orders import going_on, order_progress
from studium.web.parts.uploads import Brought, upload_drop

_TITLES = {
    "concepts.parse": "Reading the quotes",
    "concepts.extract": "Drawing concepts",
    "concepts.answer": "Carrying out your answer",
}


async def show_shelf() -> None:
    """Every book, what is under way, and the place to bring more."""
    underway = ui.element("div").classes("s-stack")
    with underway:
        for order in await going_on("concepts"):
            follow(order)
    books = await asyncio.to_thread(service().concepts.books)
    reviews = await asyncio.to_thread(service().ledger.reviews.select, "open", "concepts", limit=1000)
    waiting = {review.decision.item for review in reviews}
    if books:
        with ui.element("ul").classes("s-card s-list"):
            for book in books:
                _book(book, underway, waits=book.book.title in waiting)
    else:
        empty_state("No books yet", "Bring the quotes of a book below: Markdown, My Clippings.txt, Readwise and more.")
    _bring(underway)


def _book(shelved: Shelved, underway: ui.element, *, waits: bool) -> None:
    book = shelved.book
    with ui.element("li").classes("s-row s-between"):
        with ui.element("div").classes("c-book"):
            html.strong(book.title)
            about = (book.author, counted(shelved.quotes, "quote"), counted(shelved.concepts, "concept"))
            html.span(" · ".join(part for part in about if part)).classes("s-muted s-small")
        with ui.element("div").classes("s-row s-tight"):
            if waits:
                chip("waits for you", "warn")
                html.a("Review", href=review_address(book.uuid)).classes("s-button")
            else:
                _draw_button(book.uuid, book.title, underway)
            if shelved.concepts:
                html.a("On the map", href=f"/concepts?{urlencode({'book': book.title})}").classes("s-button")


def _draw_button(book: str, title: str, underway: ui.element) -> None:
    async def draw() -> None:
        order = await service().order("concepts.extract", Extract(book=book))
        with underway:
            follow(order)

    ui.button("Draw concepts", icon="auto_awesome", on_click=draw).props("outline").props["aria-label"] = (
        f"Draw concepts from {title}"
    )


def _bring(underway: ui.element) -> None:
    with ui.element("section").classes("s-card"):
        html.h2("Bring quotes")
        with ui.element("div").classes("s-row c-bring"):
            title = ui.input("Title, if the file does not say").props("outlined dense")
            author = ui.input("Author, if the file does not say").props("outlined dense")

        async def brought(file: Brought) -> None:
            wish = Parse(file=f"upload:{file.id}", title=title.value.strip(), author=author.value.strip())
            order = await service().order("concepts.parse", wish)
            with underway:
                follow(order)

        upload_drop("Drop a file of quotes, or choose one", [f".{kind}" for kind in sorted(QUOTE_TYPES)], brought)


def follow(order: Job) -> None:
    """Follow an order of this faculty until it is over, and show what is to be done then."""
    if order.kind not in _TITLES:
        return
    name = str(order.request.get("title", ""))
    title = f"{_TITLES[order.kind]}{f' of “{name}”' if name else ''}"
    place = ui.element("div").classes("s-stack")
    with place:
        order_progress(order, title=title, on_end=lambda ended: _ended(ended, place))


def _ended(order: Job, place: ui.element) -> None:
    if order.status != "done":
        return
    with place:
        if order.kind == "concepts.parse":
            _parsed(order.result, place)
        elif order.result["waiting"]:
            ui.navigate.to(review_address(order.result["book"]["uuid"]))
        else:
            show_findings(order.result["findings"] or [{"message": "Nothing new was found to draw concepts from."}])


def _parsed(result: dict[str, Any], place: ui.element) -> None:
    with ui.element("ul").classes("s-card s-list"):
        for book in result["books"]:
            with ui.element("li").classes("s-row s-between"):
                told = f"{counted(book['quotes'], 'quote')}, {book['added']} of them new"
                html.span(f"“{book['title']}”: {told}.")
                _draw_button(book["book"], book["title"], place)
    show_findings(result["findings"])


def show_findings(findings: list[dict[str, Any]]) -> None:
    """What is to be known, line by line."""
    if findings:
        with ui.element("ul").classes("s-card c-findings"):
            for finding in findings:
                html.li(finding["message"])


def review_address(book: str) -> str:
    """Where the proposal for a book is judged."""
    return f"/concepts/review?{urlencode({'book': book})}"
