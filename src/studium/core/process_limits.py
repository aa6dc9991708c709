"""Limits on what a process may take: CPU time and memory, for one call or for good."""

import math
import resource
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from studium.core.domain.errors import StudiumError

if TYPE_CHECKING:
    from studium.core.config.settings import LimitSettings

MB = 1_000_000
_PATIENCE = 4
"""The wall-clock limit of a call as a multiple of its CPU seconds, plus half a minute: the machine may be busy."""

OCR_TIMES = 4
"""How many times the usual limits OCR of a page may take."""


@dataclass(frozen=True)
class ReadLimits:
    """What one call may take: CPU seconds, bytes of memory, bytes of the result."""

    cpu_seconds: int = 30
    memory: int = 500 * MB
    output: int = 200 * MB

    @property
    def seconds(self) -> int:
        """The seconds by the clock."""
        return 30 + _PATIENCE * self.cpu_seconds

    def times(self, factor: int) -> "ReadLimits":
        """Wider limits, for work that honestly takes more."""
        return ReadLimits(self.cpu_seconds * factor, self.memory * factor, self.output)

    @classmethod
    def of(cls, settings: "LimitSettings") -> "ReadLimits":
        """The limits in the settings."""
        return cls(settings.cpu_seconds, settings.memory * MB, settings.output * MB)


def call_within(limits: ReadLimits, function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[str, Any]:
    """Call a function within the limits, and return how it ended; too much CPU ends the process."""
    before, resident = memory(), memory("VmRSS")
    cpu = math.ceil(time.process_time()) + limits.cpu_seconds
    with _soft_limit(resource.RLIMIT_CPU, cpu), _memory_limit(before + limits.memory):
        try:
            return "done", function(*args)
        except MemoryError:
            return "memory", None
        except RecursionError:
            return "depth", None
        except StudiumError as error:
            return "raised", error
        except Exception as error:  # noqa: BLE001 - raised again where the call was made
            if memory("VmHWM") > resident + limits.memory // 2:
                return "memory", None  # C libraries that get no memory raise all kinds of errors
            error.add_note("".join(traceback.format_exception(error)))
            return "raised", error


def memory(of: str = "VmData") -> int:
    """The bytes of memory that this process has asked for, as its limit counts them; or another of Linux's counts."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123 - read often
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith(of))
    except OSError:  # not Linux
        return 0


def _memory_limit(value: int) -> AbstractContextManager[None]:
    """A limit on memory, which only Linux keeps."""
    # Address space that is only reserved, and files that are only mapped, take no memory: this limit leaves them out.
    return _soft_limit(resource.RLIMIT_DATA, value) if sys.platform == "linux" else nullcontext()


@contextmanager
def _soft_limit(kind: int, value: int) -> Iterator[None]:
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(kind, (hard, hard))


def limited_memory(megabytes: int) -> AbstractContextManager[None]:
    """Let this process take so much more memory while the block lasts, and no more."""
    return _memory_limit(memory() + megabytes * MB)
