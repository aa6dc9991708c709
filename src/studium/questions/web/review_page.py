"""The page on which a question set is reviewed: made for the keyboard."""

from functools import partial
from pathlib import Path

from nicegui import html, ui

from studium.core.domain.errors import StudiumError
from studium.questions.question_set import ReviewedQuestion
from studium.questions.web.pair_card import show_evidence
from studium.questions.web.results import export_menu
from studium.questions.web.review_session import ReviewSession
from studium.web.components.browser_state import set_query
from studium.web.components.labels import Tone, chip
from studium.web.components.notices import empty_state, problem_notice, show_error
from studium.web.frame import Shortcuts, current_frame, page

_ROWS = 60
"""How many rows of the list are shown, around the open question."""
_SECONDS = 2.0
_TONES: dict[str, Tone] = {"pending": "neutral", "kept": "good", "edited": "info", "dropped": "bad"}
_STYLESHEET = Path(__file__).parent / "questions.css"
# The pressed button disappears with its question; keyboard focus moves to the next one.
_FOCUS = """requestAnimationFrame(() => {
  if (document.activeElement === document.body) document.querySelector(".qa-open-question")?.focus();
})"""


class ReviewView:
    """Shows a session: the progress, the list, and the open question with its evidence."""

    def __init__(self, session: ReviewSession) -> None:
        self._session = session
        session.display = self
        self._shown: object = None
        with ui.element("section").classes("s-card qa-progress").props('aria-label="Progress"'):
            self._progress = ui.label().classes("qa-count").props("role=status")
            self._bar = ui.element("progress").props('aria-label="Reviewed"')
            self._message = ui.element("div").classes("s-row s-tight").props("role=status")
        with ui.element("div").classes("qa-review"):
            self._list = ui.element("ol").classes("s-card qa-set").props('aria-label="Questions"')
            self._open = ui.element("section").classes("s-stack").props('aria-label="The open question"')

    def show(self) -> None:
        """Show the progress, the list and the open question as they are now."""
        session = self._session
        self._progress.set_text(session.questions.progress)
        self._bar.props(f"max={len(session.questions.questions)} value={session.questions.reviewed}")
        self._show_list()
        question = session.current
        # An editor stays as it is while its edit is checked, and when something changes elsewhere.
        shown = (question, session.busy) if session.mode == "view" else session.number
        if question and shown != self._shown:
            self._shown = shown
            self._show_question(question)
            with self._open:
                set_query({"number": session.number})
            self._open.client.run_javascript(_FOCUS)

    def show_message(self, what: str, *, can_undo: bool = False) -> None:
        """Show what was done, with a button to undo it."""
        self._message.clear()
        with self._message:
            html.span(what)
            if can_undo:
                ui.button("Undo (u)", on_click=self._session.undo).props("flat dense")

    def show_error(self, error: StudiumError) -> None:
        """Show what failed."""
        with self._open:
            show_error(error)

    def _show_list(self) -> None:
        session = self._session
        first = max(0, min(session.number - _ROWS // 2, len(session.questions.questions) - _ROWS))
        self._list.clear()
        with self._list:
            for question in session.questions.questions[first : first + _ROWS]:
                self._row(question)

    def _row(self, question: ReviewedQuestion) -> None:
        is_open = question.number == self._session.number
        with ui.element("li"), html.button().props("type=button").classes("qa-row") as row:
            html.span(str(question.number)).classes("qa-number")
            html.span(question.pair.question).classes("qa-name")
            chip(question.status, _TONES[question.status])
        row.on("click", lambda number=question.number: self._session.open(number))
        if is_open:
            row.props("aria-current=true")

    def _show_question(self, question: ReviewedQuestion) -> None:
        self._open.clear()
        with self._open:
            if self._session.mode == "edit":
                QuestionEditor(self._session, question)
            else:
                self._card(question)
            proof = ui.element("div").classes("s-stack qa-proof")

        async def prove() -> None:
            with proof:
                await show_evidence(question.pair, self._session.questions.run)

        with proof:
            ui.timer(0, prove, once=True)

    def _card(self, question: ReviewedQuestion) -> None:
        session, pair = self._session, question.pair
        with ui.element("article").classes("s-card s-stack qa-under-review"):
            with ui.element("div").classes("s-row s-tight"):
                html.span(f"Question {question.number}").classes("s-muted")
                chip(question.status, _TONES[question.status])
                html.span(Path(question.document).name).classes("s-muted s-small qa-name")
            html.h2(pair.question).classes("qa-open-question").props("tabindex=-1")
            html.p(pair.answer).classes("qa-answer")
            if pair.question != question.generated.question or pair.answer != question.generated.answer:
                before = f"At first: {question.generated.question} {question.generated.answer}"
                html.p(before).classes("s-muted s-small")
            if session.busy:
                with ui.element("div").classes("s-row s-tight").props("role=status"):
                    ui.spinner(size="1.5rem")
                    html.span(session.busy)
            else:
                self._buttons()

    def _buttons(self) -> None:
        session = self._session
        with ui.element("div").classes("s-row s-tight"):
            ui.button("Keep (a)", icon="check", on_click=session.keep)
            ui.button("Edit (e)", icon="edit", on_click=lambda: session.set_mode("edit")).props("outline")
            ui.button("Drop (d)", icon="delete", on_click=session.drop).props("outline")
            ui.button("Another one (r)", icon="refresh", on_click=lambda: session.regenerate("same")).props("outline")
            ui.button("From anywhere (R)", on_click=lambda: session.regenerate("anywhere")).props("flat")


class QuestionEditor:
    """The fields of an edit; what the document does not support is refused beside them, and the draft stays."""

    def __init__(self, session: ReviewSession, question: ReviewedQuestion) -> None:
        self._session, self._seen = session, question.decision.revision
        with ui.element("form").classes("s-card s-stack") as form:
            form.on("submit.prevent", self._save)
            html.h2(f"Edit question {question.number}")
            self._question = _field("Question", question.pair.question).props("autofocus")
            self._answer = _field("Answer", question.pair.answer)
            self._problem = ui.element("div")
            with ui.element("div").classes("s-row s-tight"):
                self._button = ui.button("Save").props("type=submit")
                ui.button("Cancel", on_click=lambda: session.set_mode("view")).props("flat type=button")
            form.on("keydown.esc", lambda: session.set_mode("view"))

    async def _save(self) -> None:
        question, answer = str(self._question.value or "").strip(), str(self._answer.value or "").strip()
        self._problem.clear()
        self._button.props(add="loading")
        try:
            await self._session.save_edit(question, answer, self._seen)
        except StudiumError as error:
            with self._problem:
                problem_notice(error)
            self._show_other_edit()
        finally:
            self._button.props(remove="loading")

    def _show_other_edit(self) -> None:
        """Show how somebody else changed the question meanwhile, before it can be saved again."""
        now = self._session.current
        if now and now.decision.revision != self._seen:
            self._seen = now.decision.revision
            with self._problem:
                html.p(f"It is {now.status} now: {now.pair.question} {now.pair.answer}. Save again to replace it.")


def _field(label: str, value: str) -> ui.textarea:
    return ui.textarea(label, value=value).props("outlined autogrow maxlength=2000")


@page("/questions/review", "Review questions")
async def review_questions(run: str = "", number: int = 1) -> None:
    """The questions of a run, one of them open."""
    ui.add_css(_STYLESHEET)
    session = ReviewSession(run, number)
    await session.load()
    frame = current_frame()
    frame.rename(f"Review: {session.questions.run.note or 'questions'}")
    with frame.actions:
        results = f"/questions?run={session.run}"
        ui.button("All results", icon="arrow_back", on_click=lambda: ui.navigate.to(results)).props("outline")
        if session.questions.questions:
            ui.button("Keep the rest (A)", icon="done_all", on_click=session.approve).props("outline")
            export_menu(session.run)
    if not session.questions.questions:
        empty_state("No questions to review", "The page of the run says why.", icon="quiz")
        return
    ReviewView(session).show()
    _keys(frame.keys, session)
    ui.timer(_SECONDS, session.refresh)


def _keys(keys: Shortcuts, session: ReviewSession) -> None:
    for key, by, does in (("j", 1, "Next question"), ("k", -1, "Previous question")):
        keys.on(key, does, partial(session.step, by))
        keys.on("ArrowDown" if by > 0 else "ArrowUp", does, partial(session.step, by))
    keys.on("a", "Keep", session.keep)
    keys.on("e", "Edit", lambda: session.set_mode("edit"))
    keys.on("d", "Drop", session.drop)
    keys.on("r", "Another question about the same place", lambda: session.regenerate("same"))
    keys.on("R", "Another question from anywhere", lambda: session.regenerate("anywhere"))
    keys.on("u", "Undo the last decision", session.undo)
    keys.on("A", "Keep all that are not decided about", session.approve)
