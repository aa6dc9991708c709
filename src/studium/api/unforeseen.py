"""What nobody foresaw: logged in full, and answered as a problem that tells no secret."""

import logging

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from studium.api.guarding.refusals import Refusal, refuse

log = logging.getLogger(__name__)
_FAILED = Refusal(
    500, "Something failed", "Something failed that should not.", "The server's log says what; report it."
)


class Unforeseen:
    """Stands inside the guard, so that even such an answer carries the guard's headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through; if it fails, say so."""
        begun = False

        async def heard(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] in ("http.response.start", "websocket.accept")
            await send(message)

        try:
            await self._app(scope, receive, heard)
        except ClientDisconnect:
            raise  # nobody is left to be told; the guard lets it rest
        except Exception:
            log.exception("request failed", extra={"path": scope.get("path")})
            if begun or scope["type"] == "lifespan":
                raise
            await refuse(_FAILED, scope, send)
