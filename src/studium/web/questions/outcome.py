"""What a run came to: its figures, its documents, its pairs, and the way to take them along."""

import asyncio
from collections import Counter
from functools import lru_cache
from pathlib import Path

from nicegui import html, ui

from studium.core.domain.run import Run
from studium.faculties.questions import Asked, asked_in
from studium.running.questions.results import DocumentResult
from studium.web.frame import here
from studium.web.house import service
from studium.web.parts.figures import chip, counted, noun, stat
from studium.web.parts.notices import empty_state
from studium.web.questions.browsing import Browser
from studium.web.questions.exporting import export_menu


async def show_run(given: str) -> None:
    """The whole of a run."""
    run = await asyncio.to_thread(service().ledger.runs.get, given)
    asked = await asyncio.to_thread(_finished if run.status == "done" else _now, run.id)
    here().rename(run.note or "Questions")
    if asked.pairs:
        with here().actions:
            export_menu(run.id)
    await _unfinished(run)
    _figures(asked)
    _troubles(asked.documents)
    if asked.pairs or any(document.rejected for document in asked.documents):
        Browser(asked, run)
    elif run.status == "done":
        empty_state(
            "No question was made", "The notes above say why. Try another document, or fewer questions.", icon="quiz"
        )


def _now(run: str) -> Asked:
    return asked_in(service().ledger, run)


@lru_cache(maxsize=4)
def _finished(run: str) -> Asked:
    """A run that is done stays as it is."""
    return _now(run)


async def _unfinished(run: Run) -> None:
    """Say that there is more to come, and how to get it."""
    if run.status == "done":
        return
    orders = await asyncio.to_thread(service().ledger.jobs.newest, 50, job_type="questions.generate")
    own = next((order for order in orders if order.request["document"] == run.arguments.get("root")), None)
    with ui.element("div").classes("s-card"), ui.element("div").classes("s-row"):
        chip(run.status)
        html.span(
            "The run did not get to its end. What was accepted is kept; that of a document which was not finished "
            "stands here once you go on with it."
        ).classes("s-grow")
        if own and own.status != "done":
            html.a("Go on with it", href=f"/questions?order={own.id}").classes("s-button")


def _figures(asked: Asked) -> None:
    reasons: Counter[str] = Counter()
    for document in asked.documents:
        reasons.update(refused.rejection_reason.value for refused in document.rejected)
    covered = [document.stats.coverage for document in asked.documents if document.stats]
    with ui.element("section").classes("s-card").props('aria-label="Figures"'):
        with ui.element("div").classes("qa-stats"):
            stat("accepted", len(asked.pairs))
            stat("refused", reasons.total())
            stat(noun(len(asked.documents), "document"), len(asked.documents))
            stat("of the text asked about", f"{100 * sum(covered) / len(covered):.0f} %" if covered else "–")
        if reasons:
            with ui.element("div").classes("s-row s-tight"):
                html.span("Refused:").classes("s-muted s-small")
                for reason, many in reasons.most_common():
                    chip(f"{many} {reason}", "bad")


_TROUBLES_SHOWN = 20


def _troubles(documents: list[DocumentResult]) -> None:
    """What was found wrong with documents, those that failed first."""
    noted = sorted((each for each in documents if each.findings), key=lambda each: not each.failed)
    if not noted:
        return
    with ui.element("section").classes("s-card").props('aria-label="Notes"'):
        html.h2("Notes")
        with ui.element("ul").classes("qa-notes"):
            for document in noted[:_TROUBLES_SHOWN]:
                _notes_on(document)
        if len(noted) > _TROUBLES_SHOWN:
            html.p(f"There are notes on {counted(len(noted) - _TROUBLES_SHOWN, 'more document')}.").classes(
                "s-muted s-small"
            )


def _notes_on(document: DocumentResult) -> None:
    said = [(each.severity.value, each.message.removeprefix(f"{document.path}: ")) for each in document.findings]
    for severity, message in dict.fromkeys(said):
        with ui.element("li"):
            chip(severity)
            with ui.element("div"):
                html.strong(Path(document.path).name)
                html.p(message).classes("s-muted")
