"""The inbox page: every open review with its evidence; made for the keyboard."""

import json
from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import Any, TypedDict

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
"""The most rows that are sent at once."""


class ReviewRow(TypedDict):
    """A row of the list, as `review_list.js` gets it."""

    id: str
    title: str
    feature: str
    status: str
    doubt: str
    when: str
    marked: bool


class ReviewList(Element, component="review_list.js"):
    """A scrolling list; the browser says which of its rows are visible."""

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
        """Scroll to a row."""
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

    def _row(self, line: ReviewLine) -> ReviewRow:
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
    """The filters, with the number of reviews of each feature."""

    def __init__(self, session: InboxSession) -> None:
        self._session = session
        wanted = session.filters
        with ui.element("div").classes("in-filters"):
            self.search = ui.input(
                "Search", value=wanted.words, on_change=lambda event: session.filter(words=event.value)
            )
            self.search.props('outlined dense clearable debounce=200 type=search clear-icon="close"').classes("s-grow")
            status = ui.select(list(STATUSES), value=wanted.status, label="Status")
            status.props("outlined dense options-dense").classes("in-status")
            status.on_value_change(lambda event: session.filter(status=event.value))
        self._features = ui.element("div").classes("s-row s-tight in-features").props('role=group aria-label="Feature"')
        self.count_text = ""
        """How many reviews are listed, in words."""
        self._counts: dict[str, int] = {}
        self._feature = ""

    def show(self) -> None:
        """Show the numbers as they are now."""
        wanted = self._session.filters
        counts = {wanted.feature: 0} | self._session.counts
        found = len(self._session.found)
        self.count_text = f"{found:,} of {counts[ALL]:,} listed" if found != counts[ALL] else f"{found:,} listed"
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
                button.on("click", lambda name=name: self._session.filter(feature=name))


_SECONDS = 12


class UndoToast:
    """A message over the page that says what was answered, with a button to undo it."""

    def __init__(self, undo: Callable[[], Any]) -> None:
        self._undo = undo
        self._place = ui.element("div").classes("in-toast").props("role=status")

    def say(self, what: str, *, can_undo: bool = True) -> None:
        """Show the message for some seconds."""
        self.hide()
        with self._place:
            html.span(what)
            if can_undo:
                ui.button("Undo (u)", on_click=self._undo).props("flat dense")
            ui.timer(_SECONDS, self.hide, once=True)

    def hide(self) -> None:
        """Hide the message."""
        self._place.clear()


# On small screens a review replaces the list; the browser's back button then returns to the list.
_ADDRESS = """
const [url, isReview] = [%s, %s];
if (isReview && innerWidth < 900 && !history.state?.review) history.pushState({review: true}, "", url);
else if (!isReview && history.state?.review) history.back();
else history.replaceState(history.state, "", url);
"""
# The pressed button disappears with its review; keyboard focus moves to the next one.
_FOCUS_NEXT = """requestAnimationFrame(() => {
  if (document.activeElement === document.body) document.querySelector(".in-title")?.focus({ preventScroll: true });
})"""


class InboxView:
    """Shows a session: the list on the left, the open review on the right."""

    def __init__(self, session: InboxSession) -> None:
        self._session = session
        self._revealed = ""
        self._is_shown = False
        session.display = self
        with ui.element("div").classes("in") as self._whole:
            with ui.element("section").classes("in-left").props('aria-label="Reviews"'):
                self.filters = FilterBar(session)
                self._bulk = ui.element("div").classes("in-bulk s-row s-between").props("aria-live=polite")
                self._list = ReviewList(session.open, session.mark, session.leave)
                self._nothing = ui.element("div")
            self._right = ui.element("section").classes("in-right").props('aria-label="The open review"')
        self._toast = UndoToast(session.undo)

    def show_list(self) -> None:
        """Show the list as it is now."""
        session = self._session
        self._list.show(session.found, session.current, session.marked)
        self._list.set_visibility(bool(session.found))
        if (place := session.position) >= 0 and session.current != self._revealed:
            self._revealed = session.current
            self._list.reveal(place)
            self._whole.client.run_javascript("scrollTo(0, 0)")
        self.filters.show()
        self._show_bulk()
        self._nothing.clear()
        if not session.found:
            with self._nothing:
                _nothing(session)

    async def show_review(self) -> None:
        """Show the review that is open, or that there is none."""
        session = self._session
        self.reveal()
        self._right.clear()
        with self._right:
            if session.details:
                ui.button("All reviews", icon="arrow_back", on_click=session.back).props("flat dense").classes(
                    "in-back"
                )
                show_question(session.details)
                await show_answer_controls(session, session.details)
                show_material(session.details)
                show_buttons(session, session.details)
        if self._is_shown:
            self._whole.client.run_javascript(_FOCUS_NEXT)
        self._is_shown = True

    def reveal(self) -> None:
        """Show the review instead of the list, on screens that have space for only one."""
        is_open = self._session.is_chosen and self._session.details is not None
        self._whole.classes(add="in-chosen") if is_open else self._whole.classes(remove="in-chosen")

    def show_message(self, what: str, *, can_undo: bool = True) -> None:
        """Show what was answered, with a button to undo it."""
        self._toast.say(what, can_undo=can_undo)

    def show_error(self, error: StudiumError) -> None:
        """Show what failed."""
        with self._whole:  # the button that was pressed may be gone
            show_error(error)

    def set_address(self, url: str, *, is_review: bool) -> None:
        """Set the address of the page."""
        with self._whole:
            ui.run_javascript(_ADDRESS % (json.dumps(url), json.dumps(is_review)))

    def _show_bulk(self) -> None:
        session = self._session
        self._bulk.clear()
        with self._bulk:
            if session.marked:
                _selected(session)
            elif session.found:
                ui.label(self.filters.count_text).classes("s-muted s-small")
                ui.button(f"Select all {len(session.found):,}", on_click=session.mark_all).props("flat dense")


