"""What is told about one order while it is carried out, for however many listen."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

from studium.domain.order import Order, OrderEvent

_KEPT = 2000


class Telling:
    """The last events of an order; each listener hears them all, at its own pace, from where it left off."""

    def __init__(self) -> None:
        self.is_over = False
        self._events: deque[OrderEvent] = deque(maxlen=_KEPT)
        self._number = 0
        self._news = asyncio.Event()

    def tell(self, kind: str, data: dict[str, Any]) -> None:
        """Let everybody hear of it; on the event loop only."""
        self._number += 1
        self._events.append(OrderEvent(number=self._number, kind=kind, data=data))
        self.is_over = False
        self._wake()

    def end(self, order: Order) -> None:
        """Let everybody hear how it ended."""
        self.tell("status", order.model_dump(mode="json"))
        self.is_over = True
        self._wake()

    async def heard(self, after: int) -> AsyncIterator[OrderEvent]:
        """All events after the one of this number, until it is over."""
        # A number from before a restart is ahead of ours: such a listener hears everything.
        last = after if after <= self._number else 0
        while True:
            news = self._news
            for event in [event for event in self._events if event.number > last]:
                last = event.number
                yield event
            if self.is_over and last == self._number:
                return
            if news is self._news:
                await news.wait()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
