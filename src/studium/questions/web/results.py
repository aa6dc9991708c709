"""Looking through the pairs of a run: by document, by words, accepted or refused."""

import asyncio
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

from nicegui import html, ui

from studium.core.domain.run import Run
from studium.questions.domain import QAPair, RejectedQA
from studium.questions.jobs import ExportQuestions
from studium.questions.results import DocumentResult
from studium.questions.use_cases import GenerationOutcome, load_outcome
from studium.questions.web.pair_card import PairCard, rejected_row
from studium.web.components.browser_state import query_value, set_query
from studium.web.components.labels import chip, counted, noun, stat
from studium.web.components.notices import empty_state, show_message
from studium.web.components.table import Column, big_table
from studium.web.frame import current_frame
from studium.web.service import service

_AT_ONCE = 25
_COLUMNS = (
    Column("name", "Document"),
    Column("accepted", "Accepted", "right"),
    Column("refused", "Refused", "right"),
    Column("coverage", "Asked about", "right"),
)


class PairBrowser:
    """What is looked for, and what fits it."""

    def __init__(self, asked: GenerationOutcome, run: Run) -> None:
        self.asked, self._run = asked, run
        self._document = next((each.path for each in asked.documents if each.path == query_value("document")), None)
        self._shown = _AT_ONCE
        if len(asked.documents) > 1:
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
        rows = [_row(document) for document in self.asked.documents]
        table = big_table(rows, _COLUMNS, key="path", title="Documents", on_row=lambda row: self._choose(row["path"]))
        table.classes("qa-documents")

    def _tools(self) -> None:
        refused = sum(len(document.rejected) for document in self.asked.documents)
        kind = "refused" if query_value("show") == "refused" else "accepted"
        kinds = {"accepted": f"Accepted ({len(self.asked.pairs)})", "refused": f"Refused ({refused})"}
        with ui.element("div").classes("qa-tools"):
            self._words = ui.input("Search questions and answers", value=query_value("words"))
            self._words.props("outlined dense clearable debounce=250")
            self._words.on_value_change(self._again)
            self._kind = ui.toggle(kinds, value=kind).props('no-caps unelevated aria-label="Which to show"')
            self._kind.on_value_change(self._again)

    def _choose(self, document: str | None) -> None:
        self._document = document
        self._again()

    def _again(self) -> None:
        self._shown = _AT_ONCE
        show = "" if self._kind.value == "accepted" else self._kind.value
        set_query({"document": self._document, "words": self._words.value, "show": show})
        self._show()

    def _show(self) -> PairCard | None:
        """Show what fits; the card of the first pair, if there is one."""
        found = self._found()
        self._list.clear()
        with self._list:
            cards = [self._candidate(candidate) for candidate in found[: self._shown]]
            if not found:
                html.p("Nothing fits what is looked for.").classes("s-muted").props("role=status")
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
        self._shown += 2 * _AT_ONCE
        self._show()

    def _found(self) -> list[QAPair | RejectedQA]:
        words = str(self._words.value or "").casefold().split()
        return [
            candidate
            for document in self.asked.documents
            if self._document in (None, document.path)
            for candidate in (document.accepted if self._kind.value == "accepted" else document.rejected)
            if _fits(candidate, words)
        ]

    def _candidate(self, candidate: QAPair | RejectedQA) -> PairCard | None:
        if isinstance(candidate, QAPair):
            return PairCard(candidate, self._own_run)
        rejected_row(candidate)
        return None

    async def _own_run(self) -> Run:
        return self._run


def _fits(candidate: QAPair | RejectedQA, words: list[str]) -> bool:
    said = f"{candidate.question} {candidate.answer}".casefold() if words else ""
    return all(word in said for word in words)


def _row(document: DocumentResult) -> dict[str, Any]:
    return {
        "path": document.path,
        "name": Path(document.path).name,
        "accepted": len(document.accepted),
        "refused": len(document.rejected),
        "coverage": f"{100 * document.stats.coverage:.0f} %" if document.stats else "failed",
    }


_FORMATS = {
    "ragas": "RAGAS test set",
    "jsonl": "JSON lines",
    "csv": "CSV, for a spreadsheet",
    "parquet": "Parquet",
    "anki": "Anki package",
}


def export_menu(run: str) -> None:
    """A button that offers every format."""
    with ui.button("Export", icon="download") as button, ui.menu():
        for name, told in _FORMATS.items():
            ui.menu_item(told, on_click=lambda name=name: _export(run, name, button))


async def _export(run: str, name: str, button: ui.button) -> None:
    """Have the file made, and hand it over."""
    button.props(add="loading")
    try:
        job = await service().start_job(
            "questions.export", ExportQuestions.model_validate({"run": run, "format": name})
        )
        job = await service().jobs.wait(job.id)
    finally:
        button.props(remove="loading")
    if job.status != "done":
        ui.notify((job.problem or {}).get("detail", "The export failed."), type="negative", position="top")
        return
    for file in job.files:
        ui.download.from_url(f"/api/v1/jobs/{job.id}/files/{file}", file)
    show_message("The file is on its way.")


async def show_run(given: str) -> None:
    """The whole of a run."""
    run = await asyncio.to_thread(service().database.runs.get, given)
    asked = await asyncio.to_thread(_finished if run.status == "done" else _now, run.id)
    current_frame().rename(run.note or "Questions")
    if asked.pairs:
        with current_frame().actions:
            export_menu(run.id)
    await _unfinished(run)
    _figures(asked)
    _troubles(asked.documents)
    if asked.pairs or any(document.rejected for document in asked.documents):
        PairBrowser(asked, run)
    elif run.status == "done":
        empty_state(
            "No question was made", "The notes above say why. Try another document, or fewer questions.", icon="quiz"
        )


def _now(run: str) -> GenerationOutcome:
    return load_outcome(service().database, run)


@lru_cache(maxsize=4)
def _finished(run: str) -> GenerationOutcome:
    """A run that is done stays as it is."""
    return _now(run)


async def _unfinished(run: Run) -> None:
    """Say that there is more to come, and how to get it."""
    if run.status == "done":
        return
    jobs = await asyncio.to_thread(service().database.jobs.newest, 50, job_type="questions.generate")
    own = next((job for job in jobs if job.request["document"] == run.arguments.get("root")), None)
    with ui.element("div").classes("s-card"), ui.element("div").classes("s-row"):
        chip(run.status)
        html.span(
            "The run did not get to its end. What was accepted is kept; that of a document which was not finished "
            "stands here once you go on with it."
        ).classes("s-grow")
        if own and own.status != "done":
            html.a("Go on with it", href=f"/questions?job={own.id}").classes("s-button")


def _figures(asked: GenerationOutcome) -> None:
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
