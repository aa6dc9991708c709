"""Heads: what comes before a request's body must be short, and come soon; a guard inside the server is too late for it.

Uvicorn's faster protocol takes a head of any length into memory, and adds what follows a body to the headers that were
checked before it. This one, on h11, does neither: a head is at most 64 KB, and what follows a body is passed over.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 30.0
"""So many seconds may a head take."""


class PatientProtocol(H11Protocol):
    """A connection that ends when a head was begun, or awaited, and is not whole in time."""

    patience = PATIENCE
    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._waiting = self.loop.call_later(self.patience, self._give_up)

    def data_received(self, data: bytes) -> None:
        """Go on waiting while a head is not whole; between two requests uvicorn waits by itself."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._rest()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(self.patience, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is waited for any more."""
        self._rest()
        super().connection_lost(exc)

    def _rest(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        # A web socket has a protocol of its own by now, and may stay.
        if self.conn.their_state is h11.IDLE and self.transport.get_protocol() is self:
            self.transport.close()
