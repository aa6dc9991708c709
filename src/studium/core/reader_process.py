"""Reads what strangers wrote in processes with limits, so that no file can stop or fill the process that serves.

    read_apart(read_pdf, path, what="paper.pdf")

A file that passes a limit, or that crashes its reader, raises `LimitPassed`; the process is replaced.
"""

import atexit
import os
import pickle
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial, wraps
from multiprocessing.connection import Connection
from typing import Any, Literal, ParamSpec, Protocol, TypeVar

from studium.core.domain.errors import LimitPassed, ServiceDown
from studium.core.fork_server import die_with_parent, die_with_server, fork_process, lasting_thread
from studium.core.process_limits import MB, ReadLimits, call_within, memory

P = ParamSpec("P")
Result = TypeVar("Result")
Failure = Literal["cpu", "memory", "output", "depth", "time", "crash"]

_QUEUE_SECONDS = 60.0
_GRACE = 0.2  # seconds for a process to end on its own: how it ends says why
_STDERR = 2
_NO_MEMORY = (signal.SIGABRT, signal.SIGTRAP, signal.SIGILL, signal.SIGBUS)
_NO_ROOM_FOR_THREAD = 127
"""How C libraries end when they get no memory: by a signal, and the C runtime itself with this exit status."""


class _Process(Protocol):
    """A process of the pool: its end of the pipe, and how it is killed."""

    pipe: Connection

    def kill(self) -> int:
        """Kill it and return its exit code, which is negative for a signal."""
        ...

    def stop(self) -> None:
        """Kill it while another thread waits for its answer, and leave the rest to that thread."""
        ...


