"""The Questions page: the form, the jobs in progress and the past runs."""

import asyncio
from pathlib import Path

from nicegui import html, ui

from studium.core.domain.job import Job
from studium.core.domain.run import Run
from studium.questions.web.generate_form import generate_form
from studium.questions.web.progress import show_progress
from studium.questions.web.results import show_run
from studium.web.components.job_progress import active_jobs
from studium.web.components.labels import ago, chip, counted
from studium.web.components.notices import empty_state
from studium.web.frame import current_frame, page
from studium.web.service import service

_SHOWN = 20


async def past_runs() -> None:
    """The jobs in progress and the past runs, newest first."""
    jobs = await active_jobs("questions.generate")
    if jobs:
        html.h2("In progress")
        with ui.element("ul").classes("s-card s-list"):
            for job in jobs:
                _job_row(job)
    rows = await asyncio.to_thread(_runs)
    html.h2("Past runs")
    if not rows:
        empty_state(
            "No questions yet", "Add a document above to generate questions; past runs are listed here.", icon="quiz"
        )
        return
    with ui.element("ul").classes("s-card s-list qa-runs"):
        for run, accepted in rows:
            _run_row(run, accepted)


def _runs() -> list[tuple[Run, int]]:
    database = service().database
    runs = database.runs.newest(limit=_SHOWN, feature="questions")
    return [(run, database.items.decisions_page(run.id, "create", limit=1)[1]) for run in runs]


def _job_row(job: Job) -> None:
    with ui.element("li").classes("s-row"):
        chip(job.status)
        html.a(Path(job.request["document"]).name, href=f"/questions?job={job.id}").classes("s-grow qa-name")
        html.span(ago(job.placed_at)).classes("s-muted s-small")


def _run_row(run: Run, accepted: int) -> None:
    with ui.element("li").classes("s-row"):
        chip(run.status)
        html.a(run.note or run.id, href=f"/questions?run={run.id}").classes("s-grow qa-name")
        html.span(counted(accepted, "question")).classes("s-muted")
        html.span(ago(run.started_at)).classes("s-muted s-small")


_STYLESHEET = Path(__file__).parent / "questions.css"


@page("/questions", "Questions")
async def questions(job: str = "", run: str = "") -> None:
    """Show a job, a run, or the form with the past runs."""
    ui.add_css(_STYLESHEET)
    if job or run:
        with current_frame().actions:
            ui.button("New questions", icon="add", on_click=lambda: ui.navigate.to("/questions")).props("outline")
    if job:
        await show_progress(job)
    elif run:
        await show_run(run)
    else:
        await generate_form()
        await past_runs()
