"""Processes that are forked from one that has everything loaded, and that die when this one does."""

import ctypes
import multiprocessing
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, ForkServerProcess
from typing import Any

_PRELOAD = ["studium.core.fork_server_start", "studium.core.jobs.worker", "studium.app.preload"]
_PR_SET_PDEATHSIG = 1
_HEARTBEAT = 2.0  # seconds between two looks at the pipe to the server
_SILENCE = 60  # seconds without a heartbeat after which a process ends, where the system does not end it itself


def fork_process(target: Callable[..., None], *args: Any) -> ForkServerProcess:
    """Start a process that runs `target`, which calls `die_with_server` first."""
    return lasting_thread().submit(_fork, target, args).result()


def _fork(target: Callable[..., None], args: tuple[Any, ...]) -> ForkServerProcess:
    context = _context()
    process = context.Process(target=target, args=args, daemon=True)
    process.start()
    return process


@cache
def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOAD)
    return context


@cache
def lasting_thread() -> ThreadPoolExecutor:
    """The thread that starts processes: Linux ends a child with the *thread* that started it."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="process-starter")


def die_with_parent(parent: int | None = None) -> None:
    """Let the system kill this process when the one that started it dies, even during a long C call (Linux only).

    `parent` is the process that started it; if it is dead already, this one ends now.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if parent is not None and os.getppid() != parent:
            os._exit(1)


def die_with_server(pipe: Connection) -> None:
    """Die when the server does, which holds the other end of the pipe; for a process that the fork server made."""
    started = sys.modules.get("studium.core.fork_server_start")
    die_with_parent(getattr(started, "PID", None))
    threading.Thread(target=_watch, args=(pipe.fileno(),), daemon=True).start()


def _watch(descriptor: int) -> None:
    """Exit when the server's end of the pipe closes.

    While a C call holds the interpreter, this thread cannot run. Linux kills the process all the same; elsewhere a
    timer does, which only this thread puts off.
    """
    closed = select.poll()
    closed.register(descriptor, select.POLLHUP)
    while not closed.poll(_HEARTBEAT * 1000):
        if sys.platform != "linux":
            signal.setitimer(signal.ITIMER_REAL, _SILENCE)
    os._exit(1)
