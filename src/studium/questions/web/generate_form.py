"""Choosing a document, or a folder of them, where the settings allow it."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nicegui import html, ui

from studium.core.documents.registry import READERS
from studium.core.domain.errors import NotFound, StudiumError
from studium.core.jobs.file_types import DOCUMENT_TYPES
from studium.questions import use_cases as questions
from studium.questions.corpus import CORPUS_FILE, read_corpus
from studium.questions.jobs import GenerateQuestions, to_generation_request
from studium.web.components.notices import problem_notice
from studium.web.components.uploads import UploadedFile, upload_drop
from studium.web.service import service

_MAX_ENTRIES = 500
"""So many entries of a folder are listed."""


async def choose_document() -> Path | None:
    """Let a person walk through the folders that may be read; what they chose, or nothing."""
    with (
        ui.dialog(value=True).props('aria-label="Choose a document"') as dialog,
        ui.element("div").classes("s-card qa-choose"),
    ):
        walk = _FolderBrowser(dialog)
        await walk.enter(None)
    chosen = await dialog
    dialog.delete()
    return Path(chosen) if chosen else None


class _FolderBrowser:
    """Where one stands among the folders."""

    def __init__(self, dialog: ui.dialog) -> None:
        self._dialog = dialog
        self._place = ui.element("div").classes("s-stack")

    async def enter(self, folder: Path | None) -> None:
        """Show what lies in a folder; without one, the folders to begin with."""
        entries = await asyncio.to_thread(_entries, folder)
        self._place.clear()
        with self._place:
            html.h2(folder.name if folder else "Choose a document or a folder")
            if folder:
                self._ways(folder)
            if not entries:
                html.p("No document lies here." if folder else _NO_ROOTS).classes("s-muted")
            with ui.element("ul").classes("qa-entries"):
                for entry in entries:
                    self._entry(entry, folder)
            ui.button("Cancel", on_click=self._dialog.close).props("flat")

    def _ways(self, folder: Path) -> None:
        up = folder.parent if folder not in service().places.roots else None
        with ui.element("div").classes("s-row s-tight"):
            ui.button("Up", icon="arrow_upward", on_click=lambda: self.enter(up)).props("outline")
            ui.button("Ask about all of this folder", on_click=lambda: self._dialog.submit(str(folder)))

    def _entry(self, entry: Path, folder: Path | None) -> None:
        is_folder = folder is None or entry.is_dir()
        shown = entry.name if folder else str(entry)
        with ui.element("li"):
            button = ui.button(shown, icon="folder" if is_folder else "description").props("flat align=left no-caps")
            button.on_click((lambda: self.enter(entry)) if is_folder else (lambda: self._dialog.submit(str(entry))))


_NO_ROOTS = "No folder may be read yet. Start the server with `studium serve --root FOLDER`, or drop a file."


def _entries(folder: Path | None) -> list[Path]:
    """Folders and documents, folders first."""
    places = service().places
    if folder is None:
        return [root for root in places.roots if root.is_dir()]
    try:
        found = [entry for entry in places.inside(str(folder)).iterdir() if _is_shown(entry)]
    except OSError as error:
        raise NotFound(f"{folder.name} cannot be opened: {error.strerror}.", remedy="Choose another folder.") from error
    return sorted(found, key=lambda entry: (not entry.is_dir(), entry.name.lower()))[:_MAX_ENTRIES]


def _is_shown(entry: Path) -> bool:
    return not entry.name.startswith(".") and (entry.is_dir() or entry.suffix.lower() in READERS)


_MAX_QUESTIONS = 500
_KINDS = sorted(f".{kind}" for kind in DOCUMENT_TYPES)
_MODES = {"textual": "What the text says", "visual": "What figures and tables show"}


async def generate_form() -> None:
    """A form that asks for a document and what is wanted of it."""
    with ui.element("section").classes("s-card qa-ask"):
        html.h2("Ask about a document")
        html.p(
            "Each question is accepted only if a second engine finds the same answer in the document alone."
        ).classes("s-muted")
        _GenerateForm()


@dataclass(frozen=True)
class _ChosenDocument:
    """What is to be asked about: how a job names it, and how a person does."""

    place: str
    name: str


class _GenerateForm:
    """What was chosen so far, and the fields that show it."""

    def __init__(self) -> None:
        self.chosen: _ChosenDocument | None = None
        with ui.element("div").classes("s-columns"):
            with ui.element("div").classes("s-stack"):
                self._source = ui.element("div").classes("s-stack")
                self._show_source()
            with ui.element("div").classes("s-stack"):
                self._fields()

    def _fields(self) -> None:
        usual = service().settings.questions.target_count
        self._count = ui.number("Questions per document", value=usual, min=1, max=_MAX_QUESTIONS, precision=0, step=1)
        self._count.props("outlined").on_value_change(self._expect)
        self._mode = ui.select(_MODES, value="textual", label="About").props("outlined")
        self._mode.on_value_change(self._expect)
        self._scenario = ui.select({}, label="Written for").props("outlined clearable")
        self._scenario.set_visibility(False)
        self._expected = ui.element("div").props("aria-live=polite")
        self._start = ui.button("Ask questions", icon="quiz", on_click=self._start_job)
        self._start.disable()

    def _show_source(self) -> None:
        self._source.clear()
        with self._source:
            if self.chosen:
                with ui.element("div").classes("s-row qa-chosen"):
                    ui.icon("description").props("aria-hidden=true")
                    html.strong(self.chosen.name).classes("s-grow")
                    ui.button("Change", on_click=lambda: self._choose(None)).props("outline")
            else:
                upload_drop(
                    "Drop a document here, or choose one", sorted(f".{kind}" for kind in DOCUMENT_TYPES), self._brought
                )
                self._folders = ui.button("Choose from my folders", icon="folder_open", on_click=self._look)
                self._folders.props("outline")

    async def _brought(self, file: UploadedFile) -> None:
        await self._choose(_ChosenDocument(f"upload:{file.id}", file.name))

    async def _look(self) -> None:
        if path := await choose_document():
            await self._choose(_ChosenDocument(str(path), path.name))
        next_step = self._start if self.chosen else self._folders
        next_step.client.run_javascript(f"getHtmlElement({next_step.id}).focus()")

    async def _choose(self, chosen: _ChosenDocument | None) -> None:
        self.chosen = chosen
        self._show_source()
        scenarios = await asyncio.to_thread(_scenarios, chosen.place) if chosen else {}
        self._scenario.set_options(scenarios, value=next(iter(scenarios), None))
        self._scenario.set_visibility(bool(scenarios))
        self._start.set_enabled(chosen is not None)
        await self._expect()

    async def _expect(self) -> None:
        """Say what it is likely to take."""
        self._expected.clear()
        if not self.chosen:
            return
        try:
            wish = to_generation_request(service().settings, await asyncio.to_thread(self._request, find=True))
            expected = await asyncio.to_thread(questions.estimate_request, service().settings, wish)
        except StudiumError as error:
            with self._expected:
                problem_notice(error)
            return
        with self._expected:
            html.p(_estimate_text(expected)).classes("s-muted s-small")

    def _request(self, *, find: bool = False) -> GenerateQuestions:
        chosen = self.chosen
        asked: dict[str, Any] = {
            "document": chosen.place if chosen else "",
            "count": min(max(int(self._count.value or 1), 1), _MAX_QUESTIONS),
            "mode": self._mode.value,
            "scenario": self._scenario.value,
        }
        return GenerateQuestions.model_validate(asked, context={"find": service().find} if find else None)

    async def _start_job(self) -> None:
        self._start.disable()
        try:
            job = await service().start_job("questions.generate", self._request())
        finally:
            self._start.enable()
        ui.navigate.to(f"/questions?job={job.id}")


def _scenarios(place: str) -> dict[str, str]:
    """What questions about it may be written for, as the corpus file beside it says; the one to begin with first."""
    path = service().find(place)
    beside = (path if path.is_dir() else path.parent) / CORPUS_FILE
    if not Path(beside).is_file():
        return {}
    return {key: scenario.name for key, scenario in read_corpus(beside).scenarios.items()}


def _estimate_text(expected: Any) -> str:
    documents = "1 document" if expected.documents == 1 else f"{expected.documents} documents"
    asked = f"{documents}, up to {expected.questions} questions"
    if not expected.calls:
        return f"{asked}. It costs nothing: no model is asked."
    cost = "at a price that is not known" if expected.cost is None else f"for about ${expected.cost:.2f}"
    return f"{asked}. About {expected.calls} calls to a model, {cost}."
