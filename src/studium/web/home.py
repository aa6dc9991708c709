"""Home: what was made, what waits, what ran last, and the way to each faculty."""

import asyncio
from dataclasses import dataclass

from nicegui import html, ui

from studium.domain.order import Order
from studium.domain.run import Run
from studium.faculties.labs import lab_names
from studium.service.kinds.demo import Fill
from studium.service.service import Service
from studium.stores.ledger import Ledger
from studium.web.frame import here, page
from studium.web.house import service
from studium.web.parts.figures import chip, stat
from studium.web.parts.moments import ago
from studium.web.parts.notices import empty_state
from studium.web.parts.orders import going_on, order_progress

_RUNS_COUNTED = 30
_RUNS_SHOWN = 6


@dataclass(frozen=True)
class Faculty:
    """What home says about a faculty."""

    name: str
    icon: str
    does: str
    made: str
    begin: str


FACULTIES = (
    Faculty("cards", "style", "Notes become Anki cards, kept in step.", "cards made", "Sync a vault"),
    Faculty("vocabulary", "translate", "A song becomes words to learn.", "songs read", "Read a song"),
    Faculty("questions", "quiz", "A document becomes checked questions.", "questions made", "Ask a document"),
    Faculty("concepts", "hub", "Quotes become linked concepts.", "concepts kept", "Open the graph"),
    Faculty("tutor", "router", "A lab, a command line, and a tutor beside it.", "labs to enter", "Enter a lab"),
)


@dataclass(frozen=True)
class Picture:
    """How the house stands."""

    made: dict[str, int]
    waiting: dict[str, int]
    runs: list[Run]

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever done."""
        return not self.runs and not self.made["vocabulary"]


def look(asked: Service) -> Picture:
    """How the house stands."""
    ledger = asked.ledger
    made = {name: _made(ledger, name) for name in ("cards", "questions")}
    made |= {"vocabulary": len(ledger.kept_songs()), "tutor": len(lab_names(asked.settings))}
    made |= {"concepts": asked.concepts.counts()["Concept"]}
    return Picture(made, ledger.count_reviews(), ledger.runs(limit=_RUNS_SHOWN))


def _made(ledger: Ledger, faculty: str) -> int:
    runs = ledger.runs(limit=_RUNS_COUNTED, faculty=faculty)
    return sum(ledger.some_decisions(run.id, "create", limit=1)[1] for run in runs)


@page("/", "Home")
async def home() -> None:
    """What there is to see at a glance."""
    here().rename("Welcome back")
    filling = await going_on("demo")
    picture = await asyncio.to_thread(look, service())
    if filling:
        _follow(filling[0])
    elif picture.is_empty:
        _first_start()
    _waits(picture)
    _faculties(picture)
    _recent(picture)


def _first_start() -> None:
    here().rename("Welcome")
    with (
        empty_state(
            "Nothing was made yet",
            "Fill the house with samples to see every page at work, or open a faculty below and bring your own.",
        ) as place,
        ui.element("div").classes("s-row"),
    ):

        async def fill() -> None:
            order = await service().order("demo.fill", Fill())
            place.clear()
            place.classes(remove="s-empty")
            with place:
                _follow(order)

        ui.button("Fill with samples", icon="auto_awesome", on_click=fill)


def _follow(order: Order) -> None:
    order_progress(order, title="Filling the house with samples", on_end=_filled)


def _filled(order: Order) -> None:
    if order.status == "done":
        ui.navigate.reload()


def _waits(picture: Picture) -> None:
    waiting = sum(picture.waiting.values())
    with html.a(href="/inbox").classes("s-card s-waits"), ui.element("div").classes("s-row s-between"):
        if waiting:
            stat("wait for your answer" if waiting > 1 else "waits for your answer", waiting)
        else:
            stat("Nothing waits for you", "0")
        with ui.element("div").classes("s-row s-tight"):
            for faculty, many in sorted(picture.waiting.items()):
                chip(f"{faculty} {many}", "warn")
            ui.icon("arrow_forward").props("aria-hidden=true")


def _faculties(picture: Picture) -> None:
    html.h2("What you can do")
    with ui.element("div").classes("s-grid"):
        for faculty in FACULTIES:
            with ui.element("section").classes("s-card s-faculty"):
                with ui.element("div").classes("s-row s-tight"):
                    ui.icon(faculty.icon).props("aria-hidden=true").classes("s-faculty-icon")
                    html.h3(faculty.name.capitalize())
                html.p(faculty.does).classes("s-muted s-grow")
                if made := picture.made[faculty.name]:
                    stat(faculty.made, made)
                else:
                    html.span("Nothing yet").classes("s-muted")
                html.a(faculty.begin, href=f"/{faculty.name}").classes("s-button")


def _recent(picture: Picture) -> None:
    if not picture.runs:
        return
    with ui.element("div").classes("s-row s-between"):
        html.h2("Recent runs")
        html.a("All runs", href="/runs")
    with ui.element("ul").classes("s-card s-list"):
        for run in picture.runs:
            with ui.element("li").classes("s-row"):
                chip(run.status)
                html.a(run.faculty.capitalize(), href=f"/runs/{run.id}")
                html.span(run.note or "").classes("s-muted s-grow")
                html.span(ago(run.started_at)).classes("s-muted s-small")
