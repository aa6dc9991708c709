"""The protocols of the server: HTTP with limits on the headers of a request, and WebSockets.

Middleware would see the headers too late. Uvicorn's faster protocol reads headers of any size into memory, and adds
trailers to headers that were already checked. This one, on h11, does neither: headers have at most 64 KB, and trailers
are ignored.

The number of connections is limited, and silent ones cost an attacker nothing. So when too many wait for headers, those
that have waited longest are closed: a real client, or a proxy, sends its headers at once.
"""

from typing import TYPE_CHECKING

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent
import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from studium.http.login import client_key

HEADER_TIMEOUT = 30.0
"""How many seconds the headers of a request may take."""
MAX_PENDING_PER_CLIENT = 100
"""How many connections of one address may wait for headers; behind a proxy all share one."""
MAX_PENDING = 250
"""How many of all addresses together."""


class HeaderTimeoutProtocol(H11Protocol):
    """A connection that is closed if its request headers do not arrive in time."""

    timeout = HEADER_TIMEOUT
    client_id = ""
    _timer: asyncio.TimerHandle | None = None

    @property
    def deadline(self) -> float | None:
        """When to stop waiting for headers; None if none are expected."""
        return self._timer.when() if self._timer else None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Start waiting for the first headers."""
        super().connection_made(transport)
        self.client_id = client_key({"client": self.client})
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        """Keep waiting while headers are incomplete; between requests uvicorn has its own timeout."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_timer()
        elif self._timer is None:
            self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_timer()
        super().connection_lost(exc)

    def close_if_pending(self) -> None:
        """Close the connection if its headers are still incomplete."""
        self._stop_timer()
        # A web socket has a protocol of its own by now, and may stay.
        if self.conn.their_state is h11.IDLE and self.transport.get_protocol() is self:
            self.transport.close()

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(self.timeout, self.close_if_pending)
        pending = self._pending()
        of_client = [each for each in pending if each.client_id == self.client_id]
        for each in (*of_client[:-MAX_PENDING_PER_CLIENT], *pending[:-MAX_PENDING]):
            each.close_if_pending()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _pending(self) -> "list[HeaderTimeoutProtocol]":
        """The connections that wait for headers, the longest waiting first."""
        found = [each for each in self.connections if isinstance(each, HeaderTimeoutProtocol) and each.deadline]
        return sorted(found, key=lambda each: each.deadline or 0.0)


class RefusableWebSocketProtocol(WebSocketsSansIOProtocol):
    """Refuses a handshake with a complete response; Uvicorn would log it as an app that returned without answering."""

    async def send(self, message: "ASGISendEvent") -> None:
        """Send a message; the last part of a refusal ends the handshake."""
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True
