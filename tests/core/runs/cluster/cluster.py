"""A Dask cluster of separate processes on loopback: a scheduler, and workers that can be killed."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from tests.real.process import free_port, running

ROOT = Path(__file__).parents[4]


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


def _started(program: str, pid: Path, *options: str, **environment: str) -> AbstractContextManager[None]:
    command = [sys.executable, "-m", "dask", program, *options]
    command += ["--host", "127.0.0.1", "--no-dashboard", "--pid-file", str(pid)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]), **environment}
    return running(command, lambda: True, log=pid.with_suffix(".log"), env=environment)


def _wait_for(words: str, log: Path, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while words not in log.read_text():
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)
