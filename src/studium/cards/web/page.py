"""`/cards`: choose a vault, look at the plan, carry it out, take it back."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from nicegui import html, ui

from studium.cards.jobs import SyncRequest
from studium.cards.web.job_page import job_title, offer_undo, show_job, start_job
from studium.cards.web.plan_view import show_plan
from studium.core.domain.errors import BadInput, StudiumError
from studium.core.domain.job import Job
from studium.core.domain.run import Run
from studium.core.jobs.service import Service
from studium.web.components.job_progress import active_jobs
from studium.web.components.labels import ago, chip
from studium.web.components.notices import problem_notice
from studium.web.frame import current_frame, page
from studium.web.service import service

_ANOTHER, _FILE = "another", "file"
_SINKS = {"package": "A package to download (.apkg)", "anki": "Anki on this computer", _FILE: "A collection file"}
_RUNS = 8
_RUNS_SEARCHED = 50


async def show_start() -> None:
    """Show what can be begun, what is under way, and what was done."""
    vaults, runs = await asyncio.to_thread(_known_vaults_and_runs, service())
    under_way = await active_jobs("cards")
    if under_way:
        _running_jobs(under_way)
    PlanForm(vaults)
    if runs:
        _earlier_runs(runs)


def _known_vaults_and_runs(of: Service) -> tuple[list[str], list[Run]]:
    runs = of.database.runs.newest(_RUNS_SEARCHED, feature="cards")
    named = [of.settings.cards.vault, *(run.arguments.get("vault") for run in runs)]
    candidates = [str(each) for each in (*named, of.settings.home / "demo" / "samples" / "vault") if each]
    return list(dict.fromkeys(_readable(of, candidates))), runs[:_RUNS]


def _readable(of: Service, candidates: Iterable[str]) -> Iterable[str]:
    """Those of the folders that are there and may be read."""
    for each in candidates:
        try:
            found = of.find(each)
        except BadInput:
            continue
        if found.is_dir():
            yield str(found)


class PlanForm:
    """The form: a vault and a place for its cards."""

    def __init__(self, vaults: list[str]) -> None:
        with ui.element("section").classes("s-card"):
            html.h2("Make cards from your notes")
            html.p("First a plan: you see every card before anything is written.").classes("s-muted")
            with ui.element("div").classes("s-form"):
                names = {each: f"{Path(each).name} ({each})" for each in vaults} | {_ANOTHER: "Another folder…"}
                self.vault, self.folder = _select_or_type("Vault", names, "Folder of the vault", _ANOTHER)
                self.to, self.file = _select_or_type("Where the cards go", _SINKS, "Collection file", _FILE)
            self.problem = ui.element("div")
            ui.button("Plan", icon="fact_check", on_click=self._plan).classes("s-start")

    async def _plan(self) -> None:
        self.problem.clear()
        try:
            vault = _typed(self.folder) if self.vault.value == _ANOTHER else str(self.vault.value)
            to = _typed(self.file) if self.to.value == _FILE else str(self.to.value)
            await start_job("cards.plan", SyncRequest(vault=vault, to=to))
        except StudiumError as error:
            with self.problem:
                problem_notice(error)


def _select_or_type(label: str, names: dict[str, str], written: str, other: str) -> tuple[ui.select, ui.input]:
    """A choice, and a field that comes up when it is none of those offered."""
    with ui.element("div").classes("s-stack s-tight"):
        select = ui.select(names, label=label, value=next(iter(names))).props("outlined")
        field = ui.input(written).props("outlined").bind_visibility_from(select, "value", value=other)
    return select, field


def _typed(field: ui.input) -> str:
    if not (text := str(field.value or "").strip()):
        raise BadInput(f"“{field.label}” is empty.", remedy="Write the path as it is on the computer Studium runs on.")
    return text


def _running_jobs(jobs: list[Job]) -> None:
    html.h2("Under way")
    with ui.element("ul").classes("s-card s-list"):
        for job in jobs:
            with ui.element("li").classes("s-row"):
                chip(job.status)
                html.a(job_title(job), href=f"/cards?job={job.id}").classes("s-grow")
                html.span(ago(job.placed_at)).classes("s-muted s-small")


def _earlier_runs(runs: list[Run]) -> None:
    html.h2("Earlier runs")
    with ui.element("ul").classes("s-card s-list"):
        for run in runs:
            with ui.element("li").classes("s-row"):
                chip(run.status)
                html.a(run.note or run.id, href=f"/cards?run={run.id}").classes("s-grow")
                html.span(ago(run.started_at)).classes("s-muted s-small")


async def show_run(given: str, card: str) -> None:
    """Show an earlier run."""
    run = await asyncio.to_thread(service().database.runs.get, given)
    if run.feature != "cards":
        raise BadInput(f"Run {run.id} made no cards.", remedy="Choose a run of cards, or see all runs.")
    current_frame().rename(f"Cards of {Path(str(run.arguments.get('vault', ''))).name or 'a run'}")
    with current_frame().actions:
        await offer_undo(run.id)
        html.a("Figures of this run", href=f"/runs?run={run.id}").classes("s-button")
        html.a("New plan", href="/cards").classes("s-button")
    await show_plan(run.id, card)


_CSS = Path(__file__).with_name("cards.css")


@page("/cards", "Cards")
async def cards(job: str = "", run: str = "", card: str = "") -> None:
    """What is open stands in the address: a job under way or done, an earlier run, and the card looked at."""
    ui.add_css(_CSS)
    if job:
        await show_job(job, card)
    elif run:
        await show_run(run, card)
    else:
        await show_start()
