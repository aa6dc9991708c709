"""Ctrl-C: the first lets what is in flight finish, the second stops at once."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def interruptible() -> Iterator[asyncio.Event]:
    """An event that the first Ctrl-C (or a SIGTERM) sets; the second Ctrl-C cancels the task in this block."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()

    def on_signal() -> None:
        if stop.is_set() and task is not None:
            task.cancel()
        stop.set()

    # Only the main thread can take signals; elsewhere (a server's worker) the run is stopped by its owner.
    taken = []
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(ValueError, RuntimeError, NotImplementedError):
            loop.add_signal_handler(number, on_signal)
            taken.append(number)
    try:
        yield stop
    finally:
        for number in taken:
            loop.remove_signal_handler(number)
