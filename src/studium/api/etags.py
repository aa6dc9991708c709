"""ETags: whoever asks again for what has not changed is told so, instead of being sent it again."""

from hashlib import blake2b

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LARGEST = 8_000_000


class ETags:
    """Gives every JSON answer to a GET under `/api/` a tag, and answers 304 where the asker holds that tag."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through, and tag the answer."""
        if scope["type"] == "http" and scope["method"] == "GET" and scope["path"].startswith("/api/"):
            send = _Tagging(send, Headers(scope=scope).get("if-none-match", "")).send
        await self._app(scope, receive, send)


class _Tagging:
    """Holds an answer back until it is whole."""

    def __init__(self, send: Send, held_by_asker: str) -> None:
        self._send, self._asked = send, {tag.strip() for tag in held_by_asker.split(",")}
        self._start: Message | None = None
        self._body = bytearray()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_taggable(message):
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if len(self._body) > _LARGEST or not message.get("more_body", False):
                await self._finish(more=bool(message.get("more_body", False)))

    async def _finish(self, *, more: bool) -> None:
        start, self._start = self._start, None
        assert start is not None  # noqa: S101 - only what was held back is finished
        if not more:
            tag = f'"{blake2b(self._body, digest_size=12).hexdigest()}"'
            headers = MutableHeaders(raw=start["headers"])
            headers["ETag"] = tag
            headers["Cache-Control"] = "private, no-cache"
            if self._asked & {tag, f"W/{tag}", "*"}:
                start["status"] = 304
                del headers["content-length"]
                self._body.clear()
        await self._send(start)
        await self._send({"type": "http.response.body", "body": bytes(self._body), "more_body": more})


def _is_taggable(start: Message) -> bool:
    kind = Headers(raw=start["headers"]).get("content-type", "")
    return start["status"] == 200 and kind.startswith("application/json")  # noqa: PLR2004 - OK
