"""The frame that every page stands in: header, navigation, heading, a place for actions.

    @page("/inbox", "Inbox")
    async def inbox() -> None:
        reviews = await asyncio.to_thread(service().ledger.reviews.select)
        with here().actions:
            ui.button("Approve all", on_click=approve_all)
        ui.label(…)

A page may be asynchronous and take arguments (`/runs/{run}`); an error of ours becomes a notice, in the page as in its
handlers. Looks come from `static/studium.css`, not from Tailwind: `s-card`, `s-stack`, `s-row`, `s-grid`, `s-muted`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from inspect import isawaitable
from typing import Any, TypeVar

from nicegui import html, ui

from studium import __version__
from studium.core.domain.errors import StudiumError
from studium.web.navigation import navigation
from studium.web.parts.keys import Keys
from studium.web.parts.notices import problem_notice, tell

Builder = TypeVar("Builder", bound=Callable[..., Any])


@dataclass(frozen=True)
class Frame:
    """What a page may use of its frame."""

    heading: ui.label
    actions: ui.element
    keys: Keys

    def rename(self, title: str) -> None:
        """Give the page another heading, as one that shows a single book does."""
        self.heading.set_text(title)
        ui.page_title(f"{title} · Studium")


_here: ContextVar[Frame] = ContextVar("frame")


def here() -> Frame:
    """The frame of the page that is being built."""
    return _here.get()


def page(path: str, title: str) -> Callable[[Builder], Builder]:
    """Make a function the page at this path, in the frame."""

    def register(build: Builder) -> Builder:
        @wraps(build)
        async def framed(*arguments: Any, **named: Any) -> None:
            with frame(title, path):
                try:
                    building = build(*arguments, **named)
                    if isawaitable(building):
                        await building
                except StudiumError as error:
                    problem_notice(error)

        ui.page(path, title=f"{title} · Studium", response_timeout=15)(framed)
        return build

    return register


@contextmanager
def frame(title: str, path: str) -> Iterator[Frame]:
    """Everything around a page; what is made inside stands under its heading."""
    ui.on_exception(tell)
    keys = Keys()
    with ui.context.client.layout:
        _header(keys).move(target_index=0)
        navigation(path).move(target_index=1)
        html.a("Skip to the page", href="#page").classes("s-skip").move(target_index=0)
    with ui.element("div").classes("s-page").props("id=page tabindex=-1"):
        with ui.element("div").classes("s-page-head"):
            with ui.element("h1"):
                heading = ui.label(title)
            actions = ui.element("div").classes("s-actions")
        with ui.element("div").classes("s-page-body"):
            made = Frame(heading, actions, keys)
            _here.set(made)
            yield made
        _footer()


def _header(keys: Keys) -> ui.element:
    with ui.element("header").classes("s-header") as header:
        with html.a(href="/").classes("s-brand"):
            html.img(src="/favicon.ico", alt="", width=28, height=28)
            html.span("Studium")
        with ui.element("div").classes("s-header-tools"):
            keys.button()
            toggle = ui.button(icon="contrast").props('flat round dense aria-label="Light or dark"')
            toggle.on("click", js_handler="() => studium.toggle()")
    return header


def _footer() -> None:
    with ui.element("div").classes("s-footer"):
        html.span(f"Studium {__version__}")
        html.a("For programs: the API", href="/docs")
