"""All reviews, a line each: read once for every visitor of the inbox, and again only when they changed."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from nicegui import Client, background_tasks

from studium.core.domain.decision import Review, ReviewLine
from studium.core.domain.errors import StudiumError
from studium.web.house import service
from studium.web.inbox.wanted import Wanted

log = logging.getLogger(__name__)
_SECONDS_BETWEEN_LOOKS = 2.0
_ANSWERS_KEPT = 50

Listener = Callable[[], Awaitable[None]]


class Live:
    """The lines as they are now, and who is told when they change."""

    def __init__(self) -> None:
        self.lines: list[ReviewLine] = []
        self._by_id: dict[str, ReviewLine] = {}
        self._found: dict[str, tuple[list[ReviewLine], dict[str, int]]] = {}
        self._stamp: tuple[Any, ...] = ()
        self._told: tuple[Any, ...] = ()
        self._listeners: dict[str, tuple[Client, Listener]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._turn: asyncio.Lock | None = None

    def line(self, review: str) -> ReviewLine | None:
        """The line of a review."""
        return self._by_id.get(review)

    def found(self, wanted: Wanted) -> tuple[list[ReviewLine], dict[str, int]]:
        """The lines that a visitor wants, and how many each faculty has; most visitors want the same."""
        key = wanted.address()
        if key not in self._found:
            if len(self._found) >= _ANSWERS_KEPT:
                self._found.clear()
            self._found[key] = wanted.among(self.lines), wanted.faculties(self.lines)
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
            self._stamp, self._told = (), ("changed",)

    async def look(self) -> None:
        """Read the lines if anything changed since they were last read."""
        self._turn = self._turn or asyncio.Lock()
        async with self._turn:
            ledger = service().ledger
            stamp = await asyncio.to_thread(ledger.reviews.version)
            if stamp == self._stamp:
                return
            self._now(await asyncio.to_thread(ledger.reviews.summaries))
            self._stamp = stamp

    def _now(self, lines: list[ReviewLine]) -> None:
        self.lines = lines
        self._by_id = {line.id: line for line in lines}
        self._found.clear()

    async def tell(self) -> None:
        """Tell everybody of what they were not told yet."""
        if self._told == self._stamp:
            return
        self._told = self._stamp
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
            with suppress(StudiumError):  # a ledger that is away for a moment; the next look finds it again
                await self.look()
                await self.tell()


live = Live()
"""The one for all visitors."""
