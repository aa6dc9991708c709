"""`/runs`: all runs together; `/runs?run=ID`: one of them."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from nicegui import html, ui

from studium.core.database import Database, Metrics
from studium.core.domain.job import Job
from studium.core.domain.run import Run
from studium.web.components.labels import ago, chip
from studium.web.components.notices import empty_state
from studium.web.frame import current_frame, page
from studium.web.runs.metrics import format_moment, show_metrics, took
from studium.web.service import service

_SHOWN = 10
_SECONDS_BETWEEN_LOOKS = 1.5


class BackgroundJobs:
    """The last jobs, as they are now."""

    def __init__(self) -> None:
        self._seen: list[Job] = []

    async def show(self) -> None:
        """Show them, if there are any, and keep looking."""
        self._place = ui.element("section").classes("s-stack").props('aria-label="Background work"')
        self._place.set_visibility(False)
        await self._look()
        ui.timer(_SECONDS_BETWEEN_LOOKS, self._look)

    async def _look(self) -> None:
        jobs = await asyncio.to_thread(service().database.jobs.newest, _SHOWN)
        if jobs == self._seen:
            return
        self._seen = jobs
        self._place.set_visibility(bool(jobs))
        self._place.clear()
        with self._place:
            html.h2("Background work")
            with ui.element("ul").classes("s-card s-list"):
                for job in jobs:
                    self._row(job)

    def _row(self, job: Job) -> None:
        with ui.element("li").classes("s-stack s-tight"):
            with ui.element("div").classes("s-row"):
                chip(job.status)
                html.a(job.kind.replace(".", ": "), href=_address(job)).classes("s-grow")
                html.span(ago(job.placed_at)).classes("s-muted s-small")
                if not job.is_finished:
                    ui.button("Cancel", on_click=lambda: self._cancel(job.id)).props("outline dense")
                elif job.status in ("failed", "cancelled"):
                    ui.button("Resume", on_click=lambda: self._resume(job.id)).props("outline dense")
            if not job.is_finished and job.total:
                html.span(f"{job.done} of {job.total} · {job.item}").classes("s-muted s-small")
            if problem := job.problem:
                html.span(str(problem.get("detail", ""))).classes("s-job-problem")
                html.span(str(problem.get("remedy", ""))).classes("s-muted s-small")

    async def _cancel(self, job: str) -> None:
        await service().jobs.cancel(job)
        await self._look()

    async def _resume(self, job: str) -> None:
        await service().jobs.resume(job)
        await self._look()


def _address(job: Job) -> str:
    """Where a job can be followed."""
    feature = job.kind.partition(".")[0]
    return "/" if feature == "demo" else f"/{feature}?job={job.id}"


_ON_A_PAGE = 25
_FEATURES = ("cards", "vocabulary", "questions", "concepts", "tutor")


@dataclass(frozen=True)
class RunsState:
    """A page of the list, how many runs there are, and what all of them came to."""

    runs: list[Run]
    total: int
    metrics: Metrics


async def show_runs(feature: str, number: int) -> None:
    """Show what was run; all of it, or what one feature ran."""
    chosen = feature if feature in _FEATURES else ""
    picture = await asyncio.to_thread(_look, service().database, chosen, max(1, number))
    await BackgroundJobs().show()
    if not picture.metrics.items and not picture.total and not chosen:
        with empty_state("Nothing was run yet", "Open a feature and give it something to do; its run appears here."):
            html.a("Go home", href="/").classes("s-button")
        return
    html.h2("What was run")
    _choice(chosen)
    _table(picture.runs)
    _pages(chosen, max(1, number), picture.total)
    html.h2("All runs together")
    show_metrics(picture.metrics)


def _look(database: Database, feature: str, number: int) -> RunsState:
    runs = database.runs.newest(_ON_A_PAGE, (number - 1) * _ON_A_PAGE, feature=feature or None)
    return RunsState(runs, database.runs.count(feature or None), database.metrics.measure())


def _choice(chosen: str) -> None:
    with ui.element("nav").classes("s-row s-tight").props('aria-label="Feature"'):
        for feature in ("", *_FEATURES):
            link = html.a(feature.capitalize() or "All", href=f"/runs?feature={feature}" if feature else "/runs")
            link.classes("s-button s-small")
            if feature == chosen:
                link.props("aria-current=page")


def _table(runs: list[Run]) -> None:
    if not runs:
        html.p("No run of this kind yet.").classes("s-muted")
        return
    with ui.element("div").classes("s-card s-runs").props('tabindex=0 role=region aria-label="Runs"'), html.table():
        with html.thead(), html.tr():
            for heading in ("Feature", "What", "Status", "When", "Took"):
                html.th(heading).props("scope=col")
        with html.tbody():
            for run in runs:
                with html.tr():
                    html.td(run.feature.capitalize())
                    with html.td().classes("s-runs-note"):
                        html.a(run.note or run.id, href=f"/runs?run={run.id}")
                    with html.td():
                        chip(run.status)
                    html.td(ago(run.started_at)).props(f'title="{run.started_at:%Y-%m-%d %H:%M} UTC"')
                    html.td(took(run))


def _pages(feature: str, number: int, total: int) -> None:
    if total <= _ON_A_PAGE:
        return
    address = f"/runs?feature={quote(feature)}&number="
    with ui.element("nav").classes("s-row").props('aria-label="Pages of the list"'):
        if number > 1:
            html.a("Newer", href=f"{address}{number - 1}").classes("s-button")
        html.span(f"{(number - 1) * _ON_A_PAGE + 1}–{min(number * _ON_A_PAGE, total)} of {total}").classes("s-muted")
        if number * _ON_A_PAGE < total:
            html.a("Older", href=f"{address}{number + 1}").classes("s-button")


_SHOW_RUNS = ("cards", "questions")
"""The features whose page shows one run."""


async def show_run(given: str) -> None:
    """Show a run."""
    run, metrics = await asyncio.to_thread(_read, service().database, given)
    current_frame().rename(run.note or f"{run.feature.capitalize()} run")
    with current_frame().actions:
        if run.feature in _SHOW_RUNS:
            html.a("What it decided", href=f"/{run.feature}?run={run.id}").classes("s-button")
        else:
            html.a(f"Open {run.feature}", href=f"/{run.feature}").classes("s-button")
        html.a("All runs", href="/runs").classes("s-button")
    _about(run)
    show_metrics(metrics)


def _read(database: Database, given: str) -> tuple[Run, Metrics]:
    run = database.runs.get(given)
    return run, database.metrics.measure(run.id)


def _about(run: Run) -> None:
    with ui.element("section").classes("s-card"):
        with ui.element("div").classes("s-row"):
            chip(run.feature, "accent")
            chip(run.status)
            html.span(f"Started {format_moment(run.started_at)}, took {took(run)}")
            html.code(run.id).classes("s-muted s-small")
        with html.details():
            html.summary("What it was asked to do")
            with ui.element("dl").classes("s-arguments"):
                for name, value in run.arguments.items():
                    html.dt(name.replace("_", " "))
                    html.dd(str(value))


_LOOKS = Path(__file__).with_name("runs.css")


@page("/runs", "Runs")
async def runs(run: str = "", feature: str = "", number: str = "1") -> None:
    """What is open stands in the address: a run, or a page of the list and the feature it is of."""
    ui.add_css(_LOOKS)
    if run:
        await show_run(run)
    else:
        await show_runs(feature, int(number) if number.isdecimal() else 1)


@page("/runs/{run}", "Run")
async def run(run: str) -> None:
    """One run."""
    ui.add_css(_LOOKS)
    await show_run(run)
