"""The process in which cases run: `python -m tests.fuzz.case_worker FOLDER FORMAT…`.

It loads the readers once and forks a child that reads cases from stdin, one after the other, each with limits on
processor time and memory. What ends the child (a crash, a limit) is the outcome of the case that it was reading, and
another child takes its place. For each case one line of JSON goes to stdout.

    request: format, name and size of the data, as a line of JSON; then the data
"""

import gc
import json
import mmap
import os
import resource
import shutil
import signal
import struct
import sys
import time
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

MAX_CPU = 5.0
MAX_MEMORY = 500_000_000
# What no measured case may reach: beyond it the child is ended.
_HARD_CPU = 7
_HARD_SECONDS = 60
_HARD_MEMORY = 3 * MAX_MEMORY
_BATCH = 400
_NEXT_BATCH, _NO_MORE = 40, 41
_OURS = f"{os.sep}studium{os.sep}"


class _Begun:
    """Which format a child reads, and what it had spent before: known to its parent when the child is dead."""

    _FORM = struct.Struct("20sd")

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, mmap.PAGESIZE)

    def write(self, form: str, spent: float) -> None:
        self._FORM.pack_into(self._shared, 0, form.encode(), spent)

    def read(self) -> tuple[str, float]:
        form, spent = self._FORM.unpack_from(self._shared)
        return form.rstrip(b"\0").decode(), spent


_begun = _Begun()


class _Pipe:
    """The requests and the replies; what a reader prints goes nowhere."""

    def __init__(self) -> None:
        self._in = 0
        self._out = os.dup(1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    def request(self) -> tuple[str, str, bytes] | None:
        """The next case. Nothing is read ahead: the next child reads on from here."""
        head = bytearray()
        while not head.endswith(b"\n"):
            if not (one := os.read(self._in, 1)):
                return None
            head += one
        form, name, size = json.loads(head)
        data = bytearray()
        while len(data) < size and (more := os.read(self._in, size - len(data))):
            data += more
        return form, name, bytes(data)

    def reply(self, **outcome: Any) -> None:
        os.write(self._out, json.dumps(outcome).encode() + b"\n")


def _memory() -> tuple[int, int]:
    """What this process holds, and the most that it has held since the peak was last reset, in bytes."""
    told = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text("ascii").splitlines())
    return tuple(int(told[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM"))  # type: ignore[return-value]


def _cpu() -> float:
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in spent)


def _allow() -> None:
    """Another case's worth of processor time, and of time."""
    mine = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(mine.ru_utime + mine.ru_stime) + _HARD_CPU
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, _HARD_SECONDS)


def _place(error: BaseException) -> str:
    """The innermost line of ours that an error came through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if _OURS in frame.filename] or frames
    return f"{ours[-1].filename.rpartition(_OURS)[2]}:{ours[-1].lineno}" if ours else "?"


def _fault(read: Any, folder: Path, name: str, data: bytes) -> str | None:
    """What is wrong with how a case was read: nothing for a result, a finding or an error of ours."""
    from studium.core.domain.errors import InternalFault, StudiumError

    try:
        read(folder, name, data)
    except InternalFault as error:
        return f"InternalFault in {_place(error)}: {str(error)[:200]}"
    except StudiumError:
        return None
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is the outcome
        return f"{type(error).__name__} in {_place(error)}: {str(error)[:200]}"
    return None


def _run(readers: dict[str, Any], folder: Path, pipe: _Pipe) -> None:
    """Read a batch of cases; in the child."""
    from tests.fuzz.readers import PREPARE

    resource.setrlimit(resource.RLIMIT_AS, (_address_space() + _HARD_MEMORY, resource.RLIM_INFINITY))
    for _ in range(_BATCH):
        if (asked := pipe.request()) is None:
            os._exit(_NO_MORE)
        form, name, data = asked
        _begun.write(form, _cpu())
        place = folder / "case"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        if form in PREPARE:
            PREPARE[form](folder)
        _allow()
        Path("/proc/self/clear_refs").write_text("5", "ascii")
        (before, _), spent, began = _memory(), _cpu(), time.monotonic()
        fault = _fault(readers[form], place, name, data)
        memory = _memory()[1] - before
        pipe.reply(fault=fault, cpu=_cpu() - spent, seconds=time.monotonic() - began, memory=memory)
    os._exit(_NEXT_BATCH)


def _address_space() -> int:
    return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()


def main(folder: Path, formats: list[str]) -> None:
    """Serve cases until there are no more."""
    from tests.fuzz.readers import APART, MODULES, READERS, WARM_UP

    from studium.core.reader_process import _cause_of_death

    pipe = _Pipe()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    readers = {name: READERS[name] for name in formats}
    for name, read in readers.items():
        if name in WARM_UP:
            _fault(read, folder, *WARM_UP[name])
        if name in MODULES:
            import_module(MODULES[name])
    gc.freeze()
    while True:
        child = os.fork()
        if child == 0:
            _run(readers, folder, pipe)
        _, status, spent = os.wait4(child, 0)
        ended = os.waitstatus_to_exitcode(status)
        if ended == _NO_MORE:
            return
        if ended != _NEXT_BATCH:
            form, before = _begun.read()
            pipe.reply(
                fault=None if form in APART and _cause_of_death(ended) == "memory" else _told(ended),
                cpu=spent.ru_utime + spent.ru_stime - before,
                seconds=0.0,
                memory=0,
            )


def _told(ended: int) -> str:
    return f"killed by {signal.Signals(-ended).name}" if ended < 0 else f"exit status {ended}"


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
