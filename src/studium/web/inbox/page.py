"""The inbox page: every open review with its evidence; made for the keyboard."""

import json
from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import Any

from nicegui import html, ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from studium.core.domain.decision import ReviewLine
from studium.core.domain.errors import NotFound, StudiumError
from studium.web.components.labels import ago
from studium.web.components.notices import empty_state, show_error
from studium.web.frame import Shortcuts, current_frame, page
from studium.web.inbox.answer_controls import show_answer_controls, show_buttons
from studium.web.inbox.live_reviews import ALL, STATUSES, GivenAnswer, ReviewFilter, live_reviews
from studium.web.inbox.review_view import show_material, show_question
from studium.web.inbox.session import InboxSession

_AT_FIRST = 30
_MOST = 120
"""No window onto the list is longer."""


class ReviewList(Element, component="review_list.js"):
    """A window onto the lines; the browser says which part of them is in sight."""

    def __init__(
        self, on_open: Callable[[str], Any], on_mark: Callable[[str], Any], on_back: Callable[[], Any]
    ) -> None:
        super().__init__()
        self._lines: Sequence[ReviewLine] = ()
        self._marked: Container[str] = ()
        self._start, self._end = 0, _AT_FIRST
        self.on("sight", self._moved, args=None)
        self.on("pick", lambda event: on_open(str(event.args)), args=None)
        self.on("mark", lambda event: on_mark(str(event.args)), args=None)
        self.on("back", on_back, args=[])

    def show(self, lines: Sequence[ReviewLine], current: str, marked: Container[str]) -> None:
        """Show these lines, one of them open, some of them marked."""
        self._lines, self._marked = lines, marked
        self.props["current"] = current
        self._send()

    def reveal(self, place: int) -> None:
        """Bring a line into sight."""
        self.run_method("reveal", place)

    def _moved(self, event: GenericEventArguments) -> None:
        self._start = max(0, int(event.args["start"]))
        self._end = min(int(event.args["end"]), self._start + _MOST)
        self._send()

    def _send(self) -> None:
        start = min(self._start, max(0, len(self._lines) - _AT_FIRST))
        shown = self._lines[start : max(self._end, start + _AT_FIRST)]
        self.props.update(total=len(self._lines), start=start, rows=[self._row(line) for line in shown])
        self.update()

    def _row(self, line: ReviewLine) -> dict[str, Any]:
        about, _, part = line.item.rpartition("/")[2].partition("#")
        return {
            "id": line.id,
            "title": about or part or line.item,
            "feature": line.feature,
            "status": line.status.value,
            "doubt": line.doubt[:200],
            "when": ago(line.opened_at),
            "marked": line.id in self._marked,
        }


class FilterBar:
    """The row of filters, with how many there are of each."""

    def __init__(self, visit: InboxSession) -> None:
        self._visit = visit
        wanted = visit.wanted
        with ui.element("div").classes("in-filters"):
            self.search = ui.input(
                "Search", value=wanted.words, on_change=lambda event: visit.filter(words=event.value)
            )
            self.search.props('outlined dense clearable debounce=200 type=search clear-icon="close"').classes("s-grow")
            status = ui.select(list(STATUSES), value=wanted.status, label="Status")
            status.props("outlined dense options-dense").classes("in-status")
            status.on_value_change(lambda event: visit.filter(status=event.value))
        self._features = ui.element("div").classes("s-row s-tight in-features").props('role=group aria-label="Feature"')
        self.told = ""
        """How many are listed, in words."""
        self._counts: dict[str, int] = {}
        self._feature = ""

    def show(self) -> None:
        """Show the numbers as they are now."""
        wanted = self._visit.wanted
        counts = {wanted.feature: 0} | self._visit.counts
        found = len(self._visit.found)
        self.told = f"{found:,} of {counts[ALL]:,} listed" if found != counts[ALL] else f"{found:,} listed"
        if (counts, wanted.feature) != (self._counts, self._feature):
            self._counts, self._feature = counts, wanted.feature
            self._show_features()

    def _show_features(self) -> None:
        self._features.clear()
        with self._features:
            for name, many in sorted(self._counts.items()):
                pressed = "true" if name == self._feature else "false"
                button = (
                    html.button(f"{name} {many:,}").classes("in-feature").props(f"type=button aria-pressed={pressed}")
                )
                button.on("click", lambda name=name: self._visit.filter(feature=name))


_SECONDS = 12


