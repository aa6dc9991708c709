"""Runs the cases of a format, counts them, and shrinks the first that fails.

A case passes if reading it gives a result, a Finding or a StudiumError, within 5 s of processor time and 500 MB.
"""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Self

from hypothesis import HealthCheck, Phase, given, seed, settings
from tests.fuzz.case_worker import MAX_CPU, MAX_MEMORY
from tests.fuzz.formats import Format
from tests.fuzz.pieces import Case

_ROOT = Path(__file__).parents[2]
_ANSWER_WITHIN = 120
_END_WITHIN = 10
_SHRINK_FOR = 60
_SHOWN = 600


class FuzzFault(AssertionError):
    """Reading an input ended otherwise than it may."""


@cache
def _kind_of_fault(_name: str) -> type[FuzzFault]:
    """A type of its own for each kind of fault: then each is shrunk and shown."""
    return type("FuzzFault", (FuzzFault,), {})


@dataclass
class CaseRunner:
    """A process that reads cases of these formats."""

    formats: Sequence[str]
    folder: Path
    _process: "subprocess.Popen[bytes] | None" = None
    _waiting: bytearray = field(default_factory=bytearray)

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def outcome(self, form: str, case: Case) -> dict[str, Any]:
        """How reading a case ended: `fault` (None if it passed), `cpu`, `seconds` and `memory`."""
        name, data = case
        process = self._running()
        assert process.stdin
        process.stdin.write(json.dumps([form, name, len(data)]).encode() + b"\n" + data)
        process.stdin.flush()
        reply = self._reply(process)
        if reply is None:
            self._stop()
            return {"fault": f"no answer in {_ANSWER_WITHIN} s", "cpu": 0.0, "seconds": 0.0, "memory": 0}
        if reply["fault"] is None and reply["cpu"] > MAX_CPU:
            reply["fault"] = f"too slow: {reply['cpu']:.1f} s of processor time"
        if reply["fault"] is None and reply["memory"] > MAX_MEMORY:
            reply["fault"] = f"too large: {reply['memory'] / 1e6:.0f} MB of memory"
        return reply

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._process is None:
            home = {"STUDIUM_HOME": str(self.folder / "home"), "OMP_NUM_THREADS": "1"}
            with (self.folder / "stderr.txt").open("ab") as told:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "tests.fuzz.case_worker", str(self.folder), *self.formats],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=told,
                    cwd=_ROOT,
                    env=os.environ | home,
                )
        return self._process

    def _reply(self, process: "subprocess.Popen[bytes]") -> dict[str, Any] | None:
        assert process.stdout
        until = time.monotonic() + _ANSWER_WITHIN
        while b"\n" not in self._waiting:
            ready = select.select([process.stdout], [], [], max(0, until - time.monotonic()))[0]
            more = os.read(process.stdout.fileno(), 1 << 16) if ready else b""
            if ready and not more:
                raise RuntimeError((self.folder / "stderr.txt").read_text("utf-8", "replace")[-2_000:])
            if not more:
                return None
            self._waiting += more
        line, _, rest = bytes(self._waiting).partition(b"\n")
        self._waiting = bytearray(rest)
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _stop(self) -> None:
        if self._process is not None:
            assert self._process.stdin
            assert self._process.stdout
            self._process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_WITHIN)
            self._process.kill()
            self._process.stdout.close()
            self._process.wait()
        self._process = None
        self._waiting.clear()


def fuzz(runner: CaseRunner, form: Format, *, cases: int, start: int) -> int:
    """Read so many cases; the first that fails is shrunk and shown. Returns how many were read."""
    search = _Search(runner, form, start)
    quick = settings(
        max_examples=cases,
        deadline=None,
        database=None,
        derandomize=False,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )

    @quick
    @seed(start)
    @given(form.cases())
    def read(case: Case) -> None:
        search.check(case)

    read()
    return search.count


@dataclass
class _Search:
    """The cases read so far, and those that failed."""

    runner: CaseRunner
    form: Format
    start: int
    count: int = 0
    _failed: dict[Case, FuzzFault] = field(default_factory=dict)
    _first: float | None = None

    def check(self, case: Case) -> None:
        if case not in self._failed and not self._is_over():
            self.count += 1
            outcome = self.runner.outcome(self.form.name, case)
            if outcome["fault"] is not None:
                self._first = self._first or time.monotonic()
                self._failed[case] = self._fault(case, outcome)
        if case in self._failed:
            raise self._failed[case].with_traceback(None)

    def _is_over(self) -> bool:
        """A slow case takes seconds at every try: whatever is smallest after a minute is small enough."""
        return self._first is not None and time.monotonic() > self._first + _SHRINK_FOR

    def _fault(self, case: Case, outcome: dict[str, Any]) -> FuzzFault:
        name, data = case
        kept = self.runner.folder / f"{self.form.name}-failing{Path(name).suffix[:10]}"
        kept.write_bytes(data)
        shown = repr(data[:_SHOWN]) + (f"… ({len(data)} bytes)" if len(data) > _SHOWN else "")
        return _kind_of_fault(outcome["fault"].partition(":")[0])(
            f"{self.form.name}: {outcome['fault']} ({outcome['cpu']:.1f} s, {outcome['memory'] / 1e6:.0f} MB)\n"
            f"seed {self.start}, case {self.count}; the smallest input found, {name}, is kept in {kept}:\n{shown}"
        )
