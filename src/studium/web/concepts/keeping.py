"""What can be done with all that is kept: written as notes, taken along as a file, taken back."""

import asyncio
from dataclasses import dataclass
from datetime import datetime

from nicegui import html, ui

from studium.core.database import Database
from studium.core.domain.change import ChangeStatus
from studium.core.domain.job import Job
from studium.service.kinds.concepts import Export, Publish, Undo
from studium.web.concepts.shelf import show_findings
from studium.web.house import service
from studium.web.parts.figures import counted
from studium.web.parts.moments import ago
from studium.web.parts.orders import order_progress

_RUNS = 50


@dataclass(frozen=True)
class Commit:
    """A run that kept concepts, which can be taken back."""

    run: str
    when: datetime
    titles: tuple[str, ...]


def commits(ledger: Database) -> list[Commit]:
    """The last runs whose concepts still stand, the newest first."""
    found = []
    for run in ledger.runs.newest(_RUNS, faculty="concepts"):
        made = [one for sink, one in ledger.changes.of_run(run.id) if sink == "concepts"]
        titles = [
            concept["title"]
            for one in made
            if one.status is ChangeStatus.APPLIED
            for concept in (one.after or {}).get("concepts", ())
        ]
        if titles:
            found.append(Commit(run.id, run.started_at, tuple(titles)))
    return found


async def show_keeping() -> None:
    """Publish, export, and take back."""
    kept = await asyncio.to_thread(commits, service().ledger)
    with ui.element("div").classes("s-columns"):
        _publishing()
        _exporting()
    if kept:
        html.h2("What was kept")
        with ui.element("ul").classes("s-card s-list"):
            for commit in kept:
                _commit(commit)


def _publishing() -> None:
    vault = service().settings.concepts.vault
    with ui.element("section").classes("s-card"):
        html.h2("Notes for Obsidian")
        html.p("Every concept becomes a note. What you changed in a note is merged, never overwritten.").classes(
            "s-muted"
        )
        folder = ui.input("Folder of your vault", value=str(vault or "")).props("outlined dense")
        outcome = ui.element("div").classes("s-stack")

        async def publish() -> None:
            order = await service().order("concepts.publish", Publish(folder=folder.value.strip() or "."))
            outcome.clear()
            with outcome:
                order_progress(order, title="Writing notes", on_end=_published)

        ui.button("Write notes", icon="edit_note", on_click=publish)


def _published(order: Job) -> None:
    if order.status == "done":
        told = order.result
        notes = counted(len(told["written"]), "note")
        html.p(f"{notes} written, {len(told['merged'])} merged with your edits, {told['unchanged']} as they were.")
        show_findings(told["findings"])


def _exporting() -> None:
    with ui.element("section").classes("s-card"):
        html.h2("Take it along")
        html.p("Books, quotes, concepts and relations in one file, for another Studium or a program.").classes(
            "s-muted"
        )
        outcome = ui.element("div").classes("s-stack")

        async def export() -> None:
            order = await service().order("concepts.export", Export())
            outcome.clear()
            with outcome:
                order_progress(order, title="Writing the file", on_end=_exported)

        ui.button("Export the graph", icon="download", on_click=export)


def _exported(order: Job) -> None:
    for file in order.files if order.status == "done" else ():
        html.a(f"Download {file}", href=f"/api/v1/orders/{order.id}/files/{file}", download=file).classes("s-button")


def _commit(commit: Commit) -> None:
    with ui.element("li").classes("s-row s-between") as row:
        with ui.element("div").classes("c-book"):
            html.strong(f"{counted(len(commit.titles), 'concept')}, {ago(commit.when)}")
            html.span(", ".join(commit.titles)).classes("s-muted s-small c-one-line")
        ui.button("Take back", icon="undo", on_click=lambda: _confirm(commit, row)).props("flat")


def _confirm(commit: Commit, row: ui.element) -> None:
    with ui.dialog(value=True).props('aria-label="Take back"') as dialog, ui.element("div").classes("s-card s-help"):
        html.h2(f"Take {counted(len(commit.titles), 'concept')} back?")
        html.p("They leave the graph, and their notes leave the vault. The quotes stay.")

        async def take_back() -> None:
            dialog.close()
            order = await service().order("concepts.undo", Undo(run=commit.run))
            with row:
                order_progress(order, title="Taking back", on_end=_taken_back)

        with ui.element("div").classes("s-row"):
            ui.button("Take back", on_click=take_back)
            ui.button("Keep them", on_click=dialog.close).props("flat")
    dialog.on("hide", dialog.delete)


def _taken_back(order: Job) -> None:
    if order.status == "done":
        ui.navigate.reload()