def _selected(session: InboxSession) -> None:
    ui.label(f"{len(session.marked):,} selected").classes("s-grow")
    ui.button("Approve", on_click=lambda: session.answer_marked("approved")).props("dense")
    ui.button("Reject", on_click=lambda: session.answer_marked("rejected")).props("dense outline")
    ui.button("Clear", on_click=session.unmark).props("flat dense")


def _nothing(session: InboxSession) -> None:
    if session.filters.is_default:
        empty_state(
            "No open reviews", "Whatever a feature is not sure about appears here for you to decide.", icon="inbox"
        )
        return
    with empty_state("No matches", "No review matches these filters. Remove one.", icon="filter_alt_off"):
        ui.button("Show open reviews", on_click=lambda: ui.navigate.to("/inbox")).props("outline")


_LOOKS = (Path(__file__).parent / "inbox.css").read_text("utf-8")


@page("/inbox", "Inbox")
async def inbox(review: str = "", feature: str = ALL, status: str = STATUSES[0], words: str = "") -> None:
    """The list of reviews, and one of them open."""
    ui.add_css(_LOOKS)
    session = InboxSession(ReviewFilter(feature, status if status in STATUSES else STATUSES[0], words), review)
    await session.load()
    with current_frame().actions:
        _history(session)
    view = InboxView(session)
    view.show_list()
    await view.show_review()
    if session.missing:
        show_error(NotFound(f"There is no review {session.missing}.", remedy="Choose one from the list."))
    _keys(current_frame().keys, session, view)
    live_reviews.listen(ui.context.client, session.refresh)


def _keys(keys: Shortcuts, session: InboxSession, view: InboxView) -> None:
    keys.on("j", "Next review", lambda: session.step(1))
    keys.on("k", "Previous review", lambda: session.step(-1))
    keys.on("a", "Approve", lambda: session.answer_by_key("approved"))
    keys.on("e", "Edit, then approve", lambda: session.set_mode("edit"))
    keys.on("r", "Reject", lambda: session.answer_by_key("rejected"))
    keys.on("c", "Comment", lambda: session.set_mode("respond"))
    keys.on("u", "Undo the last answer", lambda: session.undo() if session.mode == "view" else None)
    keys.on("x", "Select", session.mark)
    keys.on("A", "Approve all selected", lambda: session.answer_marked("approved"))
    keys.on("R", "Reject all selected", lambda: session.answer_marked("rejected"))
    keys.on("/", "Search", lambda: view.filters.search.run_method("focus"))


def _history(session: InboxSession) -> None:
    """The answers of this visit, each with a button to undo it."""
    with ui.button("This session", icon="history").props("outline"), ui.menu() as menu:
        place = ui.element("div").classes("in-history s-stack")

    def fill() -> None:
        place.clear()
        with place:
            if not session.answers.given:
                html.p("No answers on this visit yet.").classes("s-muted")
            for given in session.answers.given:
                with ui.element("div").classes("s-row s-between"):
                    html.span(given.summary)
                    ui.button("Undo", on_click=lambda given=given: undo(given)).props("flat dense")

    async def undo(given: GivenAnswer) -> None:
        menu.close()
        await session.undo(given)

    menu.on("before-show", fill)
