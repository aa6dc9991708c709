"""The WebSocket protocol of the server, with refusals that are complete responses."""

from typing import TYPE_CHECKING

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent


class RefusableWebSocketProtocol(WebSocketsSansIOProtocol):
    """Uvicorn would log a handshake that was refused with a response as an app that returned without answering."""

    async def send(self, message: "ASGISendEvent") -> None:
        """Send a message; the last part of a refusal ends the handshake."""
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True
