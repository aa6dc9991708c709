"""The Questions page: the form, the jobs in progress and the past runs."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nicegui import html, ui

from studium.core.domain.errors import BadInput
from studium.core.domain.job import Job, JobEvent
from studium.core.domain.run import Run
from studium.questions.domain import QAPair, RejectedQA
from studium.questions.jobs import GenerateQuestions, to_generation_request
from studium.questions.review_repository import QuestionReviewRepository
from studium.questions.use_cases import find_unfinished_run, load_outcome
from studium.questions.web.generate_form import generate_form
from studium.questions.web.pair_card import PairCard, rejected_row
from studium.questions.web.results import show_run
from studium.web.components.job_progress import active_jobs, show_job_progress
from studium.web.components.labels import ago, chip, counted, stat
from studium.web.components.notices import empty_state
from studium.web.frame import current_frame, page
from studium.web.service import service

_SHOWN_CANDIDATES = 100
"""How many of the newest candidates are shown during the run."""
_SECONDS = 0.3

Candidate = QAPair | RejectedQA


async def show_progress(given: str) -> None:
    """Show the progress of a job, or its run if it is done."""
    job = await service().jobs.find(given)
    if job.kind != "questions.generate":
        raise BadInput(
            f"Job {job.id} does not generate questions.", remedy="Choose one of the runs on the Questions page."
        )
    if job.run:
        await show_run(job.run)
        return
    name = Path(job.request["document"]).name
    current_frame().rename(name)
    feed = ProgressFeed(job)

    def hear(event: JobEvent) -> str:
        feed.add_event(event)
        return ""

    show_job_progress(job, title=f"Generating questions about {name}", on_end=feed.end, line=hear)
    feed.show()
    await feed.load_saved()


@dataclass
class ProgressFeed:
    """The candidates of a job so far, newest first and each once."""

    job: Job
    _known: set[tuple[str, str]] = field(default_factory=set)
    _new: list[Candidate] = field(default_factory=list)
    _accepted: int = 0
    _rejected: int = 0

    def show(self) -> None:
        """Add the feed to the page."""
        self._ending = ui.element("div").classes("s-row")
        self._ending.set_visibility(False)
        self._figures = ui.element("div").classes("qa-stats").props("aria-live=polite")
        self._count()
        self._list = ui.element("div").classes("qa-pairs")
        ui.timer(_SECONDS, self._refresh)

    async def load_saved(self) -> Run | None:
        """Add the candidates that the database already has, for example after a restart."""
        run = await self.run()
        if run:
            outcome = await asyncio.to_thread(load_outcome, service().database, run.id)
            for document in outcome.documents:
                self._add(document.path, document.rejected)
                self._add(document.path, document.accepted)
        return run

    def add_event(self, event: JobEvent) -> None:
        """Add the candidate of an event."""
        kinds: dict[str, type[Candidate]] = {"accepted": QAPair, "rejected": RejectedQA}
        if kind := kinds.get(event.kind):
            values: dict[str, Any] = dict(event.data["pair"])
            document = values["source_document"] if kind is QAPair else values.pop("source_document", "")
            self._add(document, [kind.model_validate(values)])

    async def run(self) -> Run | None:
        """The run of the job, once it has started."""
        settings = service().settings
        request = to_generation_request(settings, GenerateQuestions.model_validate(self.job.request))
        try:
            return await asyncio.to_thread(find_unfinished_run, service().database, request)
        except BadInput:  # the document no longer exists
            return None

    async def end(self, job: Job) -> None:
        """Show the result, or how to resume."""
        if job.run:
            ui.navigate.to(f"/questions?run={job.run}")
            return
        self.job = job
        run = await self.load_saved()
        self._refresh()  # show the final numbers before the buttons
        self._count()
        self._ending.clear()
        self._ending.set_visibility(True)
        with self._ending:
            ui.button("Resume", icon="play_arrow", on_click=self._resume)
            if run:
                html.a("Show saved questions", href=f"/questions?run={run.id}")

    async def _resume(self) -> None:
        await service().jobs.resume(self.job.id)
        ui.navigate.to(f"/questions?job={self.job.id}")

    def _add(self, document: str, candidates: Iterable[Candidate]) -> None:
        for candidate in candidates:
            key = (document, candidate.question)
            if key not in self._known:
                self._known.add(key)
                self._new.append(candidate)

    def _refresh(self) -> None:
        """Count the new candidates and show the newest."""
        if not self._new:
            return
        new, self._new = self._new, []
        accepted = sum(isinstance(each, QAPair) for each in new)
        self._accepted += accepted
        self._rejected += len(new) - accepted
        self._count()
        with self._list:
            for candidate in new[-_SHOWN_CANDIDATES:]:
                self._candidate(candidate).move(target_index=0)
        while len(self._list.default_slot.children) > _SHOWN_CANDIDATES:
            self._list.remove(-1)

    def _candidate(self, candidate: Candidate) -> ui.element:
        if isinstance(candidate, QAPair):
            return PairCard(candidate, self.run).card
        return rejected_row(candidate)

    def _count(self) -> None:
        self._figures.clear()
        with self._figures:
            stat("accepted", self._accepted)
            stat("rejected", self._rejected)
            if not self._known and not self.job.is_finished:
                html.p("Questions appear here as they are checked.").classes("s-muted")


_SHOWN_RUNS = 20


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
        for run, accepted, reviewed in rows:
            _run_row(run, accepted, reviewed)


def _runs() -> list[tuple[Run, int, int]]:
    """The newest runs, each with its number of questions, and how many of them are reviewed."""
    database = service().database
    runs = database.runs.newest(limit=_SHOWN_RUNS, feature="questions")
    reviews = QuestionReviewRepository(database.transactions)
    accepted = [database.items.decisions_page(run.id, "create", limit=1)[1] for run in runs]
    return [(run, count, reviews.count_reviewed(run.id)) for run, count in zip(runs, accepted, strict=True)]


def _job_row(job: Job) -> None:
    with ui.element("li").classes("s-row"):
        chip(job.status)
        html.a(Path(job.request["document"]).name, href=f"/questions?job={job.id}").classes("s-grow qa-name")
        html.span(ago(job.placed_at)).classes("s-muted s-small")


def _run_row(run: Run, accepted: int, reviewed: int) -> None:
    with ui.element("li").classes("s-row"):
        chip(run.status)
        html.a(run.note or run.id, href=f"/questions?run={run.id}").classes("s-grow qa-name")
        if reviewed:
            html.span(f"{reviewed} of {accepted} reviewed").classes("s-muted s-small")
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
