"""The way from page to page: beside the page on a desk, below it on a phone."""

import asyncio
from dataclasses import dataclass
from time import monotonic

from nicegui import html, ui

from studium.web.house import service


@dataclass(frozen=True)
class Place:
    """One entry of the navigation."""

    path: str
    name: str
    icon: str


PLACES = (
    Place("/", "Home", "home"),
    Place("/inbox", "Inbox", "inbox"),
    Place("/cards", "Cards", "style"),
    Place("/vocabulary", "Vocabulary", "translate"),
    Place("/questions", "Questions", "quiz"),
    Place("/concepts", "Concepts", "hub"),
    Place("/tutor", "Tutor", "router"),
    Place("/runs", "Runs", "timeline"),
)
_SECONDS_BETWEEN_COUNTS = 4.0


def navigation(path: str) -> ui.element:
    """Links to every page; the one that is open is marked."""
    with ui.element("nav").classes("s-nav").props('aria-label="Pages"') as nav:
        for place in PLACES:
            with html.a(href=place.path).classes("s-nav-link") as link:
                ui.icon(place.icon).props("aria-hidden=true")
                html.span(place.name)
                if place.path == "/inbox":
                    _waiting_count()
            if _is_at(path, place):
                link.props("aria-current=page")
    return nav


def _is_at(path: str, place: Place) -> bool:
    return path == place.path or (place.path != "/" and path.startswith(f"{place.path}/"))


def _waiting_count() -> None:
    """How many reviews wait, as it is now."""
    count = ui.label().classes("s-count")
    count.set_visibility(False)

    async def refresh() -> None:
        waiting = await _waiting.now()
        count.set_text(str(waiting))
        count.set_visibility(waiting > 0)

    ui.timer(_SECONDS_BETWEEN_COUNTS, refresh)


class _Waiting:
    """How many reviews wait, looked up once for all visitors."""

    def __init__(self) -> None:
        self._count, self._holds_until = 0, 0.0

    async def now(self) -> int:
        if monotonic() > self._holds_until:
            self._holds_until = monotonic() + _SECONDS_BETWEEN_COUNTS - 1
            self._count = sum((await asyncio.to_thread(service().ledger.reviews.count)).values())
        return self._count


_waiting = _Waiting()
