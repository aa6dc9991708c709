"""Real `studium` processes, forked from one that has everything imported: a server starts in half a second."""

import atexit
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from subprocess import PIPE
from typing import Any

from tests.real.process import free_port


class ForkServer:
    """Starts `studium` processes, which end with this one."""

    def __init__(self) -> None:
        # Not a script: processes that a job or a reader starts would import it again.
        command = [sys.executable, "-c", "from tests.fork_server import fork_for_each_line; fork_for_each_line()"]
        # The pipe closes however the tests end; that ends it and what it started.
        self._process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True, cwd=Path(__file__).parents[2])
        atexit.register(self._process.communicate)

    def run(self, arguments: list[str], started: Callable[[int], None] = lambda _pid: None) -> int:
        """How the command ends; `started` gets its process id."""
        pid = self._ask(arguments=arguments, environment=dict(os.environ))
        started(pid)
        return int(self._ask(wait=pid))

    @contextmanager
    def running(
        self, arguments: list[str], ready: Callable[[], bool], *, log: Path, environment: dict[str, str]
    ) -> Iterator[None]:
        """A command that runs while the block lasts; the block is entered when it is ready."""
        log.write_bytes(b"")  # what an earlier server printed there would count as this one's
        pid = self._ask(arguments=arguments, environment=environment, folder=str(log.parent), log=str(log))
        ended = False
        try:
            deadline = time.monotonic() + 120
            while not ready():
                ended = self._ask(poll=pid) is not None
                if ended or time.monotonic() > deadline:
                    what = "ended" if ended else "was not ready after two minutes"
                    raise RuntimeError(f"studium {' '.join(arguments)} {what}:\n{log.read_text(errors='replace')}")
                time.sleep(0.02)
            yield
        finally:
            if not ended and self._ask(poll=pid) is None:
                os.killpg(pid, signal.SIGKILL)
                self._ask(wait=pid)

    def _ask(self, **said: object) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(said) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


@cache
def fork_server() -> ForkServer:
    """The fork server of this test worker."""
    return ForkServer()


@dataclass(frozen=True)
class Site:
    """A running `studium serve`: where it answers, where it keeps everything, and where it prints."""

    url: str
    home: Path
    log: Path

    @property
    def printed(self) -> str:
        return self.log.read_text()


@contextmanager
def serving(
    home: Path, *options: str, port: int | None = None, token: str | None = None, **settings: str
) -> Iterator[Site]:
    """A `studium serve` of this home while the block lasts; it has started when it says so."""
    home.mkdir(parents=True, exist_ok=True)
    port = port or free_port()
    site = Site(f"http://127.0.0.1:{port}", home, home.parent / f"serve-{port}.log")
    environment = {**os.environ, "STUDIUM_HOME": str(home), **settings}
    if token is not None:
        environment["STUDIUM_SERVE__TOKEN"] = token
    arguments = ["serve", "--port", str(port), *options]
    with fork_server().running(
        arguments, lambda: "Studium runs at" in site.printed, log=site.log, environment=environment
    ):
        yield site
