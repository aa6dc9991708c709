"""What can be done with the open review: the buttons, the editor, the words of a response."""

from collections.abc import Callable
from typing import Any

from nicegui import html, ui

from studium.core.domain.decision import ReviewStatus
from studium.web.components.browser_state import BrowserDraft
from studium.web.components.job_progress import active_jobs, show_job_progress
from studium.web.inbox.editor import ProposalEditor
from studium.web.inbox.review_details import ReviewDetails
from studium.web.inbox.session import InboxSession
from studium.web.service import service

_NEXT = {
    "cards": "The next sync of the vault writes it.",
    "concepts": "The book goes on by itself.",
    "tutor": "The next look at a transcript for new patterns keeps it.",
}


def show_next_step(look: ReviewDetails) -> None:
    """Say what happens next, and offer to do it."""
    review = look.review
    if review.status is ReviewStatus.OPEN:
        return
    with ui.element("section").classes("in-section in-next"):
        html.h3("What happens next")
        html.p(_told(look))
        if review.feature == "cards" and look.arguments.get("vault"):
            _sync(str(look.arguments["vault"]), str(look.arguments.get("to", "package")))
        elif review.feature == "concepts":
            place = ui.element("div")
            ui.timer(0, lambda: _follow(place, review.decision.item), once=True)


def _told(look: ReviewDetails) -> str:
    match look.review.status:
        case ReviewStatus.REJECTED if look.review.feature != "concepts":
            return "The item is left alone, and this is not asked again."
        case ReviewStatus.RESPONDED if look.review.feature != "concepts":
            return "The next run tries once more and heeds your words."
    return _NEXT.get(look.review.feature, "The next run takes it up.")


def _sync(vault: str, to: str) -> None:
    place = ui.element("div")

    async def sync() -> None:
        job = await service().start_job("cards.sync", {"vault": vault, "to": to})
        place.clear()
        with place:
            show_job_progress(job, title="Syncing the vault")

    with place:
        ui.button("Sync the vault now", icon="sync", on_click=sync).props("outline")


async def _follow(place: ui.element, book: str) -> None:
    jobs = [job for job in await active_jobs("concepts") if job.request.get("book") == book]
    with place:
        for job in jobs[:1]:
            show_job_progress(job, title=f"Going on with “{book}”")


async def show_answer_controls(visit: InboxSession, look: ReviewDetails) -> None:
    """The answer in the making, or what becomes of the one that was given."""
    if visit.mode == "edit":
        with ui.element("section").classes("in-section"):
            await ProposalEditor(look.review, visit.edit, visit.look_again).show()
    elif visit.mode == "respond":
        await _respond(visit, look)
    else:
        show_next_step(look)


def show_buttons(visit: InboxSession, look: ReviewDetails) -> None:
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


async def _respond(visit: InboxSession, look: ReviewDetails) -> None:
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
