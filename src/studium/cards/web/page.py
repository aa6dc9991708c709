"""`/cards`: choose a vault, check the plan, apply it, undo it; and the progress and result of every job of cards."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from nicegui import html, ui

from studium.cards.jobs import ApplyRequest, SyncRequest, UndoRequest
from studium.cards.web.plan_view import show_plan
from studium.core.database import Database
from studium.core.domain.decision import ChangeStatus
from studium.core.domain.errors import BadInput, StudiumError
from studium.core.domain.job import Job, ProblemDetails
from studium.core.domain.run import Run
from studium.core.jobs.job_types import JobRequest
from studium.core.jobs.service import Service
from studium.web.components.job_progress import active_jobs, show_job_progress
from studium.web.components.labels import ago, chip, counted, noun, stat
from studium.web.components.notices import empty_state, problem_notice
from studium.web.frame import current_frame, page
from studium.web.service import service

_CSS = Path(__file__).with_name("cards.css")
_ANOTHER, _FILE = "another", "file"
_SINKS = {"package": "A package to download (.apkg)", "anki": "Anki on this computer", _FILE: "A collection file"}
_RUNS = 8
_RUNS_SEARCHED = 50
_MASS_CHANGE = "--allow-mass-change"
"""Part of the remedy when a plan exceeds the change limit."""
_APPLIES_SEARCHED = 200
_TITLES = {
    "cards.plan": "Planning the cards of {}",
    "cards.sync": "Making the cards of {}",
    "cards.apply": "Applying the plan",
    "cards.undo": "Undoing the run",
    "cards.recheck": "Rechecking the cards of {}",
    "cards.adopt": "Taking over cards for {}",
    "cards.rebuild": "Recognising the cards of {}",
    "cards.tidy": "Tidying the media of {}",
}


@page("/cards", "Cards")
async def cards(job: str = "", run: str = "", card: str = "") -> None:
    """The page; its address names the open job or run, and the open card."""
    ui.add_css(_CSS)
    if job:
        await show_job(job, card)
    elif run:
        await show_run(run, card)
    else:
        await show_start()


async def show_start() -> None:
    """Show the form for a new plan, running jobs and earlier runs."""
    vaults, runs = await asyncio.to_thread(_known_vaults_and_runs, service())
    running = await active_jobs("cards")
    if running:
        _running_jobs(running)
    PlanForm(vaults)
    if runs:
        _earlier_runs(runs)


def _known_vaults_and_runs(of: Service) -> tuple[list[str], list[Run]]:
    runs = of.database.runs.newest(_RUNS_SEARCHED, feature="cards")
    named = [of.settings.cards.vault, *(run.arguments.get("vault") for run in runs)]
    candidates = [str(each) for each in (*named, of.settings.home / "demo" / "samples" / "vault") if each]
    return list(dict.fromkeys(_readable(of, candidates))), runs[:_RUNS]


def _readable(of: Service, candidates: Iterable[str]) -> Iterable[str]:
    """The folders that exist and may be read."""
    for each in candidates:
        try:
            found = of.find(each)
        except BadInput:
            continue
        if found.is_dir():
            yield str(found)


class PlanForm:
    """The form for a new plan: a vault and a destination."""

    def __init__(self, vaults: list[str]) -> None:
        with ui.element("section").classes("s-card"):
            html.h2("Make cards from your notes")
            html.p("Make a plan first: you see every card before anything is written.").classes("s-muted")
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
    """A select, and a text field that appears for the option `other`."""
    with ui.element("div").classes("s-stack s-tight"):
        select = ui.select(names, label=label, value=next(iter(names))).props("outlined")
        field = ui.input(written).props("outlined").bind_visibility_from(select, "value", value=other)
    return select, field


def _typed(field: ui.input) -> str:
    if not (text := str(field.value or "").strip()):
        raise BadInput(f"“{field.label}” is empty.", remedy="Enter a path on the computer that Studium runs on.")
    return text


def _running_jobs(jobs: list[Job]) -> None:
    html.h2("Running")
    with ui.element("ul").classes("s-card s-list"):
        for job in jobs:
            with ui.element("li").classes("s-row"):
                chip(job.status)
                html.a(job_title(job), href=f"/cards?job={job.id}").classes("s-grow")
                html.span(ago(job.placed_at)).classes("s-muted s-small")


def _earlier_runs(runs: list[Run]) -> None:
    html.h2("Past runs")
    with ui.element("ul").classes("s-card s-list"):
        for run in runs:
            with ui.element("li").classes("s-row"):
                chip(run.status)
                html.a(run.note or run.id, href=f"/cards?run={run.id}").classes("s-grow")
                html.span(ago(run.started_at)).classes("s-muted s-small")


async def show_run(given: str, card: str) -> None:
    """Show the plan of a run."""
    run = await asyncio.to_thread(service().database.runs.get, given)
    if run.feature != "cards":
        raise BadInput(f"Run {run.id} made no cards.", remedy="Choose a run of cards, or see all runs.")
    current_frame().rename(f"Cards of {Path(str(run.arguments.get('vault', ''))).name or 'a run'}")
    with current_frame().actions:
        await offer_undo(run.id)
        html.a("Run details", href=f"/runs?run={run.id}").classes("s-button")
        html.a("New plan", href="/cards").classes("s-button")
    await show_plan(run.id, card)


def job_title(job: Job) -> str:
    """The title of a job."""
    return _TITLES.get(job.kind, job.kind).format(Path(str(job.request.get("vault", "cards"))).name)


async def start_job(kind: str, request: JobRequest) -> None:
    """Start a job and open its page."""
    job = await service().start_job(kind, request)
    ui.navigate.to(f"/cards?job={job.id}")


async def offer_undo(run: str) -> None:
    """Show a button that undoes a run, if it changed anything in Anki."""
    changes = await asyncio.to_thread(_count_applied, service().database, run)
    if changes:
        ui.button("Undo", icon="undo", on_click=lambda: _confirm_undo(run, changes)).props("outline")


def _count_applied(database: Database, run: str) -> int:
    return sum(change.status is ChangeStatus.APPLIED for _, change in database.changes.of_run(run))


def _confirm_undo(run: str, changes: int) -> None:
    with ui.dialog(value=True).props('aria-label="Undo the run"') as dialog, ui.element("div").classes("s-card s-ask"):
        html.h2("Undo this run?")
        html.p(
            f"{counted(changes, 'change')} in Anki will be undone: new cards are removed, changed cards get their "
            "old text back. What you edited since stays."
        )
        with ui.element("div").classes("s-row"):
            ui.button("Undo the run", on_click=lambda: start_job("cards.undo", UndoRequest(run=run)))
            ui.button("Cancel", on_click=dialog.close).props("flat")
    dialog.on("hide", dialog.delete)


async def show_applied(job: Job, card: str) -> None:
    """Show what was written and refused, the package to download, and the plan."""
    result: dict[str, Any] = job.result or {}
    written = result.get("applied", result)
    current_frame().rename("Done")
    with current_frame().actions:
        offer_packages(job)
        if job.run:
            await offer_undo(job.run)
    with ui.element("section").classes("s-card"):
        done = written.get("done", 0)
        stat(noun(done, "card written", "cards written"), done)
        _message_list("Not changed", written.get("refused", ()))
    if job.run:
        await show_plan(job.run, card)


def offer_packages(job: Job) -> bool:
    """Show links to the packages that a job made; returns whether there are any."""
    packages = [name for name in job.files if name.endswith(".apkg")]
    for name in packages:
        address = f"/api/v1/jobs/{job.id}/files/{name}"
        html.a("Download the package", href=address).props("download").classes("s-button")
    return bool(packages)


def show_undone(job: Job) -> None:
    """Show what was restored, and what was left because it was edited since."""
    result: dict[str, Any] = job.result or {}
    current_frame().rename("Undone")
    with ui.element("section").classes("s-card"):
        with ui.element("div").classes("s-row s-figures"):
            back, removed = len(result.get("restored", ())), len(result.get("removed", ()))
            stat(noun(back, "card restored", "cards restored"), back)
            stat(noun(removed, "new card removed", "new cards removed"), removed)
        _message_list("Not undone, because you edited them since", result.get("left", ()))
    with ui.element("div").classes("s-row"):
        html.a("Open the run", href=f"/cards?run={job.run or result.get('run', '')}").classes("s-button")
        html.a("Make a new plan", href="/cards").classes("s-button")


def show_other(job: Job) -> None:
    """Show the result of any other job."""
    result = job.result if isinstance(job.result, dict) else {"result": job.result}
    with ui.element("dl").classes("s-card s-told"):
        for name, value in result.items():
            html.dt(str(name).replace("_", " "))
            html.dd(str(len(value)) if isinstance(value, list) else str(value))


def _message_list(title: str, lines: Any) -> None:
    if not lines:
        return
    html.h3(title)
    with ui.element("ul").classes("s-reasons"):
        for line in lines:
            html.li(str(line))


async def show_job(given: str, card: str) -> None:
    """Show a job: its progress while it runs, then its result."""
    job = await service().jobs.find(given)
    if not job.kind.startswith("cards."):
        raise BadInput(f"Job {job.id} is not a job of cards.", remedy="Find its result on the page of runs.")
    current_frame().rename(job_title(job))
    if not job.is_finished:
        show_job_progress(job, title=job_title(job), on_end=lambda _: ui.navigate.reload())
    elif job.status != "done":
        _show_failure(job)
    elif job.kind in ("cards.plan", "cards.sync"):
        await _planned(job, card)
    elif job.kind == "cards.apply":
        await show_applied(job, card)
    elif job.kind == "cards.undo":
        show_undone(job)
    else:
        show_other(job)


async def _planned(job: Job, card: str) -> None:
    if not job.run:
        _nothing_changed(job)
        return
    if job.kind == "cards.sync":
        await show_applied(job, card)
        return
    current_frame().rename("The plan")
    applied = await asyncio.to_thread(_applied_by, service().database, job.id)
    with current_frame().actions:
        if applied:
            html.a("Applied: show the result", href=f"/cards?job={applied.id}").classes("s-button")
        else:
            ui.button("Apply", icon="done_all", on_click=lambda: _apply(job.id))
    await show_plan(job.run, card)


async def _apply(plan: str, *, anyway: bool = False) -> None:
    """Apply a plan once; if another tab already did, open that job."""
    before = await asyncio.to_thread(_applied_by, service().database, plan)
    if before:
        ui.navigate.to(f"/cards?job={before.id}")
    else:
        await start_job("cards.apply", ApplyRequest(plan=plan, allow_mass_change=anyway))


def _applied_by(database: Database, plan: str) -> Job | None:
    """The job that applies or applied a plan; failed and cancelled jobs do not count."""
    applies = database.jobs.newest(_APPLIES_SEARCHED, job_type="cards.apply")
    ours = (each for each in applies if each.request.get("plan") == plan)
    return next((each for each in ours if each.status not in ("failed", "cancelled")), None)


def _nothing_changed(job: Job) -> None:
    current_frame().rename("Nothing to do")
    with (
        empty_state(
            "Everything is up to date", "No note has changed since its cards were made. Edit a note, and plan again.",
            icon="task_alt",
        ),
        ui.element("div").classes("s-row"),
    ):  # fmt: skip
        again = SyncRequest.model_validate(job.request)
        if not offer_packages(job) and again.to == "package":
            ui.button("Download the package", icon="download", on_click=lambda: start_job("cards.sync", again))
        html.a("Choose another vault", href="/cards").classes("s-button")


def _show_failure(job: Job) -> None:
    problem = job.problem
    cancelled = job.status == "cancelled"
    current_frame().rename("Cancelled" if cancelled else "That did not work")
    with ui.element("div").classes("s-problem").props("role=alert"):
        ui.icon("error_outline").props("aria-hidden=true")
        with ui.element("div"):
            html.strong("It was cancelled." if cancelled else problem["detail"] if problem else "It failed.")
            html.p("What was done is kept; you can resume it." if cancelled else _remedy(problem))
    with ui.element("div").classes("s-row"):
        for name, icon, does in _next_actions(job):
            ui.button(name, icon=icon, on_click=does)
        html.a("New plan", href="/cards").classes("s-button")


def _remedy(problem: ProblemDetails | None) -> str:
    remedy = problem["remedy"] if problem else ""
    if _MASS_CHANGE in remedy:
        return "If that is what you want, apply it anyway; otherwise check that the vault is the right folder."
    return remedy


def _next_actions(job: Job) -> list[tuple[str, str, Callable[[], Any]]]:
    """The actions for a job that failed or was cancelled."""

    async def again() -> None:
        await service().jobs.resume(job.id)
        ui.navigate.reload()

    async def plan_again() -> None:
        plan = await service().jobs.find(str(job.request["plan"]))
        await start_job("cards.plan", SyncRequest.model_validate(plan.request))

    if job.kind == "cards.apply" and job.status == "failed":
        if job.problem and _MASS_CHANGE in job.problem["remedy"]:
            return [("Apply anyway", "warning", lambda: _apply(str(job.request["plan"]), anyway=True))]
        return [("Make a new plan", "fact_check", plan_again), ("Try again", "refresh", again)]
    return [("Resume" if job.status == "cancelled" else "Try again", "refresh", again)]
