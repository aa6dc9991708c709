"""The guard: what every request passes before anything of ours sees it, and every answer on its way out."""

import re
from collections.abc import Iterable
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send

from studium.api.guarding.addresses import Addresses
from studium.api.guarding.admission import CLOSED, Admission, token_of_link
from studium.api.guarding.bodies import Body, declared_too_long, too_long
from studium.api.guarding.guesses import Guesses, whose
from studium.api.guarding.headers import guarded
from studium.api.guarding.login import PATH, let_in, show_login, take_login
from studium.api.guarding.refusals import refuse

MAX_BODY = 4_000_000
"""No request but an upload is longer, in bytes."""
MAX_UPLOAD = 200_000_000
"""No uploaded file is longer, in bytes."""
PATIENCE = 30.0
"""For so many seconds may a request that was begun stay silent."""

_UPLOADS = re.compile(r"/api/v1/uploads(?:/|$)|/_nicegui/client/[^/]+/upload/")
_FORM_AROUND_A_FILE = 100_000
_LOGIN_FORM = 20_000


class Guard:
    """An ASGI application in front of another: for HTTP and web sockets alike."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        allowed_hosts: Iterable[str] = (),
        token: str | None = None,
        max_body: int = MAX_BODY,
        max_upload: int = MAX_UPLOAD,
        patience: float = PATIENCE,
    ) -> None:
        self._app = app
        self._addresses = Addresses(allowed_hosts)
        self._admission = Admission(token, Guesses()) if token else None
        self._max_body, self._max_upload = max_body, max_upload
        self._patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Turn the request away, or let it through."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        send = guarded(scope, send)
        headers = Headers(scope=scope)
        if refusal := self._addresses.refusal(headers, scope.get("method")):
            await refuse(refusal, scope, send)
        elif scope["type"] == "websocket":
            refusal = self._admission.refusal(headers, whose(scope)) if self._admission else None
            await (refuse(refusal, scope, send) if refusal else self._app(scope, receive, send))
        else:
            await self._bounded(scope, receive, send, headers)

    async def _bounded(self, scope: Scope, receive: Receive, send: Send, headers: Headers) -> None:
        limit = self._limit(scope["path"])
        if declared_too_long(headers, limit):
            await refuse(too_long(limit), scope, send)
            return
        body = Body(scope, receive, send, limit=limit, patience=self._patience)
        with suppress(ClientDisconnect):  # nobody is left to be told
            if self._admission is None:
                await self._app(scope, body.receive, body.send)
            else:
                await self._admitted(self._admission, scope, body, headers)

    async def _admitted(self, admission: Admission, scope: Scope, body: Body, headers: Headers) -> None:
        """Let in whoever shows the token or a session; show people the form, and programs the problem."""
        path = scope["path"]
        if path == PATH and scope["method"] == "POST":
            await take_login(admission, scope, body.receive, body.send)
        elif not path.startswith("/api/") and "text/html" in headers.get("accept", ""):
            await self._admitted_by_page(admission, scope, body, headers)
        elif refusal := admission.refusal(headers, whose(scope)):
            await refuse(refusal, scope, body.send)
        else:
            await self._app(scope, body.receive, body.send)

    async def _admitted_by_page(self, admission: Admission, scope: Scope, body: Body, headers: Headers) -> None:
        token, leads_to = token_of_link(scope)
        told = None
        if token is not None and scope["method"] in ("GET", "HEAD"):
            told = admission.refusal_of_token(token, whose(scope))
            if told is None:
                await let_in(admission, scope, body.send, leads_to)
                return
        refusal = admission.refusal(headers, whose(scope))
        if refusal is None:
            await self._app(scope, body.receive, body.send)
            return
        told = told or (None if refusal is CLOSED else refusal)  # who showed nothing is asked, not refused
        await show_login(scope, body.send, leads_to="/" if scope["path"] == PATH else leads_to, refusal=told)

    def _limit(self, path: str) -> int:
        if self._admission is not None and path == PATH:
            return _LOGIN_FORM
        return self._max_upload + _FORM_AROUND_A_FILE if _UPLOADS.match(path) else self._max_body
