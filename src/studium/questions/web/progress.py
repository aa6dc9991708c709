"""Following a job: every pair as it is accepted, every refusal with its reason."""

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
from studium.questions.use_cases import find_unfinished_run, load_outcome
from studium.questions.web.pair_card import PairCard, rejected_row
from studium.questions.web.results import show_run
from studium.web.components.job_progress import show_job_progress
from studium.web.components.labels import stat
from studium.web.frame import current_frame
from studium.web.service import service

_SHOWN = 100
"""So many of the newest are shown while the work goes on."""
_SECONDS = 0.3

Candidate = QAPair | RejectedQA


async def show_progress(given: str) -> None:
    """A job as it goes; one that is done is shown as its run."""
    job = await service().jobs.find(given)
    if job.kind != "questions.generate":
        raise BadInput(f"Job {job.id} asks no questions.", remedy="Choose one of the runs on the Questions page.")
    if job.run:
        await show_run(job.run)
        return
    name = Path(job.request["document"]).name
    current_frame().rename(name)
    feed = ProgressFeed(job)

    def hear(event: JobEvent) -> str:
        feed.hear(event)
        return ""

    show_job_progress(job, title=f"Asking about {name}", on_end=feed.end, line=hear)
    feed.show()
    await feed.recall()


@dataclass
class ProgressFeed:
    """What a job brought so far, newest first; what is told twice is shown once."""

    job: Job
    _known: set[tuple[str, str]] = field(default_factory=set)
    _fresh: list[Candidate] = field(default_factory=list)
    _accepted: int = 0
    _refused: int = 0

    def show(self) -> None:
        """Put it on the page."""
        self._ending = ui.element("div").classes("s-row")
        self._ending.set_visibility(False)
        self._figures = ui.element("div").classes("qa-stats").props("aria-live=polite")
        self._count()
        self._list = ui.element("div").classes("qa-pairs")
        ui.timer(_SECONDS, self._refresh)

    async def recall(self) -> Run | None:
        """Take in what the database has of the run, once it began: of earlier documents, as after a restart."""
        run = await self.run()
        if run:
            asked = await asyncio.to_thread(load_outcome, service().database, run.id)
            for document in asked.documents:
                self._take(document.path, document.rejected)
                self._take(document.path, document.accepted)
        return run

    def hear(self, event: JobEvent) -> None:
        """Take in what happened."""
        kinds: dict[str, type[Candidate]] = {"accepted": QAPair, "rejected": RejectedQA}
        if kind := kinds.get(event.kind):
            told: dict[str, Any] = dict(event.data["pair"])
            document = told["source_document"] if kind is QAPair else told.pop("source_document", "")
            self._take(document, [kind.model_validate(told)])

    async def run(self) -> Run | None:
        """The run of the job, once it began."""
        settings = service().settings
        wish = to_generation_request(settings, GenerateQuestions.model_validate(self.job.request))
        try:
            return await asyncio.to_thread(find_unfinished_run, service().database, wish)
        except BadInput:  # the document is gone, or was never one
            return None

    async def end(self, job: Job) -> None:
        """Go on to what came of it, or say how to go on with it."""
        if job.run:
            ui.navigate.to(f"/questions?run={job.run}")
            return
        self.job = job
        run = await self.recall()
        self._refresh()  # the figures are the last ones when the way on is shown
        self._count()
        self._ending.clear()
        self._ending.set_visibility(True)
        with self._ending:
            ui.button("Go on with it", icon="play_arrow", on_click=self._resume)
            if run:
                html.a("See what was kept", href=f"/questions?run={run.id}")

    async def _resume(self) -> None:
        await service().jobs.resume(self.job.id)
        ui.navigate.to(f"/questions?job={self.job.id}")

    def _take(self, document: str, candidates: Iterable[Candidate]) -> None:
        for candidate in candidates:
            key = (document, candidate.question)
            if key not in self._known:
                self._known.add(key)
                self._fresh.append(candidate)

    def _refresh(self) -> None:
        """Show what is new; a thousand at once are counted, and the newest shown."""
        if not self._fresh:
            return
        fresh, self._fresh = self._fresh, []
        accepted = sum(isinstance(each, QAPair) for each in fresh)
        self._accepted += accepted
        self._refused += len(fresh) - accepted
        self._count()
        with self._list:
            for candidate in fresh[-_SHOWN:]:
                self._candidate(candidate).move(target_index=0)
        while len(self._list.default_slot.children) > _SHOWN:
            self._list.remove(-1)

    def _candidate(self, candidate: Candidate) -> ui.element:
        if isinstance(candidate, QAPair):
            return PairCard(candidate, self.run).card
        return rejected_row(candidate)

    def _count(self) -> None:
        self._figures.clear()
        with self._figures:
            stat("accepted", self._accepted)
            stat("refused", self._refused)
            if not self._known and not self.job.is_finished:
                html.p("Each question stands here as soon as it is decided about.").classes("s-muted")
