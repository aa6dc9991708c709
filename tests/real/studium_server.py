"""A real `studium serve`, whatever it is given to listen on and to ask for."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.real.process import free_port, running


@dataclass(frozen=True)
class Served:
    """A running `studium serve`, and what it printed."""

    url: str
    log: Path

    @property
    def printed(self) -> str:
        return self.log.read_text()


@contextmanager
def serving(home: Path, *options: str, token: str | None = None) -> Iterator[Served]:
    """A `studium serve` of this home while the block lasts; it has started when it says so."""
    port = free_port()
    url, log = f"http://127.0.0.1:{port}", home.parent / f"serve-{port}.log"
    command = [sys.executable, "-m", "studium", "serve", "--port", str(port), *options]
    environment = {**os.environ, "STUDIUM_HOME": str(home)}
    if token is not None:
        environment["STUDIUM_SERVE__TOKEN"] = token
    with running(command, lambda: "Studium runs at" in log.read_text(), log=log, env=environment, seconds=120):
        yield Served(url, log)
