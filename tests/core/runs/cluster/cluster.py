"""A Dask cluster of separate processes on loopback: a scheduler, and workers that can be killed."""

import atexit
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

from tests.real.process import free_port

ROOT = Path(__file__).parents[4]
_PYTHONPATH = os.pathsep.join([str(ROOT / "src"), str(ROOT)])


@contextmanager
def scheduler(folder: Path, **environment: str) -> Iterator[str]:
    """The address of a scheduler that is about to listen."""
    address = f"tcp://127.0.0.1:{free_port()}"
    with _started("scheduler", folder / "scheduler", "--port", address.rpartition(":")[2], **environment):
        yield address


@contextmanager
def workers(address: str, folder: Path, count: int = 2, **environment: str) -> Iterator[list[Path]]:
    """So many workers of that scheduler, started together; each file holds the id of one's process."""
    pids = [folder / f"worker-{number}" for number in range(count)]
    with ExitStack() as stack:
        for pid in pids:
            options = [address, "--nthreads", "1", "--no-nanny", "--local-directory", str(folder)]
            stack.enter_context(_started("worker", pid, *options, **environment))
        for pid in pids:
            _wait_for("Registered to", pid.with_suffix(".log"))
        yield pids


def kill(pid: Path) -> None:
    """End a process as the kernel does when there is no memory left."""
    os.kill(int(pid.read_text()), signal.SIGKILL)


@contextmanager
def _started(program: str, pid: Path, *options: str, **environment: str) -> Iterator[None]:
    wanted = {
        "program": program,
        "options": [*options, "--host", "127.0.0.1", "--no-dashboard", "--pid-file", str(pid)],
        "environment": {**os.environ, "PYTHONPATH": _PYTHONPATH, **environment},
        "log": str(pid.with_suffix(".log")),
    }
    pid.with_suffix(".log").touch()
    forked = _fork_server()
    assert forked.stdin
    assert forked.stdout
    forked.stdin.write(json.dumps(wanted) + "\n")
    forked.stdin.flush()
    number = int(forked.stdout.readline())
    try:
        yield
    finally:
        os.kill(number, signal.SIGKILL)  # the fork server does not wait for it, so the number is still its own


@cache
def _fork_server() -> subprocess.Popen[str]:
    """The process that has Dask and Studium imported; it ends with ours."""
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("dask_fork_server.py"))],
        env={**os.environ, "PYTHONPATH": _PYTHONPATH},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(process.communicate)
    return process


def _wait_for(words: str, log: Path, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while words not in log.read_text():
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)
