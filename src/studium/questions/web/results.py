"""The results of a run: numbers, notes, export, and its pairs by document and search words."""

import asyncio
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

from nicegui import html, ui

from studium.core.domain.run import Run
from studium.questions.domain import DocumentResult, QAPair, RejectedQA
from studium.questions.jobs import ExportQuestions
from studium.questions.review_repository import QuestionReviewRepository
from studium.questions.use_cases import GenerationOutcome, load_outcome
from studium.questions.web.pair_card import PairCard, rejected_row
from studium.web.components.browser_state import query_value, set_query
from studium.web.components.labels import chip, counted, noun, stat
from studium.web.components.notices import empty_state, show_message
from studium.web.components.table import Column, big_table
from studium.web.frame import current_frame
from studium.web.service import service

_PAGE_SIZE = 25
_COLUMNS = (
    Column("name", "Document"),
    Column("accepted", "Accepted", "right"),
    Column("rejected", "Rejected", "right"),
    Column("coverage", "Covered", "right"),
)


class PairBrowser:
    """The pairs of a run, filtered by document, words and status."""

    def __init__(self, outcome: GenerationOutcome, run: Run) -> None:
        self.outcome, self._run = outcome, run
        self._document = next((each.path for each in outcome.documents if each.path == query_value("document")), None)
        self._shown = _PAGE_SIZE
        if len(outcome.documents) > 1:
            self._documents()
        html.h2("Questions")
        self._tools()
        self._filter = ui.element("div").classes("s-row")
        self._list = ui.element("div").classes("qa-pairs")
        first = self._show()
        if first:
            ui.timer(0, first.toggle, once=True)

    def _documents(self) -> None:
        html.h2("Documents")
        rows = [_row(document) for document in self.outcome.documents]
        table = big_table(rows, _COLUMNS, key="path", title="Documents", on_row=lambda row: self._choose(row["path"]))
        table.classes("qa-documents")

    def _tools(self) -> None:
        rejected = sum(len(document.rejected) for document in self.outcome.documents)
        kind = "rejected" if query_value("show") == "rejected" else "accepted"
        kinds = {"accepted": f"Accepted ({len(self.outcome.pairs)})", "rejected": f"Rejected ({rejected})"}
        with ui.element("div").classes("qa-tools"):
            self._words = ui.input("Search questions and answers", value=query_value("words"))
            self._words.props("outlined dense clearable debounce=250")
            self._words.on_value_change(self._update)
            self._kind = ui.toggle(kinds, value=kind).props('no-caps unelevated aria-label="Which to show"')
            self._kind.on_value_change(self._update)

    def _choose(self, document: str | None) -> None:
        self._document = document
        self._update()

    def _update(self) -> None:
        self._shown = _PAGE_SIZE
        show = "" if self._kind.value == "accepted" else self._kind.value
        set_query({"document": self._document, "words": self._words.value, "show": show})
        self._show()

    def _show(self) -> PairCard | None:
        """Show the matching pairs; returns the card of the first."""
        found = self._found()
        self._list.clear()
        with self._list:
            cards = [self._candidate(candidate) for candidate in found[: self._shown]]
            if not found:
                html.p("No matches.").classes("s-muted").props("role=status")
            if len(found) > self._shown:
                left = len(found) - self._shown
                ui.button(f"Show more ({left} left)", on_click=self._more).props("outline")
        self._show_filter(len(found))
        return cards[0] if cards else None

    def _show_filter(self, many: int) -> None:
        self._filter.clear()
        if self._document is None:
            return
        with self._filter:
            html.span(f"{many} of {Path(self._document).name}").classes("s-muted qa-name").props("role=status")
            ui.button("All documents", icon="close", on_click=lambda: self._choose(None)).props("outline")

    def _more(self) -> None:
        self._shown += 2 * _PAGE_SIZE
        self._show()

    def _found(self) -> list[QAPair | RejectedQA]:
        words = str(self._words.value or "").casefold().split()
        return [
            candidate
            for document in self.outcome.documents
            if self._document in (None, document.path)
            for candidate in (document.accepted if self._kind.value == "accepted" else document.rejected)
            if _matches(candidate, words)
        ]

    def _candidate(self, candidate: QAPair | RejectedQA) -> PairCard | None:
        if isinstance(candidate, QAPair):
            return PairCard(candidate, self._own_run)
        rejected_row(candidate)
        return None

    async def _own_run(self) -> Run:
        return self._run


def _matches(candidate: QAPair | RejectedQA, words: list[str]) -> bool:
    text = f"{candidate.question} {candidate.answer}".casefold() if words else ""
    return all(word in text for word in words)


def _row(document: DocumentResult) -> dict[str, Any]:
    return {
        "path": document.path,
        "name": Path(document.path).name,
        "accepted": len(document.accepted),
        "rejected": len(document.rejected),
        "coverage": f"{100 * document.stats.coverage:.0f} %" if document.stats else "failed",
    }


_FORMATS = {
    "ragas": "RAGAS test set",
    "jsonl": "JSON lines",
    "csv": "CSV, for a spreadsheet",
    "parquet": "Parquet",
    "anki": "Anki package",
    "json": "JSON, as the command writes it",
}


