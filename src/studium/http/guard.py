"""The guard that checks every request before the app sees it, and adds security headers to every response."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from studium.http.login import (
    LOGIN_PATH,
    LOGOUT_PATH,
    TOKEN_REQUIRED,
    LoginThrottle,
    TokenAuth,
    client_key,
    handle_login,
    handle_logout,
    show_login,
    show_login_page,
    start_session,
    token_in_link,
)
from studium.http.request_checks import HostPolicy, LimitedBody, body_too_long, declared_too_long, refuse
from studium.http.sessions import Sessions, SessionWatch

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
LOGGED_IN = "studium.logged_in"
"""The key of a scope that says that a person is logged in, and can log out."""
READ_TIMEOUT = 30.0
"""How many seconds a request may send nothing before it is dropped."""

_UPLOADS = re.compile(r"/api/v1/uploads(?:/|$)|/_nicegui/client/[^/]+/upload/")
_FORM_AROUND_A_FILE = 100_000
_LOGIN_FORM = 20_000


class Guard:
    """ASGI middleware for HTTP and WebSockets."""

    def __init__(  # noqa: PLR0913 - each is an option of its own
        self,
        app: ASGIApp,
        *,
        allowed_hosts: Iterable[str] = (),
        token: str | None = None,
        sessions: Sessions | None = None,
        max_body: int = MAX_BODY,
        max_upload: int = MAX_UPLOAD,
        timeout: float = READ_TIMEOUT,
    ) -> None:
        self._app = app
        self._hosts = HostPolicy(allowed_hosts)
        self._auth = TokenAuth(token, LoginThrottle(), sessions) if token else None
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
            await (self._pass_on(self._auth, scope, receive, send) if self._auth else self._app(scope, receive, send))
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
        """Handle log-in and log-out, and accept the token or a session for everything else."""
        path, method = scope["path"], scope["method"]
        is_page = not path.startswith("/api/") and "text/html" in headers.get("accept", "")
        if path == LOGIN_PATH and method == "POST":
            await handle_login(auth, scope, body.receive, body.send)
        elif path == LOGOUT_PATH and method == "POST":
            await handle_logout(auth, scope, headers, body.send)
        elif path == LOGIN_PATH and method in ("GET", "HEAD") and is_page:
            await show_login_page(auth, scope, headers, body.send)
        elif is_page:
            await self._admitted_by_page(auth, scope, body, headers)
        else:
            await self._pass_on(auth, scope, body.receive, body.send)

    async def _admitted_by_page(self, auth: TokenAuth, scope: Scope, body: LimitedBody, headers: Headers) -> None:
        """Accept a link with the token too, and show the form to people who are not logged in."""
        token, next_path = token_in_link(scope)
        refused = None
        if token is not None and scope["method"] in ("GET", "HEAD"):
            refused = auth.refusal_of_token(token, client_key(scope))
            if refused is None:
                await start_session(auth, scope, body.send, next_path)
                return
        refusal = auth.refusal(headers, client_key(scope))
        if refusal is None:
            await self._pass_on(auth, scope, body.receive, body.send)
            return
        # A client that sent no token is only asked for one.
        refused = refused or (None if refusal is TOKEN_REQUIRED else refusal)
        await show_login(scope, body.send, next_path=next_path, refusal=refused)

    async def _pass_on(self, auth: TokenAuth, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on if it has a session, for as long as that is valid, or the token; else refuse it."""
        headers, client = Headers(scope=scope), client_key(scope)
        if session := auth.session(headers, client):
            watch = SessionWatch(scope, receive, send, partial(auth.is_valid, session))
            await self._app({**scope, LOGGED_IN: True}, watch.receive, watch.send)
        elif refusal := auth.refusal(headers, client):
            await refuse(refusal, scope, send)
        else:
            await self._app(scope, receive, send)

    def _limit(self, path: str) -> int:
        if self._auth is not None and path in (LOGIN_PATH, LOGOUT_PATH):
            return _LOGIN_FORM
        return self._max_upload + _FORM_AROUND_A_FILE if _UPLOADS.match(path) else self._max_body
