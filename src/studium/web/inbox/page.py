"""The inbox page: everything that waits for a person, with its evidence; keyboard first."""

from pathlib import Path

from nicegui import html, ui

from studium.core.domain.errors import NotFound
from studium.web.frame import here, page
from studium.web.inbox.answers import Given
from studium.web.inbox.desk import Desk
from studium.web.inbox.live import live
from studium.web.inbox.visit import Visit
from studium.web.inbox.wanted import EVERY, STATUSES, Wanted
from studium.web.parts.keys import Keys
from studium.web.parts.notices import tell

_LOOKS = (Path(__file__).parent / "inbox.css").read_text("utf-8")


@page("/inbox", "Inbox")
async def inbox(review: str = "", faculty: str = EVERY, status: str = STATUSES[0], words: str = "") -> None:
    """The list of reviews, and one of them open."""
    ui.add_css(_LOOKS)
    visit = Visit(Wanted(faculty, status if status in STATUSES else STATUSES[0], words), review)
    await visit.begin()
    with here().actions:
        _history(visit)
    desk = Desk(visit)
    desk.show_list()
    await desk.show_review()
    if visit.missing:
        tell(
            NotFound(
                f"There is no review {visit.missing}.", remedy="It may be of another ledger; the list has them all."
            )
        )
    _keys(here().keys, visit, desk)
    live.listen(ui.context.client, visit.refresh)


def _keys(keys: Keys, visit: Visit, desk: Desk) -> None:
    keys.on("j", "Next review", lambda: visit.step(1))
    keys.on("k", "Review before", lambda: visit.step(-1))
    keys.on("a", "Approve", lambda: visit.press("approved"))
    keys.on("e", "Edit, then approve", lambda: visit.turn("edit"))
    keys.on("r", "Reject", lambda: visit.press("rejected"))
    keys.on("c", "Respond with words", lambda: visit.turn("respond"))
    keys.on("u", "Take the last answer back", lambda: visit.undo() if visit.mode == "look" else None)
    keys.on("x", "Select", visit.mark)
    keys.on("A", "Approve all selected", lambda: visit.answer_marked("approved"))
    keys.on("R", "Reject all selected", lambda: visit.answer_marked("rejected"))
    keys.on("/", "Search", lambda: desk.filters.search.run_method("focus"))


def _history(visit: Visit) -> None:
    """The answers of this visit, each with the way back."""
    with ui.button("This visit", icon="history").props("outline"), ui.menu() as menu:
        place = ui.element("div").classes("in-history s-stack")

    def fill() -> None:
        place.clear()
        with place:
            if not visit.answers.given:
                html.p("You answered nothing on this visit.").classes("s-muted")
            for given in visit.answers.given:
                with ui.element("div").classes("s-row s-between"):
                    html.span(given.told)
                    ui.button("Undo", on_click=lambda given=given: undo(given)).props("flat dense")

    async def undo(given: Given) -> None:
        menu.close()
        await visit.undo(given)

    menu.on("before-show", fill)
