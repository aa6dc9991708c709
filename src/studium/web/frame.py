"""The frame around every page: header, navigation, heading, actions.

    @page("/inbox", "Inbox")
    async def inbox() -> None:
        reviews = await asyncio.to_thread(service().database.reviews.select)
        with current_frame().actions:
            ui.button("Approve all", on_click=approve_all)
        ui.label(…)

A page may be asynchronous and take arguments (`/runs/{run}`); a `StudiumError` becomes a notice, in the page and in its
handlers. Styles come from `static/studium.css`, not from Tailwind: `s-card`, `s-stack`, `s-row`, `s-grid`, `s-muted`.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from inspect import isawaitable
from time import monotonic
from typing import Any, TypeVar

from nicegui import html, ui
from nicegui.events import KeyEventArguments

from studium import __version__
from studium.core.domain.errors import StudiumError
from studium.core.features import all_features
from studium.http.guard import LOGGED_IN
from studium.http.login import LOGOUT_PATH
from studium.web.components.notices import problem_notice, show_error
from studium.web.service import service


@dataclass
class Shortcuts:
    """The keys of one page: `current_frame().keys.on("j", "Next review", next_one)`; `?` lists them."""

    rows: list[tuple[str, str]] = field(default_factory=lambda: [("?", "This help")])
    handlers: dict[str, Callable[[], Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.handlers["?"] = self.show
        ui.keyboard(self._pressed, ignore=["input", "select", "textarea"], repeating=False)

    def on(self, key: str, does: str, handler: Callable[[], Any]) -> None:
        """Call the handler when the key is pressed outside any field; it may be asynchronous."""
        self.rows.append((key, does))
        self.handlers[key] = handler

    def button(self) -> ui.button:
        """The button that opens the help."""
        return ui.button(icon="help_outline", on_click=self.show).props('flat round dense aria-label="Keys and help"')

    def show(self) -> None:
        """Open the help."""
        with ui.dialog(value=True).props('aria-label="Keys"') as dialog, ui.element("div").classes("s-card s-help"):
            html.h2("Keys")
            with ui.element("dl"):
                for key, does in self.rows:
                    with html.dt():
                        html.kbd(key)
                    html.dd(does)
            ui.button("Close", on_click=dialog.close).props("flat")
        dialog.on("hide", dialog.delete)

    async def _pressed(self, pressed: KeyEventArguments) -> None:
        modifiers = pressed.modifiers
        if not pressed.action.keydown or modifiers.ctrl or modifiers.alt or modifiers.meta or _dialog_is_open():
            return
        if handler := self.handlers.get(str(pressed.key)):
            doing = handler()
            if isawaitable(doing):
                await doing


def _dialog_is_open() -> bool:
    """Whether a dialog is open, so that keys must not act on the page behind it."""
    return any(isinstance(each, ui.dialog) and each.value for each in ui.context.client.elements.values())


@dataclass(frozen=True)
class NavLink:
    """One entry of the navigation."""

    path: str
    name: str
    icon: str


NAV_LINKS = (
    NavLink("/", "Home", "home"),
    NavLink("/inbox", "Inbox", "inbox"),
    *(NavLink(f"/{each.name}", each.name.capitalize(), each.tile.icon) for each in all_features()),
    NavLink("/runs", "Runs", "timeline"),
)
_SECONDS_BETWEEN_COUNTS = 4.0


def navigation(path: str) -> ui.element:
    """Links to every page; the open one is marked."""
    with ui.element("nav").classes("s-nav").props('aria-label="Pages"') as nav:
        for place in NAV_LINKS:
            with html.a(href=place.path).classes("s-nav-link") as link:
                ui.icon(place.icon).props("aria-hidden=true")
                html.span(place.name)
                if place.path == "/inbox":
                    _waiting_count()
            if _is_at(path, place):
                link.props("aria-current=page")
    return nav


def _is_at(path: str, place: NavLink) -> bool:
    return path == place.path or (place.path != "/" and path.startswith(f"{place.path}/"))


def _waiting_count() -> None:
    """Show how many reviews are open, and keep the number up to date."""
    count = ui.label().classes("s-count")
    count.set_visibility(False)

    async def refresh() -> None:
        waiting = await _waiting.now()
        count.set_text(str(waiting))
        count.set_visibility(waiting > 0)

    ui.timer(_SECONDS_BETWEEN_COUNTS, refresh)


class _Waiting:
    """The number of open reviews, read once for all visitors."""

    def __init__(self) -> None:
        self._count, self._valid_until = 0, 0.0

    async def now(self) -> int:
        if monotonic() > self._valid_until:
            self._valid_until = monotonic() + _SECONDS_BETWEEN_COUNTS - 1
            self._count = sum((await asyncio.to_thread(service().database.reviews.count)).values())
        return self._count


_waiting = _Waiting()


Builder = TypeVar("Builder", bound=Callable[..., Any])


@dataclass(frozen=True)
class Frame:
    """The parts of the frame that a page can use."""

    heading: ui.label
    actions: ui.element
    keys: Shortcuts

    def rename(self, title: str) -> None:
        """Change the heading of the page."""
        self.heading.set_text(title)
        ui.page_title(f"{title} · Studium")


_current: ContextVar[Frame] = ContextVar("frame")


def current_frame() -> Frame:
    """The frame of the page that is being built."""
    return _current.get()


def page(path: str, title: str) -> Callable[[Builder], Builder]:
    """Register a function as the page at this path, inside the frame."""

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
    """Build everything around a page; the page goes inside."""
    ui.on_exception(show_error)
    keys = Shortcuts()
    with ui.context.client.layout:
        _header(keys).move(target_index=0)
        navigation(path).move(target_index=1)
        html.a("Skip to content", href="#page").classes("s-skip").move(target_index=0)
    with ui.element("div").classes("s-page").props("id=page tabindex=-1"):
        with ui.element("div").classes("s-page-head"):
            with ui.element("h1"):
                heading = ui.label(title)
            actions = ui.element("div").classes("s-actions")
        with ui.element("div").classes("s-page-body"):
            made = Frame(heading, actions, keys)
            _current.set(made)
            yield made
        _footer()


def _header(keys: Shortcuts) -> ui.element:
    with ui.element("header").classes("s-header") as header:
        with html.a(href="/").classes("s-brand"):
            html.img(src="/favicon.ico", alt="", width=28, height=28)
            html.span("Studium")
        with ui.element("div").classes("s-header-tools"):
            keys.button()
            toggle = ui.button(icon="contrast").props('flat round dense aria-label="Light or dark"')
            toggle.on("click", js_handler="() => studium.toggle()")
            _log_out_button()
    return header


def _log_out_button() -> None:
    """A button to log out, for somebody who is logged in; a plain form, which works without a connection."""
    request = ui.context.client.request
    if request and request.scope.get(LOGGED_IN):
        with ui.element("form").props(f"method=post action={LOGOUT_PATH}"):
            button = ui.button(icon="logout").props('flat round dense type=submit aria-label="Log out"')
            button.tooltip("Log out")


def _footer() -> None:
    with ui.element("div").classes("s-footer"):
        html.span(f"Studium {__version__}")
        html.a("API", href="/docs")