class UndoToast:
    """A line over the page that says what was answered and takes it back."""

    def __init__(self, undo: Callable[[], Any]) -> None:
        self._undo = undo
        self._place = ui.element("div").classes("in-toast").props("role=status")

    def say(self, what: str, *, can_undo: bool = True) -> None:
        """Say it for a while."""
        self.hide()
        with self._place:
            html.span(what)
            if can_undo:
                ui.button("Undo (u)", on_click=self._undo).props("flat dense")
            ui.timer(_SECONDS, self.hide, once=True)

    def hide(self) -> None:
        """Say nothing any more."""
        self._place.clear()


# Where a review takes the place of the list, the way back leads from it to the list.
_ADDRESS = """
const [url, isReview] = [%s, %s];
if (isReview && innerWidth < 900 && !history.state?.review) history.pushState({review: true}, "", url);
else if (!isReview && history.state?.review) history.back();
else history.replaceState(history.state, "", url);
"""
# The pressed button disappears with its review; keyboard focus moves to the next one.
_GO_ON = """requestAnimationFrame(() => {
  if (document.activeElement === document.body) document.querySelector(".in-title")?.focus({ preventScroll: true });
})"""


class InboxView:
    """Shows a visit."""

    def __init__(self, visit: InboxSession) -> None:
        self._visit = visit
        self._revealed = ""
        self._is_shown = False
        visit.shown = self
        with ui.element("div").classes("in") as self._whole:
            with ui.element("section").classes("in-left").props('aria-label="Reviews"'):
                self.filters = FilterBar(visit)
                self._bulk = ui.element("div").classes("in-bulk s-row s-between").props("aria-live=polite")
                self._list = ReviewList(visit.open, visit.mark, visit.leave)
                self._nothing = ui.element("div")
            self._right = ui.element("section").classes("in-right").props('aria-label="The open review"')
        self._toast = UndoToast(visit.undo)

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
                await show_answer_controls(visit, visit.look)
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
            show_error(error)

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


def _selected(visit: InboxSession) -> None:
    ui.label(f"{len(visit.marked):,} selected").classes("s-grow")
    ui.button("Approve", on_click=lambda: visit.answer_marked("approved")).props("dense")
    ui.button("Reject", on_click=lambda: visit.answer_marked("rejected")).props("dense outline")
    ui.button("Clear", on_click=visit.unmark).props("flat dense")


def _nothing(visit: InboxSession) -> None:
    if visit.wanted.is_usual:
        empty_state(
            "No open reviews", "Whatever a feature is not sure about appears here for you to decide.", icon="inbox"
        )
        return
    with empty_state("No matches", "No review matches these filters. Remove one.", icon="filter_alt_off"):
        ui.button("Show what waits", on_click=lambda: ui.navigate.to("/inbox")).props("outline")


_LOOKS = (Path(__file__).parent / "inbox.css").read_text("utf-8")


@page("/inbox", "Inbox")
async def inbox(review: str = "", feature: str = ALL, status: str = STATUSES[0], words: str = "") -> None:
    """The list of reviews, and one of them open."""
    ui.add_css(_LOOKS)
    visit = InboxSession(ReviewFilter(feature, status if status in STATUSES else STATUSES[0], words), review)
    await visit.begin()
    with current_frame().actions:
        _history(visit)
    desk = InboxView(visit)
    desk.show_list()
    await desk.show_review()
    if visit.missing:
        show_error(NotFound(f"There is no review {visit.missing}.", remedy="Choose one from the list."))
    _keys(current_frame().keys, visit, desk)
    live_reviews.listen(ui.context.client, visit.refresh)


def _keys(keys: Shortcuts, visit: InboxSession, desk: InboxView) -> None:
    keys.on("j", "Next review", lambda: visit.step(1))
    keys.on("k", "Previous review", lambda: visit.step(-1))
    keys.on("a", "Approve", lambda: visit.press("approved"))
    keys.on("e", "Edit, then approve", lambda: visit.turn("edit"))
    keys.on("r", "Reject", lambda: visit.press("rejected"))
    keys.on("c", "Comment", lambda: visit.turn("respond"))
    keys.on("u", "Undo the last answer", lambda: visit.undo() if visit.mode == "look" else None)
    keys.on("x", "Select", visit.mark)
    keys.on("A", "Approve all selected", lambda: visit.answer_marked("approved"))
    keys.on("R", "Reject all selected", lambda: visit.answer_marked("rejected"))
    keys.on("/", "Search", lambda: desk.filters.search.run_method("focus"))


def _history(visit: InboxSession) -> None:
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

    async def undo(given: GivenAnswer) -> None:
        menu.close()
        await visit.undo(given)

    menu.on("before-show", fill)
