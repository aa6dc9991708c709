"""One visitor's inbox: what is listed, what is open, what is selected, and what is done about it."""

import asyncio
from typing import Any, Literal, Protocol

from studium.core.domain.decision import ReviewLine, ReviewStatus
from studium.core.domain.errors import Conflict, StudiumError
from studium.web.inbox.live_reviews import AnswerHistory, GivenAnswer, ReviewFilter, live_reviews, shorten
from studium.web.inbox.review_view import ReviewDetails, load_review_details
from studium.web.service import service

Mode = Literal["look", "edit", "respond"]


class Shown(Protocol):
    """What a visit is shown on."""

    def show_list(self) -> None:
        """Show the list as it is now."""

    async def show_review(self) -> None:
        """Show the review that is open, or that there is none."""

    def reveal(self) -> None:
        """Show the review in place of the list, where there is room for one of them only."""

    def say(self, what: str, *, can_undo: bool = True) -> None:
        """Say what was answered, with the way back."""

    def tell(self, error: StudiumError) -> None:
        """Say what could not be done."""

    def address(self, url: str, *, is_review: bool) -> None:
        """Let this be the page's address, which opens a review or the list."""


class InboxSession:
    """The state of one page, and everything that a key or a button does to it."""

    def __init__(self, wanted: ReviewFilter, review: str) -> None:
        self.wanted = wanted
        self.current = review
        self.is_chosen = bool(review)
        """Whether the person opened it: on a phone, the list is shown until then."""
        self.missing = ""
        """The review that was asked for and is not there."""
        self.look: ReviewDetails | None = None
        self.mode: Mode = "look"
        self.found: list[ReviewLine] = []
        self.counts: dict[str, int] = {}
        self.marked: set[str] = set()
        self.answers = AnswerHistory()
        self.shown: Shown
        self._is_busy = False

    @property
    def place(self) -> int:
        """Where in the list the open review stands; -1 if it is not there."""
        return next((at for at, line in enumerate(self.found) if line.id == self.current), -1)

    async def begin(self) -> None:
        """Find what is wanted, and open what was asked for, or the first."""
        await live_reviews.look()
        self._find()
        is_known = live_reviews.line(self.current) is not None
        self.missing = "" if is_known else self.current
        if not is_known:
            self.current, self.is_chosen = (self.found[0].id if self.found else ""), False
        await self._read()

    async def refresh(self) -> None:
        """Others answered, or there is something new."""
        self._find()
        line = live_reviews.line(self.current)
        if self.look and line and line.status is not self.look.review.status and not self._is_busy:
            was_edited = self.mode != "look"
            await self._reopen()
            if was_edited:
                self.shown.say(f"It was {line.status} elsewhere in the meantime. Your draft is kept.", can_undo=False)
        elif line is None and (self.look or self.found):
            was_open = self.look
            self.current, self.is_chosen = (self.found[0].id if self.found else ""), False
            await self._reopen()
            if was_open:
                self.shown.say(f"{shorten(was_open.review.decision.item)} was removed elsewhere.", can_undo=False)
        self.shown.show_list()

    async def filter(self, **wanted: str) -> None:
        """Want other reviews."""
        for name, value in wanted.items():
            setattr(self.wanted, name, value)
        self._find()
        if self.place < 0 and self.mode == "look":
            self.current = self.found[0].id if self.found else ""
            self.is_chosen = False
            await self._reopen()
        else:
            self._say_where()
        self.shown.show_list()

    async def open(self, review: str) -> None:
        """Open a review; one that is open already is not rebuilt while a person may be clicking."""
        stands = review == self.current and self._is_as_shown()
        self.current, self.is_chosen = review, True
        if stands:
            self.shown.reveal()
            self._say_where()
        else:
            await self._reopen()
        self.shown.show_list()

    async def step(self, by: int) -> None:
        """Go to the next review, or the one before."""
        if self.found and self.mode == "look":
            await self.open(self.found[max(0, min(self.place + by, len(self.found) - 1))].id)

    async def leave(self) -> None:
        """From a review to the list, on a phone."""
        self.is_chosen = False
        await self.turn("look")

    async def back(self) -> None:
        """Leave the review, and let the address say so."""
        await self.leave()
        self._say_where()

    async def turn(self, mode: Mode) -> None:
        """Begin to edit or to respond, or leave it."""
        if mode == "look" or (self.look and self.look.review.status is ReviewStatus.OPEN):
            self.mode = mode
            await self.shown.show_review()

    async def look_again(self) -> None:
        """Leave the editor."""
        await self.turn("look")

    async def press(self, status: str) -> None:
        """Answer with a key; not while something is being written."""
        if self.mode == "look":
            await self.answer(status)

    async def edit(self, proposal: dict[str, Any]) -> bool:
        """Answer with an edited proposal; says whether it was taken."""
        return await self.answer("edited", proposal)

    async def reopen(self) -> None:
        """Undo the answer to the open review."""
        if self.look:
            review = self.look.review
            await self.undo(
                GivenAnswer((review.id,), f"Opened: {shorten(review.decision.item)}", (review.answered_at,))
            )

    async def answer(self, status: str, answer: dict[str, Any] | None = None, comment: str | None = None) -> bool:
        """Answer the open review, and open the next one; says whether the answer was taken."""
        # A second press that comes before the next review is on the screen must not answer what nobody has seen.
        if self._is_busy or not self.look or self.look.review.status is not ReviewStatus.OPEN:
            return False
        self._is_busy = True
        place = self.place
        try:
            given = await self.answers.give(self.current, status, answer, comment)
            await self._answered(place, given)
        except Conflict as conflict:
            await live_reviews.look()
            await self._reopen()
            self.shown.tell(conflict)
            return False
        finally:
            self._is_busy = False
        return True

    async def answer_marked(self, status: str) -> None:
        """Answer all that is selected."""
        if self._is_busy or not self.marked:
            return
        marked = [line.id for line in self.found if line.id in self.marked]
        self._is_busy = True
        try:
            given, refused = await self.answers.give_all(marked, status)
            self.marked.clear()
            await self._answered(max(0, self.place), given)
        finally:
            self._is_busy = False
        if refused:
            told = " ".join(each.detail for each in refused[:3])
            self.shown.tell(Conflict(f"{len(refused)} reviews were not answered.", remedy=told))

    async def undo(self, given: GivenAnswer | None = None) -> None:
        """Take back the last answer, or this one."""
        given = given or next(iter(self.answers.given), None)
        if given is None:
            self.shown.say("There is nothing to undo.", can_undo=False)
            return
        told = await self.answers.undo(given)
        self._find()
        self.mode = "look"
        await self.open(given.reviews[0])
        self.shown.say(told, can_undo=False)

    def mark(self, review: str = "") -> None:
        """Select a review, or let go of it."""
        self.marked ^= {review or self.current} - {""}
        self.shown.show_list()

    def unmark(self) -> None:
        """Select nothing."""
        self.marked.clear()
        self.shown.show_list()

    def mark_all(self) -> None:
        """Select all that are listed."""
        self.marked = {line.id for line in self.found}
        self.shown.show_list()

    async def _answered(self, place: int, given: GivenAnswer | None) -> None:
        """Move to the next review after an answer."""
        self._find()
        line = live_reviews.line(self.current)
        if self.found and (line is None or line.status is not ReviewStatus.OPEN):
            after = place + 1 if self.place >= 0 else max(place, 0)
            self.current = self.found[min(after, len(self.found) - 1)].id
        elif not self.found:
            self.current = ""
        await self._reopen()
        self.shown.show_list()
        if given:
            self.shown.say(f"{given.told}.")

    def _is_as_shown(self) -> bool:
        """Whether the review on the screen is the current one as it is now."""
        line = live_reviews.line(self.current)
        if self.look is None or line is None or self.mode != "look":
            return False
        return self.look.review.id == line.id and self.look.review.status is line.status

    def _find(self) -> None:
        self.found, self.counts = live_reviews.found(self.wanted)
        if self.marked:
            self.marked &= {line.id for line in self.found}

    async def _reopen(self) -> None:
        self.mode = "look"
        await self._read()
        await self.shown.show_review()
        self._say_where()

    def _say_where(self) -> None:
        opened = self.current if self.is_chosen else ""
        self.shown.address(self.wanted.address(opened), is_review=bool(opened))

    async def _read(self) -> None:
        self.look = await asyncio.to_thread(load_review_details, service(), self.current) if self.current else None
