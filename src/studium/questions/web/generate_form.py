"""The form that starts a generation: choose a document or a folder, and the options."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nicegui import html, ui

from studium.core.documents.files import has_valid_name
from studium.core.documents.registry import READERS
from studium.core.domain.errors import NotFound, StudiumError
from studium.core.jobs.uploads import DOCUMENT_TYPES
from studium.questions import use_cases as questions
from studium.questions.corpus import CORPUS_FILE, read_corpus
from studium.questions.estimate import Estimate
from studium.questions.jobs import GenerateQuestions, to_generation_request
from studium.questions.kinds import FOR_MODELS, KINDS, MAX_WEIGHT, QuestionKind
from studium.web.components.labels import counted
from studium.web.components.notices import problem_notice
from studium.web.components.uploads import UploadedFile, upload_drop
from studium.web.service import service

_MAX_ENTRIES = 500
"""How many entries of a folder are listed."""


async def choose_document() -> Path | None:
    """Let the user browse the readable folders; returns the chosen path, or None."""
    with (
        ui.dialog(value=True).props('aria-label="Choose a document"') as dialog,
        ui.element("div").classes("s-card qa-choose"),
    ):
        browser = _FolderBrowser(dialog)
        await browser.enter(None)
    chosen = await dialog
    dialog.delete()
    return Path(chosen) if chosen else None


class _FolderBrowser:
    """The dialog that browses folders."""

    def __init__(self, dialog: ui.dialog) -> None:
        self._dialog = dialog
        self._place = ui.element("div").classes("s-stack")

    async def enter(self, folder: Path | None) -> None:
        """Show the entries of a folder, or the root folders."""
        entries = await asyncio.to_thread(_entries, folder)
        self._place.clear()
        with self._place:
            html.h2(folder.name if folder else "Choose a document or a folder")
            if folder:
                self._folder_buttons(folder)
            if not entries:
                html.p("This folder is empty." if folder else _NO_ROOTS).classes("s-muted")
            with ui.element("ul").classes("qa-entries"):
                for entry in entries:
                    self._entry(entry, folder)
            ui.button("Cancel", on_click=self._dialog.close).props("flat")

    def _folder_buttons(self, folder: Path) -> None:
        up = folder.parent if folder not in service().paths.roots else None
        with ui.element("div").classes("s-row s-tight"):
            ui.button("Up", icon="arrow_upward", on_click=lambda: self.enter(up)).props("outline")
            ui.button("Use the whole folder", on_click=lambda: self._dialog.submit(str(folder)))

    def _entry(self, entry: Path, folder: Path | None) -> None:
        is_folder = folder is None or entry.is_dir()
        shown = entry.name if folder else str(entry)
        with ui.element("li"):
            button = ui.button(shown, icon="folder" if is_folder else "description").props("flat align=left no-caps")
            button.on_click((lambda: self.enter(entry)) if is_folder else (lambda: self._dialog.submit(str(entry))))


_NO_ROOTS = "No folder is readable yet. Start the server with `studium serve --root FOLDER`, or drop a file."


def _entries(folder: Path | None) -> list[Path]:
    """Folders and documents, folders first."""
    places = service().paths
    if folder is None:
        return [root for root in places.roots if root.is_dir()]
    try:
        found = [entry for entry in places.resolve(str(folder)).iterdir() if _is_shown(entry)]
    except OSError as error:
        raise NotFound(f"{folder.name} cannot be opened: {error.strerror}.", remedy="Choose another folder.") from error
    return sorted(found, key=lambda entry: (not entry.is_dir(), entry.name.lower()))[:_MAX_ENTRIES]


def _is_shown(entry: Path) -> bool:
    is_wanted = not entry.name.startswith(".") and has_valid_name(entry.name)
    return is_wanted and (entry.is_dir() or entry.suffix.lower() in READERS)


_MAX_QUESTIONS = 500
_KINDS = sorted(f".{kind}" for kind in DOCUMENT_TYPES)
_MODES = {"textual": "What the text says", "visual": "What figures and tables show"}


async def generate_form() -> None:
    """Show the form."""
    with ui.element("section").classes("s-card qa-ask"):
        html.h2("Generate questions")
        html.p("A question is accepted only if a second engine finds the same answer in the document.").classes(
            "s-muted"
        )
        _GenerateForm()


@dataclass(frozen=True)
class _ChosenDocument:
    """The chosen document: its path or upload id for the job, and its name for the user."""

    place: str
    name: str


class _GenerateForm:
    """The fields of the form."""

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
        self._count.props("outlined").on_value_change(self._show_estimate)
        self._mode = ui.select(_MODES, value="textual", label="About").props("outlined")
        self._mode.on_value_change(self._show_estimate)
        self._kinds = _kind_fields()
        self._scenario = ui.select({}, label="Written for").props("outlined clearable")
        self._scenario.set_visibility(False)
        self._expected = ui.element("div").props("aria-live=polite")
        self._start = ui.button("Generate questions", icon="quiz", on_click=self._start_job)
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
                    "Drop a document here, or choose one", sorted(f".{kind}" for kind in DOCUMENT_TYPES), self._uploaded
                )
                self._folders = ui.button("Choose from my folders", icon="folder_open", on_click=self._browse)
                self._folders.props("outline")

    async def _uploaded(self, file: UploadedFile) -> None:
        await self._choose(_ChosenDocument(f"upload:{file.id}", file.name))

    async def _browse(self) -> None:
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
        await self._show_estimate()

    async def _show_estimate(self) -> None:
        """Show the estimate."""
        self._expected.clear()
        if not self.chosen:
            return
        try:
            generation = to_generation_request(service().settings, await asyncio.to_thread(self._request, find=True))
            expected = await asyncio.to_thread(
                questions.estimate_request, service().settings, service().database, generation
            )
        except StudiumError as error:
            with self._expected:
                problem_notice(error)
            return
        with self._expected:
            html.p(_estimate_text(expected)).classes("s-muted s-small")

    def _request(self, *, find: bool = False) -> GenerateQuestions:
        chosen = self.chosen
        values: dict[str, Any] = {
            "document": chosen.place if chosen else "",
            "count": min(max(int(self._count.value or 1), 1), _MAX_QUESTIONS),
            "mode": self._mode.value,
            "scenario": self._scenario.value,
            "mix": {kind: int(field.value or 0) for kind, field in self._kinds.items() if field.value} or None,
        }
        return GenerateQuestions.model_validate(values, context={"find": service().find} if find else None)

    async def _start_job(self) -> None:
        self._start.disable()
        try:
            job = await service().start_job("questions.generate", self._request())
        finally:
            self._start.enable()
        ui.navigate.to(f"/questions?job={job.id}")


def _kind_fields() -> dict[QuestionKind, ui.number]:
    """A number for each kind: how many of them in proportion to the others; empty for the scenario's own mix."""
    with ui.element("fieldset").classes("qa-mix"):
        html.legend("Kinds, in proportion")
        return {
            kind: ui.number(name, min=0, max=MAX_WEIGHT, precision=0, step=1).props("outlined dense")
            for kind, name in _kind_names().items()
        }


def _kind_names() -> dict[QuestionKind, str]:
    """The kinds that the generator can ask."""
    by_rules = service().settings.role("questions.generator") == "rules"
    return {kind: kind.replace("_", " ").capitalize() for kind in KINDS if not (by_rules and kind in FOR_MODELS)}


def _scenarios(place: str) -> dict[str, str]:
    """The scenarios in the corpus file beside the document; the default one first."""
    path = service().find(place)
    beside = (path if path.is_dir() else path.parent) / CORPUS_FILE
    if not Path(beside).is_file():
        return {}
    return {key: scenario.name for key, scenario in read_corpus(beside).scenarios.items()}


def _estimate_text(expected: Estimate) -> str:
    documents = counted(expected.documents, "document")
    languages = ", ".join(sorted(expected.languages))
    size = f"{documents}: about {expected.words:,} words" + (f" ({languages})" if languages else "")
    likely = f"About {expected.expected} of {expected.questions} questions are likely."
    if not expected.calls:
        return f"{size}. {likely} Free: no model is called. {expected.basis}"
    cost = "at an unknown price" if expected.cost is None else f"for about ${expected.cost:.2f}"
    return f"{size}. {likely} About {expected.calls} model calls, {cost}. {expected.basis}"
