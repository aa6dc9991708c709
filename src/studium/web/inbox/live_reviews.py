"""All reviews, a line each: read once for every visitor of the inbox, and again only when they changed."""

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
"""Stands for every status, or every feature."""
STATUSES = (*(status.value for status in ReviewStatus), ALL)


@dataclass
class ReviewFilter:
    """The filters; `all` filters nothing."""

    feature: str = ALL
    status: str = ReviewStatus.OPEN.value
    words: str = ""

    def among(self, lines: Iterable[ReviewLine]) -> list[ReviewLine]:
        """The lines that fit."""
        words = self.words.casefold().split()
        return [line for line in lines if self._fits(line) and _speaks_of(line, words)]

    def features(self, lines: Iterable[ReviewLine]) -> dict[str, int]:
        """How many lines of the wanted status each feature has."""
        counts = Counter(line.feature for line in lines if self.status in (ALL, line.status))
        return {ALL: counts.total()} | dict(sorted(counts.items()))

    @property
    def is_usual(self) -> bool:
        """Whether nothing but what waits is wanted, and all of that."""
        return self.address() == "/inbox"

    def address(self, review: str = "") -> str:
        """Where this is found again, with a review open."""
        said = {"review": review, "feature": self.feature, "status": self.status, "words": self.words}
        usual = {"review": "", "feature": ALL, "status": ReviewStatus.OPEN.value, "words": ""}
        asked = urlencode({name: value for name, value in said.items() if value != usual[name]})
        return f"/inbox?{asked}" if asked else "/inbox"

    def _fits(self, line: ReviewLine) -> bool:
        return self.status in (ALL, line.status) and self.feature in (ALL, line.feature)


def _speaks_of(line: ReviewLine, words: list[str]) -> bool:
    text = f"{line.item} {line.doubt} {line.id}".casefold() if words else ""
    return all(word in text for word in words)


log = logging.getLogger(__name__)
_SECONDS_BETWEEN_LOOKS = 2.0
_ANSWERS_KEPT = 50

Listener = Callable[[], Awaitable[None]]


class LiveReviews:
    """The lines as they are now, and who is told when they change."""

    def __init__(self) -> None:
        self.lines: list[ReviewLine] = []
        self._by_id: dict[str, ReviewLine] = {}
        self._found: dict[str, tuple[list[ReviewLine], dict[str, int]]] = {}
        self._stamp: tuple[Any, ...] = ()
        # Readings are counted: what is added and removed again leaves the stamp as it was.
        self._readings = 0
        self._told = 0
        self._listeners: dict[str, tuple[Client, Listener]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._turn: asyncio.Lock | None = None

    def line(self, review: str) -> ReviewLine | None:
        """The line of a review."""
        return self._by_id.get(review)

    def found(self, wanted: ReviewFilter) -> tuple[list[ReviewLine], dict[str, int]]:
        """The lines that a visitor wants, and how many each feature has; most visitors want the same."""
        key = wanted.address()
        if key not in self._found:
            if len(self._found) >= _ANSWERS_KEPT:
                self._found.clear()
            self._found[key] = wanted.among(self.lines), wanted.features(self.lines)
        return self._found[key]

    def listen(self, client: Client, changed: Listener) -> None:
        """Tell this visitor of changes for as long as the page is open."""
        self._listeners[client.id] = (client, changed)
        client.on_delete(lambda: self._listeners.pop(client.id, None))
        if self._looking is None or self._looking.done():
            self._looking = background_tasks.create(self._look_on(), name="look at the inbox")

    def put(self, review: Review) -> None:
        """Show at once how a review was answered; the next look tells the other visitors."""
        if known := self._by_id.get(review.id):
            self._by_id[review.id] = known.model_copy(update={"status": review.status})
            self._now(list(self._by_id.values()))
            # If it is taken back at once, all is as when the lines were last read; they must be read all the same.
            self._stamp = ()

    async def look(self) -> None:
        """Read the lines if anything changed since they were last read."""
        self._turn = self._turn or asyncio.Lock()
        async with self._turn:
            database = service().database
            stamp = await asyncio.to_thread(database.reviews.version)
            if stamp == self._stamp:
                return
            self._now(await asyncio.to_thread(database.reviews.summaries))
            self._stamp = stamp

    def _now(self, lines: list[ReviewLine]) -> None:
        self.lines = lines
        self._by_id = {line.id: line for line in lines}
        self._found.clear()
        self._readings += 1

    async def tell(self) -> None:
        """Tell everybody of what they were not told yet."""
        if self._told == self._readings:
            return
        self._told = self._readings
        for client, changed in list(self._listeners.values()):
            try:
                with client:
                    await changed()
            except Exception:  # one visitor's trouble is not the others'
                log.exception("a visitor could not be told", extra={"client": client.id})
            await asyncio.sleep(0)  # fifty visitors must not hold up a fifty-first

    async def _look_on(self) -> None:
        while self._listeners:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            with suppress(StudiumError):  # a database that is away for a moment; the next look finds it again
                await self.look()
                await self.tell()


live_reviews = LiveReviews()
"""The one for all visitors."""


_GONE_ON = " Its book had gone on with your answer: what was kept stays kept, and can be changed under Concepts."


@dataclass(frozen=True)
class GivenAnswer:
    """One answer, to one review or to many."""

    reviews: tuple[str, ...]
    told: str
    moments: tuple[datetime | None, ...]
    """When each was answered: a later answer is somebody else's."""


@dataclass
class AnswerHistory:
    """What was answered on this visit, last first."""

    given: list[GivenAnswer] = field(default_factory=list)

    async def give(
        self, review: str, status: str, answer: dict[str, Any] | None = None, comment: str | None = None
    ) -> GivenAnswer:
        """Answer one review."""
        taken = await answer_review(service(), review, status, answer, comment)
        live_reviews.put(taken)
        return self._remember([taken], f"{status.capitalize()}: {shorten(taken.decision.item)}")

    async def give_all(self, reviews: Sequence[str], status: str) -> tuple[GivenAnswer | None, list[RefusedAnswer]]:
        """Give many reviews one answer; says which did not take it."""
        taken, refused = await answer_reviews(service(), reviews, status)
        await live_reviews.look()
        told = f"{status.capitalize()}: {counted(len(taken), 'review')}"
        return (self._remember(taken, told) if taken else None), refused

    async def undo(self, given: GivenAnswer) -> str:
        """Open again what was answered; says so, and what it means."""
        went_on, others = False, 0
        for review, moment in zip(given.reviews, given.moments, strict=True):
            try:
                opened, has_gone_on = await reopen_review(service(), review, moment)
            except Conflict:
                others += 1
                continue
            live_reviews.put(opened)
            went_on |= has_gone_on
        self.given = [each for each in self.given if each is not given]
        if others:
            return f"{others} answered elsewhere in the meantime: that answer stays.{_GONE_ON if went_on else ''}"
        return f"Taken back: {given.told.partition(': ')[2]}.{_GONE_ON if went_on else ''}"

    def _remember(self, taken: Sequence[Review], told: str) -> GivenAnswer:
        given = GivenAnswer(tuple(each.id for each in taken), told, tuple(each.answered_at for each in taken))
        self.given.insert(0, given)
        return given


def shorten(item: str) -> str:
    """What an item is called in passing."""
    return item.partition("#")[0].rpartition("/")[2] or item
