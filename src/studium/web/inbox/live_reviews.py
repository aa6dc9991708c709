"""All reviews, a line each: read once for all visitors of the inbox, and again only when they change."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from nicegui import Client, background_tasks

from studium.app.review_actions import RefusedAnswer, answer_review, answer_reviews, reopen_review
from studium.core.domain.decision import Review, ReviewLine, ReviewStatus
from studium.core.domain.errors import Conflict, StudiumError
from studium.web.components.labels import counted
from studium.web.service import service

ALL = "all"
"""The filter value for every status, or every feature."""
STATUSES = (*(status.value for status in ReviewStatus), ALL)


@dataclass
class ReviewFilter:
    """The filters; `all` filters nothing."""

    feature: str = ALL
    status: str = ReviewStatus.OPEN.value
    words: str = ""

    def matching(self, lines: Iterable[ReviewLine]) -> list[ReviewLine]:
        """The lines that match."""
        words = self.words.casefold().split()
        return [line for line in lines if self._matches(line) and _contains(line, words)]

    def features(self, lines: Iterable[ReviewLine]) -> dict[str, int]:
        """How many lines of the chosen status each feature has."""
        counts = Counter(line.feature for line in lines if self.status in (ALL, line.status))
        return {ALL: counts.total()} | dict(sorted(counts.items()))

    @property
    def is_default(self) -> bool:
        """Whether these are the default filters: all open reviews."""
        return self.address() == "/inbox"

    def address(self, review: str = "") -> str:
        """The address of the inbox with these filters and an open review."""
        given = {"review": review, "feature": self.feature, "status": self.status, "words": self.words}
        default = {"review": "", "feature": ALL, "status": ReviewStatus.OPEN.value, "words": ""}
        query = urlencode({name: value for name, value in given.items() if value != default[name]})
        return f"/inbox?{query}" if query else "/inbox"

    def _matches(self, line: ReviewLine) -> bool:
        return self.status in (ALL, line.status) and self.feature in (ALL, line.feature)


def _contains(line: ReviewLine, words: list[str]) -> bool:
    text = f"{line.item} {line.doubt} {line.id}".casefold() if words else ""
    return all(word in text for word in words)


log = logging.getLogger(__name__)
_POLL_SECONDS = 2.0
_MAX_CACHED = 50

Listener = Callable[[], Awaitable[None]]


class LiveReviews:
    """The lines as they are now, and the listeners that are called when they change."""

    def __init__(self) -> None:
        self.lines: list[ReviewLine] = []
        self._by_id: dict[str, ReviewLine] = {}
        self._found: dict[str, tuple[list[ReviewLine], dict[str, int]]] = {}
        self._version: tuple[Any, ...] = ()
        # Reads are counted, because a review that is added and removed again leaves the version unchanged.
        self._reads = 0
        self._notified = 0
        self._listeners: dict[str, tuple[Client, Listener]] = {}
        self._polling: asyncio.Task[None] | None = None
        self._lock: asyncio.Lock | None = None

    def line(self, review: str) -> ReviewLine | None:
        """The line of a review."""
        return self._by_id.get(review)

    def select(self, filters: ReviewFilter) -> tuple[list[ReviewLine], dict[str, int]]:
        """The lines that match the filters, and how many each feature has; most visitors use the same filters."""
        key = filters.address()
        if key not in self._found:
            if len(self._found) >= _MAX_CACHED:
                self._found.clear()
            self._found[key] = filters.matching(self.lines), filters.features(self.lines)
        return self._found[key]

    def listen(self, client: Client, changed: Listener) -> None:
        """Call this listener after changes, as long as the page is open."""
        self._listeners[client.id] = (client, changed)
        client.on_delete(lambda: self._listeners.pop(client.id, None))
        if self._polling is None or self._polling.done():
            self._polling = background_tasks.create(self._poll(), name="poll the inbox")

    def update(self, review: Review) -> None:
        """Show an answer at once; the next poll notifies the other visitors."""
        if known := self._by_id.get(review.id):
            self._by_id[review.id] = known.model_copy(update={"status": review.status})
            self._set_lines(list(self._by_id.values()))
            # If the answer is undone at once, the version is the old one; the lines must be read all the same.
            self._version = ()

    async def refresh(self) -> None:
        """Read the lines if anything changed since the last read."""
        self._lock = self._lock or asyncio.Lock()
        async with self._lock:
            database = service().database
            version = await asyncio.to_thread(database.reviews.version)
            if version == self._version:
                return
            self._set_lines(await asyncio.to_thread(database.reviews.summaries))
            self._version = version

    def _set_lines(self, lines: list[ReviewLine]) -> None:
        self.lines = lines
        self._by_id = {line.id: line for line in lines}
        self._found.clear()
        self._reads += 1

    async def notify(self) -> None:
        """Call the listeners if anything changed since they were last called."""
        if self._notified == self._reads:
            return
        self._notified = self._reads
        for client, changed in list(self._listeners.values()):
            try:
                with client:
                    await changed()
            except Exception:  # one visitor's error must not affect the others
                log.exception("could not update an inbox page", extra={"client": client.id})
            await asyncio.sleep(0)  # many visitors must not block the event loop

    async def _poll(self) -> None:
        while self._listeners:
            await asyncio.sleep(_POLL_SECONDS)
            with suppress(StudiumError):  # the database may be unavailable for a moment; the next poll reads it
                await self.refresh()
                await self.notify()


live_reviews = LiveReviews()
"""The instance that all visitors share."""


_ALREADY_USED = (
    " Extraction had already used your answer: the concepts it kept stay, and can be changed under Concepts."
)


@dataclass(frozen=True)
class GivenAnswer:
    """One answer, to one review or to many."""

    reviews: tuple[str, ...]
    summary: str
    answered_at: tuple[datetime | None, ...]
    """When each was answered: a later answer was given by someone else."""


@dataclass
class AnswerHistory:
    """The answers of this visit, newest first."""

    given: list[GivenAnswer] = field(default_factory=list)

    async def give(
        self, review: str, status: str, answer: dict[str, Any] | None = None, comment: str | None = None
    ) -> GivenAnswer:
        """Answer one review."""
        taken = await answer_review(service(), review, status, answer, comment)
        live_reviews.update(taken)
        return self._record([taken], f"{status.capitalize()}: {shorten(taken.decision.item)}")

    async def give_all(self, reviews: Sequence[str], status: str) -> tuple[GivenAnswer | None, list[RefusedAnswer]]:
        """Give many reviews one answer; returns those that were refused."""
        taken, refused = await answer_reviews(service(), reviews, status)
        await live_reviews.refresh()
        summary = f"{status.capitalize()}: {counted(len(taken), 'review')}"
        return (self._record(taken, summary) if taken else None), refused

    async def undo(self, given: GivenAnswer) -> str:
        """Reopen the answered reviews; returns a message for the user."""
        any_used, others = False, 0
        for review, moment in zip(given.reviews, given.answered_at, strict=True):
            try:
                opened, was_used = await reopen_review(service(), review, moment)
            except Conflict:
                others += 1
                continue
            live_reviews.update(opened)
            any_used |= was_used
        self.given = [each for each in self.given if each is not given]
        if others:
            return (
                f"{others} answered elsewhere in the meantime; those answers stay.{_ALREADY_USED if any_used else ''}"
            )
        return f"Undone: {given.summary.partition(': ')[2]}.{_ALREADY_USED if any_used else ''}"

    def _record(self, taken: Sequence[Review], summary: str) -> GivenAnswer:
        given = GivenAnswer(tuple(each.id for each in taken), summary, tuple(each.answered_at for each in taken))
        self.given.insert(0, given)
        return given


def shorten(item: str) -> str:
    """A short name of an item."""
    return item.partition("#")[0].rpartition("/")[2] or item
