"""Asking: which document, how many questions, about its text or its looks."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nicegui import html, ui

from studium.core.domain.errors import StudiumError
from studium.core.jobs.file_types import DOCUMENT_TYPES
from studium.faculties import questions
from studium.questions.corpus import CORPUS_FILE, read_corpus
from studium.service.kinds.questions import Generate, wish_of
from studium.web.house import service
from studium.web.parts.notices import problem_notice
from studium.web.parts.uploads import Brought, upload_drop
from studium.web.questions.choosing import choose_document

_MOST = 500
_KINDS = sorted(f".{kind}" for kind in DOCUMENT_TYPES)
_MODES = {"textual": "What the text says", "visual": "What figures and tables show"}


async def ask_form() -> None:
    """A form that asks for a document and what is wanted of it."""
    with ui.element("section").classes("s-card qa-ask"):
        html.h2("Ask about a document")
        html.p(
            "Each question is accepted only if a second engine finds the same answer in the document alone."
        ).classes("s-muted")
        _Form()


@dataclass(frozen=True)
class _Chosen:
    """What is to be asked about: how an order names it, and how a person does."""

    place: str
    name: str


class _Form:
    """What was chosen so far, and the fields that show it."""

    def __init__(self) -> None:
        self.chosen: _Chosen | None = None
        with ui.element("div").classes("s-columns"):
            with ui.element("div").classes("s-stack"):
                self._source = ui.element("div").classes("s-stack")
                self._show_source()
            with ui.element("div").classes("s-stack"):
                self._fields()

    def _fields(self) -> None:
        usual = service().settings.questions.target_count
        self._count = ui.number("Questions per document", value=usual, min=1, max=_MOST, precision=0, step=1)
        self._count.props("outlined").on_value_change(self._expect)
        self._mode = ui.select(_MODES, value="textual", label="About").props("outlined")
        self._mode.on_value_change(self._expect)
        self._scenario = ui.select({}, label="Written for").props("outlined clearable")
        self._scenario.set_visibility(False)
        self._expected = ui.element("div").props("aria-live=polite")
        self._start = ui.button("Ask questions", icon="quiz", on_click=self._order)
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

    async def _brought(self, file: Brought) -> None:
        await self._choose(_Chosen(f"upload:{file.id}", file.name))

    async def _look(self) -> None:
        if path := await choose_document():
            await self._choose(_Chosen(str(path), path.name))
        next_step = self._start if self.chosen else self._folders
        next_step.client.run_javascript(f"getHtmlElement({next_step.id}).focus()")

    async def _choose(self, chosen: _Chosen | None) -> None:
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
            wish = wish_of(service().settings, await asyncio.to_thread(self._request, find=True))
            expected = await asyncio.to_thread(questions.expected, service().settings, wish)
        except StudiumError as error:
            with self._expected:
                problem_notice(error)
            return
        with self._expected:
            html.p(_told(expected)).classes("s-muted s-small")

    def _request(self, *, find: bool = False) -> Generate:
        chosen = self.chosen
        asked: dict[str, Any] = {
            "document": chosen.place if chosen else "",
            "count": min(max(int(self._count.value or 1), 1), _MOST),
            "mode": self._mode.value,
            "scenario": self._scenario.value,
        }
        return Generate.model_validate(asked, context={"find": service().find} if find else None)

    async def _order(self) -> None:
        self._start.disable()
        try:
            order = await service().order("questions.generate", self._request())
        finally:
            self._start.enable()
        ui.navigate.to(f"/questions?order={order.id}")


def _scenarios(place: str) -> dict[str, str]:
    """What questions about it may be written for, as the corpus file beside it says; the one to begin with first."""
    path = service().find(place)
    beside = (path if path.is_dir() else path.parent) / CORPUS_FILE
    if not Path(beside).is_file():
        return {}
    return {key: scenario.name for key, scenario in read_corpus(beside).scenarios.items()}


def _told(expected: Any) -> str:
    documents = "1 document" if expected.documents == 1 else f"{expected.documents} documents"
    asked = f"{documents}, up to {expected.questions} questions"
    if not expected.calls:
        return f"{asked}. It costs nothing: no model is asked."
    cost = "at a price that is not known" if expected.cost is None else f"for about ${expected.cost:.2f}"
    return f"{asked}. About {expected.calls} calls to a model, {cost}."
