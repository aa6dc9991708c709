"""The quiz on a lab: what is due, and what the student knows least."""

import asyncio
from typing import TYPE_CHECKING

from nicegui import html, ui

from studium.core.domain.errors import NotFound
from studium.faculties import tutor
from studium.web.house import service
from studium.web.parts.notices import tell
from studium.web.tutor.room import Room

if TYPE_CHECKING:
    from studium.workflows.tutor.quiz.question import QuizQuestion


class Quiz:
    """One question after the other, each graded and explained."""

    def __init__(self, room: Room) -> None:
        self._lab = room.lab.id
        self._asked: list[str] = []
        with ui.element("section").classes("s-card").props("aria-label=Quiz"):
            html.h2("Quiz")
            self._place = ui.element("div").classes("s-stack").props("aria-live=polite")
            with self._place:
                html.p("Questions on this lab: first what is due, then what you know least.").classes("s-muted")
                ui.button("Ask me", icon="quiz", on_click=self._next).props("outline").classes("t-fit")

    async def _next(self) -> None:
        try:
            question = await asyncio.to_thread(tutor.next_question, service().settings, self._lab, self._asked)
        except NotFound as nothing:
            tell(nothing)
            return
        self._place.clear()
        with self._place:
            if question:
                self._asked.append(question.question)
                self._put(question)
            else:
                html.p("These were all the questions.")
                ui.button("Once more", on_click=self._again).props("outline").classes("t-fit")

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
