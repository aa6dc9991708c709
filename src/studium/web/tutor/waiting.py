"""Waiting for devices without holding anybody up: they answer in their own time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

# Beside the threads that the rest of the app waits with, so that slow routers never slow down a page.
_threads = ThreadPoolExecutor(max_workers=8, thread_name_prefix="lab")


async def on_devices(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What comes of work that waits for devices."""
    return await asyncio.get_running_loop().run_in_executor(_threads, lambda: work(*given, **named))
