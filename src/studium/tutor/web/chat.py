"""The chat with the tutor: streamed answers with their sources."""

from pathlib import PurePath
from typing import TYPE_CHECKING

from nicegui import html, ui

from studium.tutor.web.diagnosis import rich_text
from studium.tutor.web.lab_session import PERMISSION_TIMEOUT, ChatTurn, Conversation, LabSession, PermissionRequest
from studium.web.components.labels import chip
from studium.web.components.notices import problem_notice

if TYPE_CHECKING:
    from studium.tutor.state import CitedAnswer

_LONGEST = 4000
_OPENINGS = ("What is this lab about?", "What should I do next?", "Why does it not work?")


class Chat:
    """One view of a chat that all open pages of the lab share."""

    def __init__(self, session: LabSession) -> None:
        self._conversation: Conversation = session.conversation
        self._drawn: list[tuple[ChatTurn, ui.element, str]] = []
        with ui.element("section").classes("s-card t-chat").props('aria-label="Chat with the tutor"'):
            with ui.element("div").classes("s-row s-between"):
                html.h2("Tutor")
                self._new_chat = ui.button("New chat", on_click=self._conversation.new_chat).props("flat")
            self._aside = ui.element("div").props("role=status")
            self._said = (
                ui.element("div").classes("t-said").props("tabindex=0 role=log aria-live=polite aria-label=Messages")
            )
            self._unkept = ui.element("div")
            with ui.element("div").classes("t-ask"):
                self._question = ui.textarea("Ask the tutor").props(f"outlined dense autogrow maxlength={_LONGEST}")
                self._question.on("keydown.enter.exact.prevent", self._ask)
                self._button = ui.button(icon="send", on_click=self._ask).props("aria-label=Ask")
        self._show()
        self._conversation.changed.subscribe(self._show)
        self._conversation.permission_requested.subscribe(self._ask_permission)

    def _ask(self) -> None:
        question = (self._question.value or "").strip()
        if question and not self._conversation.is_answering:
            self._question.set_value("")
            self._conversation.ask(question)

    def _show(self) -> None:
        self._button.set_enabled(not self._conversation.is_answering)
        self._new_chat.set_enabled(bool(self._conversation.turns))
        self._offer_way_back()
        self._unkept.clear()
        if self._conversation.save_error:
            with self._unkept:
                problem_notice(self._conversation.save_error)
        if (
            not self._conversation.turns
            or [turn for turn, *_ in self._drawn] != self._conversation.turns[: len(self._drawn)]
        ):
            self._said.clear()
            self._drawn = []
        with self._said:
            if not self._conversation.turns:
                self._openings()
            elif not self._drawn:
                self._said.clear()
        for number, turn in enumerate(self._conversation.turns):
            self._show_turn(number, turn)
        ui.run_javascript(f"const said = getHtmlElement({self._said.id}); if (said) said.scrollTop = said.scrollHeight")

    def _show_turn(self, number: int, turn: ChatTurn) -> None:
        seen = f"{turn.is_over} {turn.text}"
        if number == len(self._drawn):
            with self._said:
                html.p(turn.question).classes("t-question")
                place = ui.element("div").classes("t-answer")
        elif self._drawn[number][2] == seen:
            return
        else:
            place = self._drawn[number][1]
            place.clear()
        self._drawn[number:] = [(turn, place, seen), *self._drawn[number + 1 :]]
        with place:
            _answer(turn)

    def _offer_way_back(self) -> None:
        if bool(self._conversation.archived) == bool(self._aside.default_slot.children):
            return  # a button must not be replaced while the user clicks it, with every word that arrives
        self._aside.clear()
        if self._conversation.archived:
            with self._aside, ui.element("div").classes("s-row s-between s-small"):
                html.span("Earlier conversation archived.").classes("s-muted")
                ui.button("Undo", on_click=self._conversation.restore_archived).props("flat dense")

    def _openings(self) -> None:
        html.p("Ask anything about the lab. The tutor sees what you typed on the routers.").classes("s-muted")
        with ui.element("div").classes("s-row s-tight"):
            for opening in _OPENINGS:
                ui.button(opening, on_click=lambda opening=opening: self._conversation.ask(opening)).props("outline")

    def _ask_permission(self, request: PermissionRequest) -> None:
        """Ask whether the tutor may run a command."""
        with ui.dialog(value=True).props("persistent") as dialog, ui.element("div").classes("s-card s-help"):
            html.h2("Allow the tutor to run this?")
            html.p(f"On {request.device}; it may change something:")
            with ui.element("pre").classes("t-code"):
                html.code(request.command)
            html.p(f"Denied without an answer after {PERMISSION_TIMEOUT:.0f} s.").classes("s-muted s-small")
            with ui.element("div").classes("s-row"):
                ui.button("No", on_click=lambda: request.decide(allowed=False)).props("outline autofocus")
                ui.button("Allow", on_click=lambda: request.decide(allowed=True))
            # Another tab may have answered, or none in time.
            ui.timer(0.3, lambda: dialog.close() if request.answer.done() else None)
        dialog.on("hide", dialog.delete)


def _answer(turn: ChatTurn) -> None:
    rich_text(turn.text)
    if not turn.is_over:
        with ui.element("div").classes("s-row s-tight s-muted"):
            ui.spinner(size="1.25rem").props("aria-hidden=true")
            html.span("The tutor is thinking …" if not turn.pieces else "…")
    if turn.problem:
        problem_notice(turn.problem)
    if turn.answer:
        _rests_on(turn.answer)


def _rests_on(answer: "CitedAnswer") -> None:
    """Show the proofs and sources of an answer."""
    for proof in answer["proofs"]:
        with ui.element("div").classes("s-row s-tight"):
            chip("proved" if proof["proved"] else "not proved", "good" if proof["proved"] else "warn")
            html.span(proof["told"]).classes("s-small s-grow")
    if citations := answer["citations"]:
        with html.details().classes("s-small"):
            html.summary(f"Sources: {len(citations)} {'passage' if len(citations) == 1 else 'passages'}")
            for each in citations:
                with ui.element("figure").classes("s-evidence t-citation"):
                    html.blockquote(each["quote"])
                    html.figcaption(f"[{each['number']}] {each['heading'] or PurePath(each['source']).name}")
