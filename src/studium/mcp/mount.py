"""Lets assistants talk to the app that serves pages and the HTTP interface, at `/mcp`."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from studium.mcp.server import create_mcp_server

PATH = "/mcp"

_MOST_TALKS = 100


def mount_mcp(app: FastAPI) -> None:
    """Talk at `/mcp` while the app runs, behind its guard; the app sets `state.service` when it starts."""
    # First, so that the pages, which take every address that is left, do not take this one.
    app.router.routes.insert(0, Route(PATH, _Door(app), include_in_schema=False))
    before = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(started: FastAPI) -> AsyncIterator[Mapping[str, Any]]:
        async with before(started) as state:
            server = create_mcp_server(lambda: app.state.service)
            app.state.talks = StreamableHTTPSessionManager(server, max_sessions=_MOST_TALKS)
            async with app.state.talks.run():
                yield state or {}

    app.router.lifespan_context = lifespan


class _Door:
    """Where requests come in."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app.state.talks.handle_request(scope, receive, send)
