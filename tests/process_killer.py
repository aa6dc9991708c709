"""Kills a running `studium` at the wire: a model server that kills its client after a number of requests."""

import os
import signal
import threading
from collections.abc import Callable

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
