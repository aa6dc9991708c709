"""All runs: the work in the background, the list, and what they took and brought together."""

import asyncio
from dataclasses import dataclass
from urllib.parse import quote

from nicegui import html, ui

from studium.core.database import Database, Metrics
from studium.core.domain.run import Run
from studium.web.house import service
from studium.web.parts.figures import chip
from studium.web.parts.moments import ago
from studium.web.parts.notices import empty_state
from studium.web.runs.figures import took
from studium.web.runs.metrics import show_metrics
from studium.web.runs.orders import BackgroundWork

_ON_A_PAGE = 25
_FACULTIES = ("cards", "vocabulary", "questions", "concepts", "tutor")


@dataclass(frozen=True)
class Picture:
    """A page of the list, how many runs there are, and what all of them came to."""

    runs: list[Run]
    total: int
    metrics: Metrics


async def show_all(faculty: str, number: int) -> None:
    """Show what was run; all of it, or what one faculty ran."""
    chosen = faculty if faculty in _FACULTIES else ""
    picture = await asyncio.to_thread(_look, service().ledger, chosen, max(1, number))
    await BackgroundWork().show()
    if not picture.metrics.items and not picture.total and not chosen:
        with empty_state("Nothing was run yet", "Open a faculty and give it something to do; its run appears here."):
            html.a("Go home", href="/").classes("s-button")
        return
    html.h2("What was run")
    _choice(chosen)
    _table(picture.runs)
    _pages(chosen, max(1, number), picture.total)
    html.h2("All runs together")
    show_metrics(picture.metrics)


def _look(ledger: Database, faculty: str, number: int) -> Picture:
    runs = ledger.runs.newest(_ON_A_PAGE, (number - 1) * _ON_A_PAGE, faculty=faculty or None)
    return Picture(runs, ledger.runs.count(faculty or None), ledger.metrics.measure())


def _choice(chosen: str) -> None:
    with ui.element("nav").classes("s-row s-tight").props('aria-label="Faculty"'):
        for faculty in ("", *_FACULTIES):
            link = html.a(faculty.capitalize() or "All", href=f"/runs?faculty={faculty}" if faculty else "/runs")
            link.classes("s-button s-small")
            if faculty == chosen:
                link.props("aria-current=page")


def _table(runs: list[Run]) -> None:
    if not runs:
        html.p("No run of this kind yet.").classes("s-muted")
        return
    with ui.element("div").classes("s-card s-runs").props('tabindex=0 role=region aria-label="Runs"'), html.table():
        with html.thead(), html.tr():
            for heading in ("Faculty", "What", "Status", "When", "Took"):
                html.th(heading).props("scope=col")
        with html.tbody():
            for run in runs:
                with html.tr():
                    html.td(run.faculty.capitalize())
                    with html.td().classes("s-runs-note"):
                        html.a(run.note or run.id, href=f"/runs?run={run.id}")
                    with html.td():
                        chip(run.status)
                    html.td(ago(run.started_at)).props(f'title="{run.started_at:%Y-%m-%d %H:%M} UTC"')
                    html.td(took(run))


def _pages(faculty: str, number: int, total: int) -> None:
    if total <= _ON_A_PAGE:
        return
    address = f"/runs?faculty={quote(faculty)}&number="
    with ui.element("nav").classes("s-row").props('aria-label="Pages of the list"'):
        if number > 1:
            html.a("Newer", href=f"{address}{number - 1}").classes("s-button")
        html.span(f"{(number - 1) * _ON_A_PAGE + 1}–{min(number * _ON_A_PAGE, total)} of {total}").classes("s-muted")
        if number * _ON_A_PAGE < total:
            html.a("Older", href=f"{address}{number + 1}").classes("s-button")
