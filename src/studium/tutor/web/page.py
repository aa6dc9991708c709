"""The tutor's page: the list of labs, or one lab with its routers, goals and chat."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from nicegui import html, ui

from studium.core.domain.errors import NotFound
from studium.tutor import lab_use_cases
from studium.tutor import use_cases as tutor
from studium.tutor.domain import CheckResult, Lab, LabCheck
from studium.tutor.web.chat import Chat
from studium.tutor.web.diagnosis import diagnose_form, rich_text
from studium.tutor.web.lab_controls import LabControls, missing_requirement_note, prepare_search_card, topology_card
from studium.tutor.web.lab_session import LabSession, lab_session, run_in_device_thread
from studium.tutor.web.terminal import DeviceTerminals
from studium.web.components.labels import chip
from studium.web.components.notices import empty_state, show_error
from studium.web.frame import current_frame, page
from studium.web.service import service

if TYPE_CHECKING:
    from studium.tutor.quiz import QuizQuestion


async def lab_list() -> None:
    """The list of labs with topics and state."""
    found = await run_in_device_thread(lab_use_cases.list_labs, service().settings)
    obstacle = await asyncio.to_thread(lab_use_cases.missing_requirement)
    html.p("Small networks of real routers: configure them, break them, and ask the tutor beside you.").classes(
        "s-muted"
    )
    if obstacle:
        missing_requirement_note(obstacle)
    if not found:
        empty_state("There are no labs", "Name a folder of labs under `tutor.labs` in the settings.", icon="router")
    with ui.element("div").classes("s-grid"):
        for lab, is_up in found:
            _card(lab, is_up=is_up)


def _card(lab: Lab, *, is_up: bool) -> None:
    with html.a(href=f"/tutor?lab={lab.id}").classes("s-card t-choice"):
        with ui.element("div").classes("s-row s-between"):
            html.span(lab.id.partition("-")[0]).classes("s-muted s-mono")
            if is_up:
                chip("up", "good")
        html.h2(lab.title)
        html.p(lab.goal).classes("s-muted s-grow")
        with ui.element("div").classes("s-row s-tight"):
            for topic in lab.topics:
                chip(topic)


_NAMES = {True: "reached", False: "not yet", None: "not checked"}
_ICONS = {True: "check_circle", False: "radio_button_unchecked", None: "help_outline"}


class Goals:
    """The list of goals, updated with the lab session."""

    def __init__(self, room: LabSession) -> None:
        self._room = room
        with ui.element("section").classes("s-card").props('aria-label="Goals"'):
            with ui.element("div").classes("s-row s-between"):
                html.h2("Goals")
                with ui.element("div").classes("s-row s-tight"):
                    self._count = ui.label().classes("s-muted s-small").props("aria-live=polite")
                    self._button = ui.button("Check", icon="fact_check", on_click=self._check).props("outline")
            with ui.element("ol").classes("t-goals"):
                self._goals = [Goal(room, check) for check in room.lab.checks]
        self._show()
        room.changed.subscribe(self._show)

    async def _check(self) -> None:
        await self._room.check(patience=5.0)

    def _show(self) -> None:
        room = self._room
        self._button.set_enabled(room.state.is_up and not room.is_checking)
        reached = sum(each.holds for each in room.results.values())
        counted = f"{reached} of {len(room.lab.checks)} reached" if room.results else ""
        self._count.set_text("Checking …" if room.is_checking else counted)
        for goal in self._goals:
            goal.show(room.results.get(goal.check.id))


class Goal:
    """One goal: its state, what is missing, and hints of rising level."""

    def __init__(self, room: LabSession, check: LabCheck) -> None:
        self.check = check
        self._room = room
        self._shown: CheckResult | None = None
        self._level = 0
        self._most = max((hint.level for hint in room.lab.hints if hint.check == check.id), default=0)
        with html.li().classes("t-goal") as self._row:
            self._icon = ui.icon("help_outline").props("aria-hidden=true")
            with ui.element("div").classes("s-grow"):
                html.span(check.title)
                self._state = ui.label().classes("t-goal-state")
                self._missing = ui.element("div").classes("s-small s-muted")
                self._hints = ui.element("div").classes("t-hints").props("aria-live=polite")
            self._ask = ui.button("Hint", on_click=self._hint).props("flat")
            self._ask.props["aria-label"] = f"Hint for: {check.title}"
        self._ask.set_visibility(self._most > 0)
        self._say(None)

    def show(self, result: CheckResult | None) -> None:
        """Show the result of the last check."""
        if result == self._shown:
            return
        self._shown = result
        self._say(result.holds if result else None)
        self._missing.clear()
        with self._missing:
            # The missing lines of a configuration are the solution: the hints lead there step by step.
            for each in result.missing if result and not result.holds and self.check.kind != "config" else ():
                html.p(f"Missing: {each}")

    def _say(self, holds: bool | None) -> None:
        self._icon.set_name(_ICONS[holds])
        self._state.set_text(_NAMES[holds])
        self._row.classes("t-reached" if holds else "", remove="" if holds else "t-reached")
        self._ask.set_visibility(not holds and self._level < self._most)

    async def _hint(self) -> None:
        self._level += 1
        given = (service().settings, self._room.lab.id, self.check.id, self._level)
        hint = await asyncio.to_thread(lab_use_cases.give_hint, *given)
        with self._hints:
            rich_text(hint.text)
        self._ask.set_visibility(self._level < self._most)


class Quiz:
    """The quiz: one question at a time, graded and explained."""

    def __init__(self, room: LabSession) -> None:
        self._lab = room.lab.id
        self._asked: list[str] = []
        with ui.element("section").classes("s-card").props("aria-label=Quiz"):
            html.h2("Quiz")
            self._place = ui.element("div").classes("s-stack").props("aria-live=polite")
            with self._place:
                html.p("Questions on this lab: due topics first, then your weakest ones.").classes("s-muted")
                ui.button("Ask me", icon="quiz", on_click=self._next).props("outline").classes("t-fit")

    async def _next(self) -> None:
        try:
            question = await asyncio.to_thread(tutor.next_question, service().settings, self._lab, self._asked)
        except NotFound as nothing:
            show_error(nothing)
            return
        self._place.clear()
        with self._place:
            if question:
                self._asked.append(question.question)
                self._put(question)
            else:
                html.p("No more questions.")
                ui.button("Start again", on_click=self._again).props("outline").classes("t-fit")

    async def _again(self) -> None:
        self._asked = []
        await self._next()

    def _put(self, question: "QuizQuestion") -> None:
        html.p(question.question).classes("t-quiz-question")
        if question.kind == "choice":
            answer: ui.radio | ui.textarea = ui.radio(list(question.choices)).props('aria-label="Your answer"')
        else:
            answer = ui.textarea("Your answer").props("outlined dense autogrow maxlength=2000")
            if question.kind == "command":
                answer.classes("s-mono")

        async def grade() -> None:
            given = str(answer.value or "").strip()
            if given:
                button.delete()
                answer.disable()
                told = await asyncio.to_thread(tutor.grade, service().settings, question, given)
                with self._place:
                    self._graded(told)

        button = ui.button("Answer", on_click=grade).classes("t-fit")

    def _graded(self, told: str) -> None:
        html.p(told).classes(f"t-graded t-{told.partition('.')[0].lower()}")
        ui.button("Next question", on_click=self._next).props("outline").classes("t-fit")


_LOOKS = Path(__file__).with_name("tutor.css")
_SECONDS_BETWEEN_LOOKS = 3.0


@page("/tutor", "Tutor")
async def tutor_page(lab: str = "") -> None:
    """The tutor's page; `?lab=` opens a lab."""
    ui.add_css(_LOOKS)
    if lab:
        await _lab(await lab_session(lab))
    else:
        await lab_list()


async def _lab(room: LabSession) -> None:
    current_frame().rename(room.lab.title)
    obstacle = await asyncio.to_thread(lab_use_cases.missing_requirement) if room.state.is_ours else None
    html.a("All labs", href="/tutor").classes("s-small")
    html.p(room.lab.goal)
    if obstacle:
        missing_requirement_note(obstacle)
    LabControls(room, current_frame().actions, obstacle)
    with ui.element("div").classes("t-lab"):
        with ui.element("div").classes("s-stack"):
            topology_card(room)
            DeviceTerminals(room)
            _instructions(room)
        with ui.element("div").classes("s-stack"):
            Goals(room)
            Chat(room)
            place = ui.element("div")
    with ui.element("div").classes("s-columns"):
        Quiz(room)
        diagnose_form()
    ui.timer(_SECONDS_BETWEEN_LOOKS, room.look)
    await prepare_search_card(place)
    if room.state.is_up and not room.results:
        room.check_soon()


def _instructions(room: LabSession) -> None:
    if room.lab.instructions:
        with html.details().classes("s-card t-instructions"):
            html.summary("Step by step")
            rich_text(room.lab.instructions)
