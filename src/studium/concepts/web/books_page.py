"""The books page: import highlights, extract concepts, publish, export and undo."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from nicegui import html, ui

from studium.concepts.graph_cache import BookCounts, graph_cache
from studium.concepts.jobs import ExportRequest, ExtractRequest, ParseRequest, PublishRequest, UndoRequest
from studium.core.database import Database
from studium.core.domain.decision import ChangeStatus
from studium.core.domain.job import Job
from studium.core.jobs.uploads import QUOTE_TYPES
from studium.web.components.job_progress import active_jobs, show_job_progress
from studium.web.components.labels import ago, chip, counted
from studium.web.components.notices import empty_state
from studium.web.components.uploads import UploadedFile, upload_drop
from studium.web.service import service

_TITLES = {
    "concepts.parse": "Reading the quotes",
    "concepts.extract": "Extracting concepts",
    "concepts.answer": "Applying your answer",
}


async def show_books() -> None:
    """Show every book, running jobs, and the import form."""
    underway = ui.element("div").classes("s-stack")
    with underway:
        for job in await active_jobs("concepts"):
            follow_job(job)
    books = await asyncio.to_thread(graph_cache(service().app).books)
    reviews = await asyncio.to_thread(service().database.reviews.select, "open", "concepts", limit=1000)
    waiting = {review.decision.item for review in reviews}
    if books:
        with ui.element("ul").classes("s-card s-list"):
            for book in books:
                _book(book, underway, waits=book.book.title in waiting)
    else:
        empty_state("No books yet", "Import highlights below: Markdown, My Clippings.txt, Readwise and more.")
    _import_highlights(underway)


def _book(shelved: BookCounts, underway: ui.element, *, waits: bool) -> None:
    book = shelved.book
    with ui.element("li").classes("s-row s-between"):
        with ui.element("div").classes("c-book"):
            html.strong(book.title)
            about = (book.author, counted(shelved.quotes, "quote"), counted(shelved.concepts, "concept"))
            html.span(" · ".join(part for part in about if part)).classes("s-muted s-small")
        with ui.element("div").classes("s-row s-tight"):
            if waits:
                chip("waits for you", "warn")
                html.a("Review", href=review_url(book.uuid)).classes("s-button")
            else:
                _draw_button(book.uuid, book.title, underway)
            if shelved.concepts:
                html.a("On the map", href=f"/concepts?{urlencode({'book': book.title})}").classes("s-button")


def _draw_button(book: str, title: str, underway: ui.element) -> None:
    async def draw() -> None:
        job = await service().start_job("concepts.extract", ExtractRequest(book=book))
        with underway:
            follow_job(job)

    ui.button("Extract concepts", icon="auto_awesome", on_click=draw).props("outline").props["aria-label"] = (
        f"Extract concepts from {title}"
    )


def _import_highlights(underway: ui.element) -> None:
    with ui.element("section").classes("s-card"):
        html.h2("Import highlights")
        with ui.element("div").classes("s-row c-bring"):
            title = ui.input("Title, if the file does not say").props("outlined dense")
            author = ui.input("Author, if the file does not say").props("outlined dense")

        async def import_file(file: UploadedFile) -> None:
            request = ParseRequest(file=f"upload:{file.id}", title=title.value.strip(), author=author.value.strip())
            job = await service().start_job("concepts.parse", request)
            with underway:
                follow_job(job)

        upload_drop(
            "Drop a file of highlights, or choose one", [f".{kind}" for kind in sorted(QUOTE_TYPES)], import_file
        )


def follow_job(job: Job) -> None:
    """Follow a job until it ends, and show the next step."""
    if job.kind not in _TITLES:
        return
    name = str(job.request.get("title", ""))
    title = f"{_TITLES[job.kind]}{f' of “{name}”' if name else ''}"
    place = ui.element("div").classes("s-stack")
    with place:
        show_job_progress(job, title=title, on_end=lambda ended: _show_result(ended, place))


def _show_result(job: Job, place: ui.element) -> None:
    if job.status != "done":
        return
    with place:
        if job.kind == "concepts.parse":
            _parsed(job.result, place)
        elif job.result["waiting"]:
            ui.navigate.to(review_url(job.result["book"]["uuid"]))
        else:
            show_findings(job.result["findings"] or [{"message": "There are no new quotes to extract concepts from."}])


def _parsed(result: dict[str, Any], place: ui.element) -> None:
    with ui.element("ul").classes("s-card s-list"):
        for book in result["books"]:
            with ui.element("li").classes("s-row s-between"):
                told = f"{counted(book['quotes'], 'quote')}, {book['added']} of them new"
                html.span(f"“{book['title']}”: {told}.")
                _draw_button(book["book"], book["title"], place)
    show_findings(result["findings"])


def show_findings(findings: list[dict[str, Any]]) -> None:
    """Show findings, one per line."""
    if findings:
        with ui.element("ul").classes("s-card c-findings"):
            for finding in findings:
                html.li(finding["message"])


def review_url(book: str) -> str:
    """The URL of a book's review page."""
    return f"/concepts/review?{urlencode({'book': book})}"


