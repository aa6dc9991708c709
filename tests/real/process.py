"""A real server for the length of a block: started, waited for, and gone afterwards, however the tests end."""

import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

PARTS = Path(__file__).parents[2] / ".parts"

# The shell holds the server in a process group that dies with whichever ends first: the server, or our end of the pipe.
_LIFELINE = ["sh", "-c", '{ "$@" </dev/null; kill -KILL 0; } & cat >/dev/null; kill -KILL 0', "sh"]


@contextmanager
def running(
    command: Sequence[str], ready: Callable[[], bool], *, log: Path, env: Mapping[str, str], seconds: float = 120
) -> Iterator[None]:
    """Run a server while the block lasts; enter the block when it is ready."""
    with (
        log.open("wb") as output,
        subprocess.Popen(
            [*_LIFELINE, *command],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            env=env,
            cwd=log.parent,
            start_new_session=True,
        ) as process,
    ):
        try:
            _wait(process, ready, seconds, log)
            yield
        finally:
            process.communicate()


def answers(url: str) -> bool:
    """Whether a server answers at this address."""
    try:
        return httpx.get(url, timeout=5).is_success
    except httpx.TransportError:
        return False


def free_port() -> int:
    """A loopback port that nobody uses."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _wait(process: subprocess.Popen[bytes], ready: Callable[[], bool], seconds: float, log: Path) -> None:
    deadline = time.monotonic() + seconds
    while not ready():
        ended = process.poll() is not None
        if ended or time.monotonic() > deadline:
            what = "ended" if ended else f"was not ready after {seconds:.0f} s"
            raise RuntimeError(f"{process.args[4]} {what}:\n{log.read_text(errors='replace')[-2000:]}")
        time.sleep(0.1)
