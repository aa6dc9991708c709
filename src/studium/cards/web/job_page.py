"""A job of cards on its page: how far it is, and then what came of it."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nicegui import html, ui

from studium.cards.jobs import ApplyRequest, SyncRequest, UndoRequest
from studium.cards.web.plan_view import show_plan
from studium.core.database import Database
from studium.core.domain.change import ChangeStatus
from studium.core.domain.errors import BadInput
from studium.core.domain.job import Job
from studium.core.jobs.job_types import JobRequest
from studium.web.components.job_progress import show_job_progress
from studium.web.components.labels import counted, noun, stat
from studium.web.components.notices import empty_state
from studium.web.frame import current_frame
from studium.web.service import service

_TITLES = {
    "cards.plan": "Planning the cards of {}",
    "cards.sync": "Making the cards of {}",
    "cards.apply": "Carrying out the plan",
    "cards.undo": "Undoing the run",
    "cards.recheck": "Looking over the cards of {}",
    "cards.adopt": "Taking over cards for {}",
    "cards.rebuild": "Finding the cards of {} again",
    "cards.tidy": "Tidying the media of {}",
}


def job_title(job: Job) -> str:
    """What a job is about, in words."""
    return _TITLES.get(job.kind, job.kind).format(Path(str(job.request.get("vault", "cards"))).name)


async def start_job(kind: str, request: JobRequest) -> None:
    """Place a job, and go where it can be followed."""
    job = await service().start_job(kind, request)
    ui.navigate.to(f"/cards?job={job.id}")


async def offer_undo(run: str) -> None:
    """A button that undoes a run, where there is something of it in Anki to undo."""
    many = await asyncio.to_thread(_count_applied, service().database, run)
    if many:
        ui.button("Undo", icon="undo", on_click=lambda: _confirm_undo(run, many)).props("outline")


def _count_applied(database: Database, run: str) -> int:
    return sum(change.status is ChangeStatus.APPLIED for _, change in database.changes.of_run(run))


def _confirm_undo(run: str, many: int) -> None:
    with ui.dialog(value=True).props('aria-label="Undo the run"') as dialog, ui.element("div").classes("s-card s-ask"):
        html.h2("Undo this run?")
        html.p(
            f"{counted(many, 'change')} in Anki will be put back: new cards go, changed ones get their "
            "old text. Whatever you edited since stays as it is."
        )
        with ui.element("div").classes("s-row"):
            ui.button("Undo the run", on_click=lambda: start_job("cards.undo", UndoRequest(run=run)))
            ui.button("Keep it", on_click=dialog.close).props("flat")
    dialog.on("hide", dialog.delete)


async def show_applied(job: Job, card: str) -> None:
    """What was written, what was refused, the package to download, and the plan behind it."""
    result: dict[str, Any] = job.result or {}
    written = result.get("applied", result)
    current_frame().rename("Done")
    with current_frame().actions:
        offer_packages(job)
        if job.run:
            await offer_undo(job.run)
    with ui.element("section").classes("s-card"):
        many = written.get("done", 0)
        stat(noun(many, "card written", "cards written"), many)
        _message_list("Left as they were", written.get("refused", ()))
    if job.run:
        await show_plan(job.run, card)


def offer_packages(job: Job) -> bool:
    """Links to the packages that a job made; says whether there are any."""
    packages = [name for name in job.files if name.endswith(".apkg")]
    for name in packages:
        address = f"/api/v1/jobs/{job.id}/files/{name}"
        html.a("Download the package", href=address).props("download").classes("s-button")
    return bool(packages)


def show_undone(job: Job) -> None:
    """What was put back, and what was left because a person edited it since."""
    result: dict[str, Any] = job.result or {}
    current_frame().rename("Undone")
    with ui.element("section").classes("s-card"):
        with ui.element("div").classes("s-row s-figures"):
            back, removed = len(result.get("restored", ())), len(result.get("removed", ()))
            stat(noun(back, "card put back as it was", "cards put back as they were"), back)
            stat(noun(removed, "new card removed", "new cards removed"), removed)
        _message_list("Left, because you edited them since", result.get("left", ()))
    with ui.element("div").classes("s-row"):
        html.a("See the run", href=f"/cards?run={job.run or result.get('run', '')}").classes("s-button")
        html.a("Make a new plan", href="/cards").classes("s-button")


def show_other(job: Job) -> None:
    """What any other job came to, as it told it."""
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


_MASS_CHANGE = "--allow-mass-change"
"""What the remedy names when more would change than goes unasked."""
_APPLIES_SEARCHED = 200


async def show_job(given: str, card: str) -> None:
    """Show a job: its progress while it goes on, its outcome afterwards."""
    job = await service().jobs.find(given)
    if not job.kind.startswith("cards."):
        raise BadInput(f"Job {job.id} has nothing to do with cards.", remedy="See the runs for what it made.")
    current_frame().rename(job_title(job))
    if not job.is_finished:
        show_job_progress(job, title=job_title(job), on_end=lambda _: ui.navigate.reload())
    elif job.status != "done":
        _ended_early(job)
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
            html.a("Applied: see what was done", href=f"/cards?job={applied.id}").classes("s-button")
        else:
            ui.button("Apply", icon="done_all", on_click=lambda: _apply(job.id))
    await show_plan(job.run, card)


async def _apply(plan: str, *, anyway: bool = False) -> None:
    """Carry a plan out, once: whoever comes second, from another tab, is brought to the first."""
    before = await asyncio.to_thread(_applied_by, service().database, plan)
    if before:
        ui.navigate.to(f"/cards?job={before.id}")
    else:
        await start_job("cards.apply", ApplyRequest(plan=plan, allow_mass_change=anyway))


def _applied_by(database: Database, plan: str) -> Job | None:
    """The job that carries a plan out, or did; one that came to nothing does not count."""
    applies = database.jobs.newest(_APPLIES_SEARCHED, job_type="cards.apply")
    ours = (each for each in applies if each.request.get("plan") == plan)
    return next((each for each in ours if each.status not in ("failed", "cancelled")), None)


def _nothing_changed(job: Job) -> None:
    current_frame().rename("Nothing to do")
    with (
        empty_state(
            "Everything is in step", "No note has changed since its cards were made. Edit a note, and plan again.",
            icon="task_alt",
        ),
        ui.element("div").classes("s-row"),
    ):  # fmt: skip
        again = SyncRequest.model_validate(job.request)
        if not offer_packages(job) and again.to == "package":
            ui.button("Download the package", icon="download", on_click=lambda: start_job("cards.sync", again))
        html.a("Choose another vault", href="/cards").classes("s-button")


def _ended_early(job: Job) -> None:
    problem = job.problem or {}
    cancelled = job.status == "cancelled"
    current_frame().rename("Cancelled" if cancelled else "That did not work")
    with ui.element("div").classes("s-problem").props("role=alert"):
        ui.icon("error_outline").props("aria-hidden=true")
        with ui.element("div"):
            html.strong("It was cancelled." if cancelled else str(problem.get("detail", "It failed.")))
            html.p("What was done is kept; go on whenever you like." if cancelled else _remedy(problem))
    with ui.element("div").classes("s-row"):
        for name, icon, does in _next_actions(job, problem):
            ui.button(name, icon=icon, on_click=does)
        html.a("Begin anew", href="/cards").classes("s-button")


def _remedy(problem: dict[str, Any]) -> str:
    remedy = str(problem.get("remedy", ""))
    if _MASS_CHANGE in remedy:
        return "If that is what you want, apply it anyway; else check that the vault is the right folder."
    return remedy


def _next_actions(job: Job, problem: dict[str, Any]) -> list[tuple[str, str, Callable[[], Any]]]:
    """What can be done about a job that did not get to its end."""

    async def again() -> None:
        await service().jobs.resume(job.id)
        ui.navigate.reload()

    async def plan_again() -> None:
        plan = await service().jobs.find(str(job.request["plan"]))
        await start_job("cards.plan", SyncRequest.model_validate(plan.request))

    if job.kind == "cards.apply" and job.status == "failed":
        if _MASS_CHANGE in str(problem.get("remedy", "")):
            return [("Apply anyway", "warning", lambda: _apply(str(job.request["plan"]), anyway=True))]
        return [("Make a new plan", "fact_check", plan_again), ("Try again", "refresh", again)]
    return [("Go on" if job.status == "cancelled" else "Try again", "refresh", again)]