_RUNS = 50


@dataclass(frozen=True)
class UndoableCommit:
    """A run whose concepts can be undone."""

    run: str
    when: datetime
    titles: tuple[str, ...]


def undoable_commits(database: Database) -> list[UndoableCommit]:
    """The latest runs that can be undone, newest first."""
    found = []
    for run in database.runs.newest(_RUNS, feature="concepts"):
        made = [one for sink, one in database.changes.of_run(run.id) if sink == "concepts"]
        titles = [
            concept["title"]
            for one in made
            if one.status is ChangeStatus.APPLIED
            for concept in (one.after or {}).get("concepts", ())
        ]
        if titles:
            found.append(UndoableCommit(run.id, run.started_at, tuple(titles)))
    return found


async def show_publish_and_undo() -> None:
    """Show publishing, export and undo."""
    kept = await asyncio.to_thread(undoable_commits, service().database)
    with ui.element("div").classes("s-columns"):
        _publishing()
        _exporting()
    if kept:
        html.h2("Recent commits")
        with ui.element("ul").classes("s-card s-list"):
            for commit in kept:
                _commit_row(commit)


def _publishing() -> None:
    vault = service().settings.concepts.vault
    with ui.element("section").classes("s-card"):
        html.h2("Notes for Obsidian")
        html.p("Every concept becomes a note. Your edits are merged, never overwritten.").classes("s-muted")
        folder = ui.input("Folder of your vault", value=str(vault or "")).props("outlined dense")
        outcome = ui.element("div").classes("s-stack")

        async def publish() -> None:
            job = await service().start_job("concepts.publish", PublishRequest(folder=folder.value.strip() or "."))
            outcome.clear()
            with outcome:
                show_job_progress(job, title="Writing notes", on_end=_published)

        ui.button("Write notes", icon="edit_note", on_click=publish)


def _published(job: Job) -> None:
    if job.status == "done":
        told = job.result
        notes = counted(len(told["written"]), "note")
        html.p(f"{notes} written, {len(told['merged'])} merged with your edits, {told['unchanged']} unchanged.")
        show_findings(told["findings"])


def _exporting() -> None:
    with ui.element("section").classes("s-card"):
        html.h2("Export")
        html.p("Books, quotes, concepts and relations in one file, for another Studium or another program.").classes(
            "s-muted"
        )
        outcome = ui.element("div").classes("s-stack")

        async def export() -> None:
            job = await service().start_job("concepts.export", ExportRequest())
            outcome.clear()
            with outcome:
                show_job_progress(job, title="Writing the file", on_end=_exported)

        ui.button("Export the graph", icon="download", on_click=export)


def _exported(job: Job) -> None:
    for file in job.files if job.status == "done" else ():
        html.a(f"Download {file}", href=f"/api/v1/jobs/{job.id}/files/{file}", download=file).classes("s-button")


def _commit_row(commit: UndoableCommit) -> None:
    with ui.element("li").classes("s-row s-between") as row:
        with ui.element("div").classes("c-book"):
            html.strong(f"{counted(len(commit.titles), 'concept')}, {ago(commit.when)}")
            html.span(", ".join(commit.titles)).classes("s-muted s-small c-one-line")
        ui.button("Undo", icon="undo", on_click=lambda: _confirm(commit, row)).props("flat")


def _confirm(commit: UndoableCommit, row: ui.element) -> None:
    with ui.dialog(value=True).props('aria-label="Undo"') as dialog, ui.element("div").classes("s-card s-help"):
        html.h2(f"Undo {counted(len(commit.titles), 'concept')}?")
        html.p("They are removed from the graph, and their notes from the vault. The quotes stay.")

        async def take_back() -> None:
            dialog.close()
            job = await service().start_job("concepts.undo", UndoRequest(run=commit.run))
            with row:
                show_job_progress(job, title="Undoing", on_end=_taken_back)

        with ui.element("div").classes("s-row"):
            ui.button("Undo", on_click=take_back)
            ui.button("Keep them", on_click=dialog.close).props("flat")
    dialog.on("hide", dialog.delete)


def _taken_back(job: Job) -> None:
    if job.status == "done":
        ui.navigate.reload()
