"""Kills a running `studium` at the wire: a model server that kills its client after a number of requests."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import PIPE
from typing import Self

import pytest

from studium.testing import Reply, WireRequest


class Killer:
    """Answers as the given model does, and kills the client after so many requests."""

    def __init__(self, answer: Callable[[WireRequest], Reply]) -> None:
        self.requests = 0
        self._answer = answer
        self._victim, self._deadline = 0, 0
        self._lock = threading.Lock()

    def kill(self, pid: int, after: int) -> None:
        with self._lock:
            self._victim, self._deadline = pid, self.requests + after

    def spare(self) -> None:
        self._victim = 0

    def __call__(self, request: WireRequest) -> Reply:
        with self._lock:
            self.requests += 1
            if self._victim and self.requests >= self._deadline:
                os.kill(self._victim, signal.SIGKILL)
                self._victim = 0
        return self._answer(request)


class ForkServer:
    """Starts `studium` processes that have everything imported already."""

    def __init__(self) -> None:
        command = [sys.executable, str(Path(__file__).with_name("fork_server.py"))]
        self._process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True)

    def run(self, arguments: list[str], started: Callable[[int], None]) -> int:
        self._say(json.dumps(arguments))
        started(int(self._hear()))
        return int(self._hear())

    def _say(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _hear(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


@pytest.fixture(scope="session")
def fork_server() -> Iterator[ForkServer]:
    """One for all the tests that kill; `xdist_group` brings them to one worker."""
    with ForkServer() as started:
        yield started
