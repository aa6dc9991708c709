"""One visitor's inbox: which reviews are listed, open and selected, and the answers to them."""

import asyncio
from typing import Any, Literal, Protocol

from studium.core.domain.decision import ReviewLine, ReviewStatus
from studium.core.domain.errors import Conflict, StudiumError
from studium.web.inbox.live_reviews import AnswerHistory, GivenAnswer, ReviewFilter, live_reviews, shorten
from studium.web.inbox.review_view import ReviewDetails, load_review_details
from studium.web.service import service

Mode = Literal["view", "edit", "respond"]


class InboxDisplay(Protocol):
    """What shows a session on the page."""

    def show_list(self) -> None:
        """Show the list as it is now."""

    async def show_review(self) -> None:
        """Show the review that is open, or that there is none."""

    def reveal(self) -> None:
        """Show the review instead of the list, on screens that have space for only one."""

    def show_message(self, what: str, *, can_undo: bool = True) -> None:
        """Show what was answered, with a button to undo it."""

    def show_error(self, error: StudiumError) -> None:
        """Show what failed."""

    def set_address(self, url: str, *, is_review: bool) -> None:
        """Set the address of the page, which opens a review or the list."""


class InboxSession:
    """The state of one inbox page, and the actions of its keys and buttons."""

    def __init__(self, filters: ReviewFilter, review: str) -> None:
        self.filters = filters
        self.current = review
        self.is_chosen = bool(review)
        """Whether the user opened it; until then, a phone shows the list."""
        self.missing = ""
        """The requested review, if it does not exist."""
        self.details: ReviewDetails | None = None
        self.mode: Mode = "view"
        self.found: list[ReviewLine] = []
        self.counts: dict[str, int] = {}
        self.marked: set[str] = set()
        self.answers = AnswerHistory()
        self.display: InboxDisplay
        self._is_busy = False

    @property
    def position(self) -> int:
        """The position of the open review in the list; -1 if it is not listed."""
        return next((position for position, line in enumerate(self.found) if line.id == self.current), -1)

    async def load(self) -> None:
        """List the reviews, and open the requested one, or the first."""
        await live_reviews.refresh()
        self._list()
        is_known = live_reviews.line(self.current) is not None
        self.missing = "" if is_known else self.current
        if not is_known:
            self.current, self.is_chosen = (self.found[0].id if self.found else ""), False
        await self._load_details()

    async def refresh(self) -> None:
        """Update the page after reviews were answered elsewhere or added."""
        self._list()
        line = live_reviews.line(self.current)
        if self.details and line and line.status is not self.details.review.status and not self._is_busy:
            was_edited = self.mode != "view"
            await self._show_current()
            if was_edited:
                self.display.show_message(
                    f"It was {line.status} elsewhere in the meantime. Your draft is kept.", can_undo=False
                )
        elif line is None and (self.details or self.found):
            was_open = self.details
            self.current, self.is_chosen = (self.found[0].id if self.found else ""), False
            await self._show_current()
            if was_open:
                self.display.show_message(
                    f"{shorten(was_open.review.decision.item)} was removed elsewhere.", can_undo=False
                )
        self.display.show_list()

    async def filter(self, **values: str) -> None:
        """Change the filters."""
        for name, value in values.items():
            setattr(self.filters, name, value)
        self._list()
        if self.position < 0 and self.mode == "view":
            self.current = self.found[0].id if self.found else ""
            self.is_chosen = False
            await self._show_current()
        else:
            self._update_address()
        self.display.show_list()

    async def open(self, review: str) -> None:
        """Open a review; one that is open already is not rebuilt, since the user may be clicking on it."""
        is_shown = review == self.current and self._is_as_shown()
        self.current, self.is_chosen = review, True
        if is_shown:
            self.display.reveal()
            self._update_address()
        else:
            await self._show_current()
        self.display.show_list()

    async def step(self, by: int) -> None:
        """Go to the next or the previous review."""
        if self.found and self.mode == "view":
            await self.open(self.found[max(0, min(self.position + by, len(self.found) - 1))].id)

    async def leave(self) -> None:
        """Go back to the list, on a phone."""
        self.is_chosen = False
        await self.set_mode("view")

    async def back(self) -> None:
        """Go back to the list, and update the address."""
        await self.leave()
        self._update_address()

    async def set_mode(self, mode: Mode) -> None:
        """Start or stop editing or responding."""
        if mode == "view" or (self.details and self.details.review.status is ReviewStatus.OPEN):
            self.mode = mode
            await self.display.show_review()

    async def close_editor(self) -> None:
        """Close the editor."""
        await self.set_mode("view")

    async def answer_by_key(self, status: str) -> None:
        """Answer with a key, unless the user is typing."""
        if self.mode == "view":
            await self.answer(status)

    async def edit(self, proposal: dict[str, Any]) -> bool:
        """Answer with an edited proposal; returns whether it was accepted."""
        return await self.answer("edited", proposal)

    async def reopen(self) -> None:
        """Undo the answer to the open review."""
        if self.details:
            review = self.details.review
            await self.undo(
                GivenAnswer((review.id,), f"Opened: {shorten(review.decision.item)}", (review.answered_at,))
            )

    async def answer(self, status: str, answer: dict[str, Any] | None = None, comment: str | None = None) -> bool:
        """Answer the open review, and open the next one; returns whether the answer was accepted."""
        # A second key press must not answer the next review before it is shown.
        if self._is_busy or not self.details or self.details.review.status is not ReviewStatus.OPEN:
            return False
        self._is_busy = True
        position = self.position
        try:
            given = await self.answers.give(self.current, status, answer, comment)
            await self._answered(position, given)
        except Conflict as conflict:
            await live_reviews.refresh()
            await self._show_current()
            self.display.show_error(conflict)
            return False
        finally:
            self._is_busy = False
        return True

    async def answer_marked(self, status: str) -> None:
        """Answer all selected reviews."""
        if self._is_busy or not self.marked:
            return
        marked = [line.id for line in self.found if line.id in self.marked]
        self._is_busy = True
        try:
            given, refused = await self.answers.give_all(marked, status)
            self.marked.clear()
            await self._answered(max(0, self.position), given)
        finally:
            self._is_busy = False
        if refused:
            details = " ".join(each.detail for each in refused[:3])
            self.display.show_error(Conflict(f"{len(refused)} reviews were not answered.", remedy=details))

    async def undo(self, given: GivenAnswer | None = None) -> None:
        """Undo the last answer, or this one."""
        given = given or next(iter(self.answers.given), None)
        if given is None:
            self.display.show_message("There is nothing to undo.", can_undo=False)
            return
        message = await self.answers.undo(given)
        self._list()
        self.mode = "view"
        await self.open(given.reviews[0])
        self.display.show_message(message, can_undo=False)

    def mark(self, review: str = "") -> None:
        """Select or deselect a review."""
        self.marked ^= {review or self.current} - {""}
        self.display.show_list()

    def unmark(self) -> None:
        """Clear the selection."""
        self.marked.clear()
        self.display.show_list()

    def mark_all(self) -> None:
        """Select all listed reviews."""
        self.marked = {line.id for line in self.found}
        self.display.show_list()

    async def _answered(self, position: int, given: GivenAnswer | None) -> None:
        """Move to the next review after an answer."""
        self._list()
        line = live_reviews.line(self.current)
        if self.found and (line is None or line.status is not ReviewStatus.OPEN):
            after = position + 1 if self.position >= 0 else max(position, 0)
            self.current = self.found[min(after, len(self.found) - 1)].id
        elif not self.found:
            self.current = ""
        await self._show_current()
        self.display.show_list()
        if given:
            self.display.show_message(f"{given.summary}.")

    def _is_as_shown(self) -> bool:
        """Whether the current review is on the screen and unchanged."""
        line = live_reviews.line(self.current)
        if self.details is None or line is None or self.mode != "view":
            return False
        return self.details.review.id == line.id and self.details.review.status is line.status

    def _list(self) -> None:
        self.found, self.counts = live_reviews.select(self.filters)
        if self.marked:
            self.marked &= {line.id for line in self.found}

    async def _show_current(self) -> None:
        self.mode = "view"
        await self._load_details()
        await self.display.show_review()
        self._update_address()

    def _update_address(self) -> None:
        opened = self.current if self.is_chosen else ""
        self.display.set_address(self.filters.address(opened), is_review=bool(opened))

    async def _load_details(self) -> None:
        self.details = await asyncio.to_thread(load_review_details, service(), self.current) if self.current else None