def export_menu(run: str) -> None:
    """The export button with its formats."""
    with ui.button("Export", icon="download") as button, ui.menu():
        for name, label in _FORMATS.items():
            ui.menu_item(label, on_click=lambda name=name: _export(run, name, button))


async def _export(run: str, name: str, button: ui.button) -> None:
    """Export the run and download the file."""
    button.props(add="loading")
    try:
        job = await service().start_job(
            "questions.export", ExportQuestions.model_validate({"run": run, "format": name})
        )
        job = await service().jobs.wait(job.id)
    finally:
        button.props(remove="loading")
    if job.status != "done":
        ui.notify(job.problem["detail"] if job.problem else "The export failed.", type="negative", position="top")
        return
    for file in job.files:
        ui.download.from_url(f"/api/v1/jobs/{job.id}/files/{file}", file)
    show_message("The download has started.")


async def show_run(given: str) -> None:
    """Show the results of a run."""
    run = await asyncio.to_thread(service().database.runs.get, given)
    outcome = await asyncio.to_thread(_outcome, run)
    current_frame().rename(run.note or "Questions")
    if outcome.pairs or outcome.generated:
        with current_frame().actions:
            _review_button(outcome, run)
            export_menu(run.id)
    await _unfinished(run)
    _figures(outcome)
    _notes(outcome.documents)
    if outcome.pairs or any(document.rejected for document in outcome.documents):
        PairBrowser(outcome, run)
    elif run.status == "done":
        empty_state("No questions accepted", "The notes above say why, and what would help.", icon="quiz")


def _review_button(outcome: GenerationOutcome, run: Run) -> None:
    reviewed = _reviews().count_reviewed(run.id)
    label = f"Review ({reviewed} of {max(outcome.generated, len(outcome.pairs))} done)" if reviewed else "Review"
    ui.button(label, icon="checklist", on_click=lambda: ui.navigate.to(f"/questions/review?run={run.id}"))


def _reviews() -> QuestionReviewRepository:
    return QuestionReviewRepository(service().database.transactions)


def _outcome(run: Run) -> GenerationOutcome:
    if run.status != "done":
        return load_outcome(service().database, run.id)
    return _finished(run.id, _reviews().version(run.id))


@lru_cache(maxsize=4)
def _finished(run: str, _reviewed: tuple[int, int]) -> GenerationOutcome:
    """The outcome of a finished run, which changes only when it is reviewed."""
    return load_outcome(service().database, run)


async def _unfinished(run: Run) -> None:
    """Say that the run is not finished, and offer to resume it."""
    if run.status == "done":
        return
    jobs = await asyncio.to_thread(service().database.jobs.newest, 50, job_type="questions.generate")
    own = next((job for job in jobs if job.request["document"] == run.arguments.get("root")), None)
    with ui.element("div").classes("s-card"), ui.element("div").classes("s-row"):
        chip(run.status)
        html.span(
            "The run is not finished. Accepted questions are saved; those of an unfinished document appear "
            "once you resume the run."
        ).classes("s-grow")
        if own and own.status != "done":
            html.a("Resume", href=f"/questions?job={own.id}").classes("s-button")


def _figures(outcome: GenerationOutcome) -> None:
    reasons: Counter[str] = Counter()
    for document in outcome.documents:
        reasons.update(rejected.rejection_reason.value for rejected in document.rejected)
    covered = [document.stats.coverage for document in outcome.documents if document.stats]
    with ui.element("section").classes("s-card").props('aria-label="Numbers"'):
        with ui.element("div").classes("qa-stats"):
            stat("accepted", len(outcome.pairs))
            stat("rejected", reasons.total())
            stat(noun(len(outcome.documents), "document"), len(outcome.documents))
            stat("of the text covered", f"{100 * sum(covered) / len(covered):.0f} %" if covered else "–")
        if reasons:
            with ui.element("div").classes("s-row s-tight"):
                html.span("Rejected:").classes("s-muted s-small")
                for reason, many in reasons.most_common():
                    chip(f"{many} {reason}", "bad")


_NOTES_SHOWN = 20


def _notes(documents: list[DocumentResult]) -> None:
    """The notes on documents, failed ones first."""
    noted = sorted((each for each in documents if each.findings), key=lambda each: not each.failed)
    if not noted:
        return
    with ui.element("section").classes("s-card").props('aria-label="Notes"'):
        html.h2("Notes")
        with ui.element("ul").classes("qa-notes"):
            for document in noted[:_NOTES_SHOWN]:
                _notes_on(document)
        if len(noted) > _NOTES_SHOWN:
            html.p(f"There are notes on {counted(len(noted) - _NOTES_SHOWN, 'more document')}.").classes(
                "s-muted s-small"
            )


def _notes_on(document: DocumentResult) -> None:
    notes = [(each.severity.value, each.message.removeprefix(f"{document.path}: ")) for each in document.findings]
    for severity, message in dict.fromkeys(notes):
        with ui.element("li"):
            chip(severity)
            with ui.element("div"):
                html.strong(Path(document.path).name)
                html.p(message).classes("s-muted")