class ReaderPool:
    """Up to `size` reader processes, started when they are needed; calls beyond that wait."""

    def __init__(self, limits: ReadLimits, size: int, start: Callable[[], _Process]) -> None:
        self.limits, self._start = limits, start
        self._free = threading.Semaphore(size)
        self._idle: list[_Process] = []
        self._busy: set[_Process] = set()
        self._lock = threading.Lock()
        self._is_closed = False

    def warm(self) -> None:
        """Start a process, so that the first call need not wait for it."""
        with suppress(RuntimeError, OSError):  # the interpreter is ending already, or the system has no room
            self._keep(self._start())

    def run(self, function: Callable[..., Result], *args: Any, what: str, times: int = 1) -> Result:
        """Call a module-level function in a reader process; `what` names the file in the message if it fails.

        It may take `times` as much CPU and memory as usual.
        """
        limits = self.limits.times(times)
        task = pickle.dumps((limits, function, args))
        with self._process(what) as process:
            result: Result = _call(process, task, limits, what)
            return result

    def close(self) -> None:
        """Kill all processes."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
            busy = list(self._busy)
        for process in busy:
            process.stop()
        for process in idle:
            process.kill()

    def _keep(self, process: _Process) -> None:
        with self._lock:
            self._busy.discard(process)
            if is_kept := not (self._is_closed or process.pipe.closed):
                self._idle.append(process)
        if not is_kept:
            process.kill()

    @contextmanager
    def _process(self, what: str) -> Iterator[_Process]:
        if not self._free.acquire(timeout=_QUEUE_SECONDS):
            raise ServiceDown(f"{what} was not read: other files are being read.", remedy="Try again in a minute.")
        try:
            process = self._next_idle() or self._start()
            with self._lock:
                self._busy.add(process)
            try:
                yield process
            finally:
                self._keep(process)
        finally:
            self._free.release()

    def _next_idle(self) -> _Process | None:
        """An idle process; one that has died meanwhile is dropped."""
        while True:
            with self._lock:
                process = self._idle.pop() if self._idle else None
            if process is None or not process.pipe.poll():
                return process
            process.kill()


def _call(process: _Process, task: bytes, limits: ReadLimits, what: str) -> Any:
    """Send a task and return the result; a process that gives none, or its last one, is killed."""
    is_last = True
    try:
        process.pipe.send_bytes(task)
        if not process.pipe.poll(limits.seconds):
            raise _limit_passed("time", what, limits)
        is_last, outcome, value = pickle.loads(process.pipe.recv_bytes(limits.output + MB))  # noqa: S301 - our own process
    except (EOFError, OSError) as error:
        raise _limit_passed(_cause_of_death(process.kill()), what, limits) from error
    finally:
        if is_last:
            process.kill()
    if outcome == "done":
        return value
    if outcome == "raised":
        raise value
    raise _limit_passed(outcome, what, limits)


def _cause_of_death(exit_code: int) -> Failure:
    if exit_code == -signal.SIGXCPU:
        return "cpu"
    return "memory" if -exit_code in _NO_MEMORY or exit_code == _NO_ROOM_FOR_THREAD else "crash"


def _limit_passed(limit: Failure, what: str, limits: ReadLimits) -> LimitPassed:
    message, remedy = {
        "cpu": (f"needs more than {limits.cpu_seconds} s of CPU to be read.", _raise("cpu_seconds")),
        "memory": (f"needs more than {limits.memory // MB} MB of memory to be read.", _raise("memory")),
        "output": (f"contains more than {limits.output // MB} MB.", _raise("output")),
        "time": (
            f"was not read within {limits.seconds} s.",
            "Try again when the computer is less busy.",
        ),
        "depth": ("is nested too deeply to be read.", "Simplify it, or leave it out."),
        "crash": ("crashes its reader.", "It may be damaged: export or download it again, or leave it out."),
    }[limit]
    return LimitPassed(f"{what} {message}", remedy=remedy, limit=limit)


def _raise(setting: str) -> str:
    return f"Split or simplify it, or raise `limits.{setting}`."


# --- the process that reads

_is_reader = False


def is_reader() -> bool:
    """Whether this process is a reader, within limits already."""
    return _is_reader


def serve_reads(pipe: Connection) -> None:
    """Answer calls until the other end of the pipe closes; the main loop of a reader process."""
    global _is_reader  # noqa: PLW0603 - a property of the process
    _is_reader = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C at the server's terminal is for the server
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    start = memory()
    with suppress(EOFError, OSError):
        while True:
            limits, function, args = pickle.loads(pipe.recv_bytes())  # noqa: S301 - from the process that started this
            outcome, value = call_within(limits, function, args)
            # What a reader has loaded (OCR, a dictionary) is kept, but memory that was not given back ends it.
            is_last = outcome == "memory" or memory() > start + limits.memory
            pipe.send_bytes(_as_reply(is_last, outcome, value, limits))
    os._exit(0)


def _as_reply(is_last: bool, outcome: str, value: Any, limits: ReadLimits) -> bytes:
    try:
        reply = pickle.dumps((is_last, outcome, value))
        if outcome == "raised":
            pickle.loads(reply)  # noqa: S301 - some exceptions can be pickled, but not unpickled
    except MemoryError:
        return pickle.dumps((True, "memory", None))
    except RecursionError:
        return pickle.dumps((is_last, "depth", None))
    except Exception:  # noqa: BLE001 - whatever cannot be sent is told in words
        told = RuntimeError(f"{type(value).__name__}: {value}")
        return pickle.dumps((is_last, "raised", told))
    return reply if len(reply) <= limits.output else pickle.dumps((is_last, "output", None))


# --- starting processes


@dataclass(eq=False)
class _Forked:
    """A process forked from the one that has everything loaded: ready in some milliseconds."""

    pipe: Connection
    process: Any

    def kill(self) -> int:
        self.pipe.close()
        # Starting a process collects the exit codes of others: on the same thread, none is collected twice.
        return lasting_thread().submit(self._end).result()

    def stop(self) -> None:
        self.process.kill()

    def _end(self) -> int:
        self.process.join(_GRACE)
        self.process.kill()
        self.process.join()
        return int(self.process.exitcode or 0)


def _fork_reader() -> _Forked:
    ours, theirs = _pipe()
    with theirs:
        return _Forked(ours, fork_process(_serve_forked, theirs))


def _serve_forked(pipe: Connection) -> None:
    die_with_server(pipe)
    serve_reads(pipe)


@dataclass(eq=False)
class _Spawned:
    """A process that loads what it needs: for a command or a job, which has no fork server."""

    pipe: Connection
    process: "subprocess.Popen[Any]"

    def kill(self) -> int:
        self.pipe.close()
        with suppress(subprocess.TimeoutExpired):
            return self.process.wait(_GRACE)
        self.process.kill()
        return self.process.wait()

    def stop(self) -> None:
        self.process.kill()


_SPAWNED = "from studium.core.reader_process import _serve_spawned; _serve_spawned()"


def _spawn_reader() -> _Spawned:
    ours, theirs = _pipe()
    command = [sys.executable, "-P", "-c", _SPAWNED, str(theirs.fileno()), str(os.getpid())]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    # Standard output belongs to the command, or to the protocol of an assistant.
    streams = {"stdin": subprocess.DEVNULL, "stdout": _STDERR}
    start = partial(subprocess.Popen, command, pass_fds=[theirs.fileno()], env=environment, **streams)
    with theirs:
        return _Spawned(ours, lasting_thread().submit(start).result())


def _serve_spawned() -> None:
    descriptor, parent = map(int, sys.argv[1:])
    die_with_parent(parent)
    serve_reads(Connection(descriptor))


def _pipe() -> tuple[Connection, Connection]:
    ours, theirs = socket.socketpair()
    return Connection(ours.detach()), Connection(theirs.detach())


# --- the readers of this process

_limits = ReadLimits()
_pool: ReaderPool | None = None
_pool_lock = threading.Lock()
_is_server = False


def read_apart(function: Callable[..., Result], *args: Any, what: str, times: int = 1) -> Result:
    """Call a function that reads a stranger's bytes within the limits; in a reader process, simply call it."""
    if _is_reader:
        return function(*args)
    return _readers().run(function, *args, what=what, times=times)


