"""The server that assistants talk to, whatever carries the talk."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, redirect_stdout
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    ReadResourceRequestParams,
    ReadResourceResult,
)
from pydantic import ValidationError
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from studium import __version__
from studium.core.config import Settings
from studium.core.domain.errors import StudiumError
from studium.core.jobs.service import Service, open_service
from studium.core.llm.prompts import UNTRUSTED_TEXT_NOTICE
from studium.core.telemetry.redaction import redact
from studium.mcp import resources
from studium.mcp.job_tools import CANCEL_TIMEOUT
from studium.mcp.tool import ToolCall
from studium.mcp.tools import allowed_tools, find_tool

log = logging.getLogger(__name__)

Context = ServerRequestContext[Any, Any]

_INSTRUCTIONS = f"""\
Studium turns what a learner reads, hears and configures into study material that has been checked against its source.
What could not be proved waits in an inbox for the person: decide nothing there on your own. Never present what a tool
did not return as Studium's. Files are named by a path under the folders that the person allowed, or as `upload:ID`.
{UNTRUSTED_TEXT_NOTICE}"""


def create_mcp_server(service: Callable[[], Service], under_way: set[str] | None = None) -> Server[Any]:
    """A server over the service that stands when it is asked; `under_way` holds the jobs that it follows."""
    talk = _Talk(service, set() if under_way is None else under_way)
    server = Server[Any](
        "studium",
        version=__version__,
        title="Studium",
        instructions=_INSTRUCTIONS,
        on_list_tools=talk.list_tools,
        on_call_tool=talk.call_tool,
        on_list_resources=talk.list_resources,
        on_list_resource_templates=talk.list_templates,
        on_read_resource=talk.read_resource,
        on_list_prompts=talk.list_prompts,
        on_get_prompt=talk.get_prompt,
    )
    server.middleware.append(_tell_problems)
    return server


@dataclass(frozen=True)
class _Talk:
    """What is answered to each request."""

    service: Callable[[], Service]
    under_way: set[str] = field(default_factory=set)

    async def list_tools(self, _context: Context, _asked: object) -> ListToolsResult:
        offered = allowed_tools(self.service().settings)
        return ListToolsResult(tools=[tool.described() for tool in offered.values()])

    async def call_tool(self, context: Context, asked: CallToolRequestParams) -> CallToolResult:
        service = self.service()
        tool = find_tool(service.settings, asked.name)
        return await tool.call(
            ToolCall(service, context.session.report_progress, self.under_way), asked.arguments or {}
        )

    async def list_resources(self, _context: Context, _asked: object) -> ListResourcesResult:
        return ListResourcesResult(resources=resources.list_resources())

    async def list_templates(self, _context: Context, _asked: object) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(resource_templates=resources.list_templates())

    async def read_resource(self, _context: Context, asked: ReadResourceRequestParams) -> ReadResourceResult:
        return ReadResourceResult(
            contents=[await asyncio.to_thread(resources.read_resource, self.service(), str(asked.uri))]
        )

    async def list_prompts(self, _context: Context, _asked: object) -> ListPromptsResult:
        return ListPromptsResult(prompts=resources.list_prompts())

    async def get_prompt(self, _context: Context, asked: GetPromptRequestParams) -> GetPromptResult:
        return await asyncio.to_thread(resources.render_prompt, self.service(), asked.name, asked.arguments or {})


async def _tell_problems(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Whatever goes wrong is told in our words, and what nobody foresaw without what it may hold."""
    try:
        return await call_next(ctx)
    except (MCPError, ValidationError):  # the protocol's own
        raise
    except StudiumError as error:
        raise MCPError(INVALID_PARAMS, redact(f"{error} {error.remedy}")) from error
    except Exception as error:
        log.exception("request failed", extra={"method": ctx.method})
        raise MCPError(INTERNAL_ERROR, "Something failed that should not; the log says what. Report it.") from error


async def serve_stdio(settings: Settings) -> None:
    """Answer the assistant that started us until it leaves; nothing but the protocol goes to stdout."""
    async with AsyncExitStack() as open_until_then:
        with redirect_stdout(sys.stderr):
            service = await open_until_then.enter_async_context(open_service(settings, go_on=False))
        reading, writing = await open_until_then.enter_async_context(stdio_server())
        under_way: set[str] = set()
        server = create_mcp_server(lambda: service, under_way)
        try:
            await server.run(reading, writing, server.create_initialization_options())
        finally:
            await _let_go(service, under_way)


async def _let_go(service: Service, jobs: set[str]) -> None:
    """Nobody is left who waits for these: they end now, and can be resumed in the app."""
    if jobs:
        ends = (service.jobs.wait(job) for job in jobs)
        await asyncio.wait([asyncio.create_task(end) for end in ends], timeout=CANCEL_TIMEOUT / 2)
    for job in jobs:
        await asyncio.to_thread(service.database.jobs.finish, job, "cancelled")


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
