"""Heads: what comes before a request's body must be short, and come soon; a guard inside the server is too late for it.

Uvicorn's faster protocol takes a head of any length into memory, and adds what follows a body to the headers that were
checked before it. This one, on h11, does neither: a head is at most 64 KB, and what follows a body is passed over.

The server takes so many connections and no more, and silent ones cost nobody anything to open. So where too many owe a
head, those that have owed it longest are let go: whoever has something to ask says so at once, and a proxy does too.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from studium.http.login import client_key

HEADER_TIMEOUT = 30.0
"""So many seconds may a head take."""
MAX_PENDING_PER_CLIENT = 100
"""So many connections of one address may owe a head; behind a proxy all may have one."""
MAX_PENDING = 250
"""So many of all addresses together."""


class HeaderTimeoutProtocol(H11Protocol):
    """A connection that ends when a head was begun, or awaited, and is not whole in time."""

    patience = HEADER_TIMEOUT
    whose = ""
    _waiting: asyncio.TimerHandle | None = None

    @property
    def gives_up_at(self) -> float | None:
        """When a head that is owed is not waited for any longer; nothing where none is."""
        return self._waiting.when() if self._waiting else None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self.whose = client_key({"client": self.client})
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Go on waiting while a head is not whole; between two requests uvicorn waits by itself."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._rest()
        elif self._waiting is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is waited for any more."""
        self._rest()
        super().connection_lost(exc)

    def give_up(self) -> None:
        """End the connection, if it still owes a head."""
        self._rest()
        # A web socket has a protocol of its own by now, and may stay.
        if self.conn.their_state is h11.IDLE and self.transport.get_protocol() is self:
            self.transport.close()

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(self.patience, self.give_up)
        owing = self._owing()
        of_one = [each for each in owing if each.whose == self.whose]
        for each in (*of_one[:-MAX_PENDING_PER_CLIENT], *owing[:-MAX_PENDING]):
            each.give_up()

    def _rest(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _owing(self) -> "list[HeaderTimeoutProtocol]":
        """The connections that owe a head, those that have owed it longest first."""
        found = [each for each in self.connections if isinstance(each, HeaderTimeoutProtocol) and each.gives_up_at]
        return sorted(found, key=lambda each: each.gives_up_at or 0.0)