def outside_server(what: Callable[..., str], *, times: int = 1) -> Callable[[Callable[P, Result]], Callable[P, Result]]:
    """Decorate a module-level function that reads a stranger's bytes: a server has it run in a reader process.

    `what` names the file or text in a message, from the same arguments. A command and a job have a process of their
    own, and run the function in that.
    """

    def decorate(function: Callable[P, Result]) -> Callable[P, Result]:
        @wraps(function)
        def call(*args: P.args, **named: P.kwargs) -> Result:
            if _is_server and not _is_reader:
                return read_apart(partial(call, *args, **named), what=what(*args, **named), times=times)
            return function(*args, **named)

        return call

    return decorate


def is_server() -> bool:
    """Whether this process serves, and therefore parses nothing of a stranger's itself."""
    return _is_server and not _is_reader


def use_limits(limits: ReadLimits) -> None:
    """Let this process read within these limits from now on."""
    global _limits  # noqa: PLW0603 - one for the process
    _limits = limits
    if _pool is not None:
        _pool.limits = limits


def _readers() -> ReaderPool:
    global _pool  # noqa: PLW0603 - likewise
    with _pool_lock:
        if _pool is None:
            _pool = ReaderPool(_limits, 1, _spawn_reader)
            atexit.register(_pool.close)
        return _pool


@contextmanager
def serving_readers(limits: ReadLimits, size: int, *, forked: bool) -> Iterator[ReaderPool]:
    """The readers of a server, for as long as the block lasts; `forked` ones have everything loaded."""
    global _pool, _is_server  # noqa: PLW0603 - likewise
    pool = _pool = ReaderPool(limits, size, _fork_reader if forked else _spawn_reader)
    _is_server = True
    if forked:
        threading.Thread(target=pool.warm, daemon=True).start()
    try:
        yield pool
    finally:
        if _pool is pool:
            _pool, _is_server = None, False
        pool.close()
