"""A place in memory for the files of the tests: databases wait for a disk at every commit."""

import os
import shutil
from pathlib import Path

_MEMORY = Path("/dev/shm")  # noqa: S108 - each run has a folder of its own there
_PREFIX = "studium-tests-"
_ENOUGH = 6 * 2**30  # a whole run needs less than half of it


def files_in_memory() -> str | None:
    """A folder in memory for this run; none where there is too little of it, or where no program may run from it."""
    if not os.access(_MEMORY, os.W_OK):
        return None
    system = os.statvfs(_MEMORY)
    if system.f_bavail * system.f_frsize < _ENOUGH or system.f_flag & os.ST_NOEXEC:
        return None
    for left in _MEMORY.glob(f"{_PREFIX}*"):
        if not Path(f"/proc/{left.name.removeprefix(_PREFIX)}").exists():
            shutil.rmtree(left, ignore_errors=True)
    return str(_MEMORY / f"{_PREFIX}{os.getpid()}")


def forget_files(folder: str | Path | None) -> None:
    """Remove the folder of a run if it is one in memory."""
    if folder and Path(folder).name.startswith(_PREFIX):
        shutil.rmtree(folder, ignore_errors=True)
