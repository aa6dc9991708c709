"""The inbox on the screen: filters and list on one side, the open review on the other."""

import json

from nicegui import ui

from studium.core.domain.errors import StudiumError
from studium.web.inbox.acting import show_answering, show_buttons
from studium.web.inbox.details import show_material, show_question
from studium.web.inbox.filters import Filters
from studium.web.inbox.listing import ReviewList
from studium.web.inbox.toast import Toast
from studium.web.inbox.visit import Visit
from studium.web.parts.notices import empty_state, tell

# Where a review takes the place of the list, the way back leads from it to the list.
_ADDRESS = """
const [url, isReview] = [%s, %s];
if (isReview && innerWidth < 900 && !history.state?.review) history.pushState({review: true}, "", url);
else if (!isReview && history.state?.review) history.back();
else history.replaceState(history.state, "", url);
"""
# The button that was pressed is gone with the review it stood under; the keyboard goes on at the next one.
_GO_ON = """requestAnimationFrame(() => {
  if (document.activeElement === document.body) document.querySelector(".in-title")?.focus({ preventScroll: true });
})"""


class Desk:
    """Shows a visit."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._revealed = ""
        self._is_shown = False
        visit.shown = self
        with ui.element("div").classes("in") as self._whole:
            with ui.element("section").classes("in-left").props('aria-label="Reviews"'):
                self.filters = Filters(visit)
                self._bulk = ui.element("div").classes("in-bulk s-row s-between").props("aria-live=polite")
                self._list = ReviewList(visit.open, visit.mark, visit.leave)
                self._nothing = ui.element("div")
            self._right = ui.element("section").classes("in-right").props('aria-label="The open review"')
        self._toast = Toast(visit.undo)

    def show_list(self) -> None:
        """Show the list as it is now."""
        visit = self._visit
        self._list.show(visit.found, visit.current, visit.marked)
        self._list.set_visibility(bool(visit.found))
        if (place := visit.place) >= 0 and visit.current != self._revealed:
            self._revealed = visit.current
            self._list.reveal(place)
            self._whole.client.run_javascript("scrollTo(0, 0)")
        self.filters.show()
        self._show_bulk()
        self._nothing.clear()
        if not visit.found:
            with self._nothing:
                _nothing(visit)

    async def show_review(self) -> None:
        """Show the review that is open, or that there is none."""
        visit = self._visit
        self.reveal()
        self._right.clear()
        with self._right:
            if visit.look:
                ui.button("All reviews", icon="arrow_back", on_click=visit.back).props("flat dense").classes("in-back")
                show_question(visit.look)
                await show_answering(visit, visit.look)
                show_material(visit.look)
                show_buttons(visit, visit.look)
        if self._is_shown:
            self._whole.client.run_javascript(_GO_ON)
        self._is_shown = True

    def reveal(self) -> None:
        """Show the review in place of the list, where there is room for one of them only."""
        is_open = self._visit.is_chosen and self._visit.look is not None
        self._whole.classes(add="in-chosen") if is_open else self._whole.classes(remove="in-chosen")

    def say(self, what: str, *, can_undo: bool = True) -> None:
        """Say what was answered, with the way back."""
        self._toast.say(what, can_undo=can_undo)

    def tell(self, error: StudiumError) -> None:
        """Say what could not be done."""
        with self._whole:  # the button that was pressed may be gone
            tell(error)

    def address(self, url: str, *, is_review: bool) -> None:
        """Let this be the page's address."""
        with self._whole:
            ui.run_javascript(_ADDRESS % (json.dumps(url), json.dumps(is_review)))

    def _show_bulk(self) -> None:
        visit = self._visit
        self._bulk.clear()
        with self._bulk:
            if visit.marked:
                _selected(visit)
            elif visit.found:
                ui.label(self.filters.told).classes("s-muted s-small")
                ui.button(f"Select all {len(visit.found):,}", on_click=visit.mark_all).props("flat dense")


def _selected(visit: Visit) -> None:
    ui.label(f"{len(visit.marked):,} selected").classes("s-grow")
    ui.button("Approve", on_click=lambda: visit.answer_marked("approved")).props("dense")
    ui.button("Reject", on_click=lambda: visit.answer_marked("rejected")).props("dense outline")
    ui.button("Clear", on_click=visit.unmark).props("flat dense")


def _nothing(visit: Visit) -> None:
    if visit.wanted.is_usual:
        empty_state("Nothing waits for you", "What a faculty is not sure of comes here to be decided.", icon="inbox")
        return
    with empty_state("Nothing fits", "No review is like that. Take a filter away.", icon="filter_alt_off"):
        ui.button("Show what waits", on_click=lambda: ui.navigate.to("/inbox")).props("outline")
