"""A talk with one assistant over standard input and output."""

import asyncio
import sys
from contextlib import AsyncExitStack, redirect_stdout

from mcp.server.stdio import stdio_server

from studium.app.service import Service, open_service
from studium.assistant.ordering import LETTING_GO
from studium.assistant.server import create_assistant
from studium.core.config import Settings


async def talk_over_stdio(settings: Settings) -> None:
    """Answer the assistant that started us until it leaves; nothing but the protocol goes to stdout."""
    async with AsyncExitStack() as open_until_then:
        with redirect_stdout(sys.stderr):
            service = await open_until_then.enter_async_context(open_service(settings, go_on=False))
        reading, writing = await open_until_then.enter_async_context(stdio_server())
        under_way: set[str] = set()
        server = create_assistant(lambda: service, under_way)
        try:
            await server.run(reading, writing, server.create_initialization_options())
        finally:
            await _let_go(service, under_way)


async def _let_go(service: Service, orders: set[str]) -> None:
    """Nobody is left who waits for these: they end now, and can be resumed in the app."""
    if orders:
        ends = (service.workshop.finished(order) for order in orders)
        await asyncio.wait([asyncio.create_task(end) for end in ends], timeout=LETTING_GO / 2)
    for order in orders:
        await asyncio.to_thread(service.ledger.jobs.finish, order, "cancelled")
