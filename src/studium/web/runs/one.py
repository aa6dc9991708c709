"""One run: what it was asked to do, how it went, and its figures."""

import asyncio

from nicegui import html, ui

from studium.core.database import Database, Metrics
from studium.core.domain.run import Run
from studium.web.frame import here
from studium.web.house import service
from studium.web.parts.figures import chip
from studium.web.runs.figures import moment, took
from studium.web.runs.metrics import show_metrics

_SHOW_RUNS = ("cards", "questions")
"""The faculties whose page shows one run."""


async def show_one(given: str) -> None:
    """Show a run."""
    run, metrics = await asyncio.to_thread(_read, service().ledger, given)
    here().rename(run.note or f"{run.faculty.capitalize()} run")
    with here().actions:
        if run.faculty in _SHOW_RUNS:
            html.a("What it decided", href=f"/{run.faculty}?run={run.id}").classes("s-button")
        else:
            html.a(f"Open {run.faculty}", href=f"/{run.faculty}").classes("s-button")
        html.a("All runs", href="/runs").classes("s-button")
    _about(run)
    show_metrics(metrics)


def _read(ledger: Database, given: str) -> tuple[Run, Metrics]:
    run = ledger.runs.get(given)
    return run, ledger.metrics.measure(run.id)


def _about(run: Run) -> None:
    with ui.element("section").classes("s-card"):
        with ui.element("div").classes("s-row"):
            chip(run.faculty, "accent")
            chip(run.status)
            html.span(f"Started {moment(run.started_at)}, took {took(run)}")
            html.code(run.id).classes("s-muted s-small")
        with html.details():
            html.summary("What it was asked to do")
            with ui.element("dl").classes("s-arguments"):
                for name, value in run.arguments.items():
                    html.dt(name.replace("_", " "))
                    html.dd(str(value))
