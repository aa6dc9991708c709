"""The guard that checks every request before the app sees it, and adds security headers to every response."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from studium.http.login import (
    LOGIN_PATH,
    TOKEN_REQUIRED,
    LoginThrottle,
    TokenAuth,
    client_key,
    handle_login,
    show_login,
    start_session,
    token_in_link,
)
from studium.http.request_checks import HostPolicy, LimitedBody, body_too_long, declared_too_long, refuse

# NiceGUI builds its pages with inline scripts and evaluates the handlers that Python gives it, so scripts cannot be
# tied down further than to this server; that is why nothing of a document or a model is put into a page unsanitised.
_SOURCES: Mapping[str, str] = {
    "default-src": "'self'",
    "script-src": "'self' 'unsafe-inline' 'unsafe-eval'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "media-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
CONTENT_SECURITY_POLICY = "; ".join(f"{what} {sources}" for what, sources in _SOURCES.items())
"""The content security policy of a page: everything from this server, nothing from elsewhere."""

_SECURITY_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not `no-referrer`: with it browsers say `Origin: null` of our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}


def with_security_headers(scope: Scope, send: Send) -> Send:
    """Wrap `send` to add the security headers; headers that a route set are kept."""
    is_api = scope["path"].startswith("/api/")

    async def with_headers(message: Message) -> None:
        if message["type"].endswith("response.start"):
            headers = MutableHeaders(raw=list(message.get("headers", ())))
            for name, value in _SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            if is_api:
                headers.setdefault("Cache-Control", "no-store")
            # Socket.IO lets every site read its answers; here none may.
            del headers["Access-Control-Allow-Origin"]
            del headers["Access-Control-Allow-Credentials"]
            message = {**message, "headers": headers.raw}
        await send(message)

    return with_headers


MAX_BODY = 4_000_000
"""The maximum size of a request other than an upload, in bytes."""
MAX_UPLOAD = 200_000_000
"""The maximum size of an uploaded file, in bytes."""
READ_TIMEOUT = 30.0
"""How many seconds a request may send nothing before it is dropped."""

_UPLOADS = re.compile(r"/api/v1/uploads(?:/|$)|/_nicegui/client/[^/]+/upload/")
_FORM_AROUND_A_FILE = 100_000
_LOGIN_FORM = 20_000


class Guard:
    """ASGI middleware for HTTP and WebSockets."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        allowed_hosts: Iterable[str] = (),
        token: str | None = None,
        max_body: int = MAX_BODY,
        max_upload: int = MAX_UPLOAD,
        timeout: float = READ_TIMEOUT,
    ) -> None:
        self._app = app
        self._hosts = HostPolicy(allowed_hosts)
        self._auth = TokenAuth(token, LoginThrottle()) if token else None
        self._max_body, self._max_upload = max_body, max_upload
        self._timeout = timeout

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request or pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        send = with_security_headers(scope, send)
        headers = Headers(scope=scope)
        if refusal := self._hosts.refusal(headers, scope.get("method")):
            await refuse(refusal, scope, send)
        elif scope["type"] == "websocket":
            refusal = self._auth.refusal(headers, client_key(scope)) if self._auth else None
            await (refuse(refusal, scope, send) if refusal else self._app(scope, receive, send))
        else:
            await self._bounded(scope, receive, send, headers)

    async def _bounded(self, scope: Scope, receive: Receive, send: Send, headers: Headers) -> None:
        limit = self._limit(scope["path"])
        if declared_too_long(headers, limit):
            await refuse(body_too_long(limit), scope, send)
            return
        body = LimitedBody(scope, receive, send, limit=limit, timeout=self._timeout)
        with suppress(ClientDisconnect):  # the client is gone
            if self._auth is None:
                await self._app(scope, body.receive, body.send)
            else:
                await self._admitted(self._auth, scope, body, headers)

    async def _admitted(self, auth: TokenAuth, scope: Scope, body: LimitedBody, headers: Headers) -> None:
        """Accept the token or a session; otherwise show people the login form and programs the problem."""
        path = scope["path"]
        if path == LOGIN_PATH and scope["method"] == "POST":
            await handle_login(auth, scope, body.receive, body.send)
        elif not path.startswith("/api/") and "text/html" in headers.get("accept", ""):
            await self._admitted_by_page(auth, scope, body, headers)
        elif refusal := auth.refusal(headers, client_key(scope)):
            await refuse(refusal, scope, body.send)
        else:
            await self._app(scope, body.receive, body.send)

    async def _admitted_by_page(self, auth: TokenAuth, scope: Scope, body: LimitedBody, headers: Headers) -> None:
        token, next_path = token_in_link(scope)
        refused = None
        if token is not None and scope["method"] in ("GET", "HEAD"):
            refused = auth.refusal_of_token(token, client_key(scope))
            if refused is None:
                await start_session(auth, scope, body.send, next_path)
                return
        refusal = auth.refusal(headers, client_key(scope))
        if refusal is None:
            await self._app(scope, body.receive, body.send)
            return
        # A client that sent no token is only asked for one.
        refused = refused or (None if refusal is TOKEN_REQUIRED else refusal)
        await show_login(scope, body.send, next_path="/" if scope["path"] == LOGIN_PATH else next_path, refusal=refused)

    def _limit(self, path: str) -> int:
        if self._auth is not None and path == LOGIN_PATH:
            return _LOGIN_FORM
        return self._max_upload + _FORM_AROUND_A_FILE if _UPLOADS.match(path) else self._max_body
