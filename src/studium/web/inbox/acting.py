"""What can be done with the open review: the buttons, the editor, the words of a response."""

from collections.abc import Callable
from typing import Any

from nicegui import html, ui

from studium.core.domain.decision import ReviewStatus
from studium.web.inbox.editing import Editing
from studium.web.inbox.look import Look
from studium.web.inbox.nextsteps import show_next
from studium.web.inbox.visit import Visit
from studium.web.parts.drafts import BrowserDraft


async def show_answering(visit: Visit, look: Look) -> None:
    """The answer in the making, or what becomes of the one that was given."""
    if visit.mode == "edit":
        with ui.element("section").classes("in-section"):
            await Editing(look.review, visit.edit, visit.look_again).show()
    elif visit.mode == "respond":
        await _respond(visit, look)
    else:
        show_next(look)


def show_buttons(visit: Visit, look: Look) -> None:
    """What can be done with the review as it stands."""
    if visit.mode != "look":
        return
    with ui.element("div").classes("in-bar s-row s-tight").props('role=toolbar aria-label="Answer"'):
        if look.review.status is not ReviewStatus.OPEN:
            ui.button("Open it again", icon="undo", on_click=visit.reopen).props("outline")
            return
        _button("Approve", "a", lambda: visit.answer("approved")).props(remove="outline")
        if look.review.decision.proposal:
            _button("Edit", "e", lambda: visit.turn("edit"))
        _button("Reject", "r", lambda: visit.answer("rejected"))
        _button("Respond", "c", lambda: visit.turn("respond"))


def _button(does: str, key: str, do: Callable[[], Any]) -> ui.button:
    """A button that shows its key, where there is a keyboard."""
    with ui.button(does, on_click=do).props("outline") as button:
        html.kbd(key).classes("in-key").props("aria-hidden=true")
    return button


async def _respond(visit: Visit, look: Look) -> None:
    """The words of a response; they stay in the browser until they are taken."""
    draft = BrowserDraft(f"response-{look.review.id}")
    before = await draft.recall()
    with ui.element("section").classes("in-section"):
        words = ui.textarea(
            "What should the next try heed?", value=before, on_change=lambda event: draft.keep(event.value)
        )
        words.props("outlined autogrow autofocus maxlength=10000")

        async def send() -> None:
            said = (words.value or "").strip()
            if said and await visit.answer("responded", None, said):
                draft.forget()

        words.on("keydown.ctrl.enter", send)
        with ui.element("div").classes("s-row s-tight"):
            ui.button("Send", icon="send", on_click=send).bind_enabled_from(words, "value", bool)
            ui.button("Leave", on_click=visit.look_again).props("outline")
