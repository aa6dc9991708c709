"""A running job on a page: its progress, its events and its result."""

import asyncio
from collections.abc import Callable
from inspect import isawaitable
from typing import Any

from nicegui import background_tasks, html, ui

from studium.core.domain.errors import StudiumError
from studium.core.domain.job import Job, JobEvent
from studium.web.components.labels import chip
from studium.web.service import service

_LINES = 200
"""The most event lines that are shown."""

OnEnd = Callable[[Job], Any]
FormatLine = Callable[[JobEvent], str]


async def active_jobs(kind: str) -> list[Job]:
    """The unfinished jobs of a type (`cards.sync`) or feature (`cards`), newest first."""
    jobs = service().database.jobs
    return [job for job in await asyncio.to_thread(jobs.newest, 20, job_type=kind) if not job.is_finished]


def show_job_progress(
    job: Job, *, title: str, on_end: OnEnd | None = None, line: FormatLine | None = None
) -> "JobProgress":
    """A card that follows a job until it ends; `line` renders a feature's own events as text."""
    return JobProgress(job, title, on_end, line)


class JobProgress:
    """One job on a page; all its events are shown again when the page is reloaded."""

    def __init__(self, job: Job, title: str, on_end: OnEnd | None, line: FormatLine | None) -> None:
        self.job = job
        self._on_end, self._line = on_end, line
        with ui.element("section").classes("s-card s-job").props(f'aria-label="{title.replace(chr(34), "")}"') as card:
            with ui.element("div").classes("s-row s-between"):
                html.h2(title)
                self._status = ui.element("div").classes("s-row s-tight")
            label = f'aria-label="Progress of {title.replace(chr(34), "")}"'
            self._bar = ui.linear_progress(0, show_value=False).props(f"instant-feedback {label}")
            self._item = ui.label().classes("s-muted s-small").props("aria-live=polite")
            self._events = ui.element("ol").classes("s-job-events").props("tabindex=0")
            self._outcome = ui.element("div").classes("s-stack")
        self.card = card
        self._show(job)
        following = background_tasks.create(self._follow(), name=f"follow job {job.id}")
        card.client.on_delete(following.cancel)

    async def _follow(self) -> None:
        async for event in service().jobs.watch(self.job.id):
            with self.card:
                self._on_event(event)
        with self.card:
            if self._on_end and self.job.is_finished:
                ending = self._on_end(self.job)
                if isawaitable(ending):
                    await ending

    def _on_event(self, event: JobEvent) -> None:
        if event.kind == "status":
            self._show(Job.model_validate(event.data))
        elif event.kind == "progress":
            self._show(self.job.model_copy(update=event.data))
        elif self._line and (text := self._line(event)):
            with self._events:
                html.li(text)
            if len(self._events.default_slot.children) > _LINES:
                self._events.remove(0)

    def _show(self, job: Job) -> None:
        status_changed = job.status != self.job.status or not self._status.default_slot.children
        self.job = job
        self._bar.set_value(1.0 if job.status == "done" else job.done / job.total if job.total else 0.0)
        counted = f"{job.done} of {job.total}" if job.total else ""
        self._item.set_text(" · ".join(part for part in (counted, job.item) if part))
        if status_changed:
            self._show_status()

    def _show_status(self) -> None:
        self._status.clear()
        with self._status:
            chip(self.job.status)
            if not self.job.is_finished:
                self._button = ui.button("Cancel", on_click=self._cancel).props("outline dense")
        self._outcome.clear()
        if problem := self.job.problem:
            with self._outcome, ui.element("div").classes("s-problem").props("role=alert"), ui.element("div"):
                html.strong(problem["detail"])
                html.p(problem["remedy"])

    async def _cancel(self) -> None:
        self._button.disable()
        self._button.set_text("Cancelling …")
        try:
            await service().jobs.cancel(self.job.id)
        except StudiumError:
            self._button.enable()
            self._button.set_text("Cancel")
            raise
