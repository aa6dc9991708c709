"""What stands on this machine under a prefix of ours: found by name alone, so that a killed run leaves no secret."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from studium.devices.frr.installation import RUN

NETNS = Path("/run/netns")
_OURS = "studium-"
_FOLDER = "folder"
_SECONDS = 5.0


def prefix_of(folder: Path) -> str:
    """The prefix of everything that belongs to the lab kept in a folder."""
    return _OURS + sha256(str(folder.resolve()).encode()).hexdigest()[:8]


def claim(folder: Path) -> None:
    """Note whose the prefix is, so that labs whose folder is gone can be told from those still in use."""
    note = RUN / prefix_of(folder)
    RUN.mkdir(exist_ok=True)
    note.mkdir(exist_ok=True)
    (note / _FOLDER).write_text(str(folder.resolve()))


def remove(prefix: str) -> None:
    """End every process in the namespaces of a prefix, and take namespaces and run files away."""
    spaces = [space for space in _below(NETNS) if space.name.startswith(f"{prefix}-")]
    end_all(spaces)
    for space in spaces:
        subprocess.run(["ip", "netns", "delete", space.name], capture_output=True, check=False)  # noqa: S603, S607 - our words
    for folder in _below(RUN):
        if folder.name == prefix or folder.name.startswith(f"{prefix}-"):
            shutil.rmtree(folder, ignore_errors=True)


def remove_orphans() -> None:
    """Take away the labs whose folders are gone."""
    for note in _below(RUN):
        with suppress(FileNotFoundError, NotADirectoryError):
            if note.name.startswith(_OURS) and not Path((note / _FOLDER).read_text()).exists():
                remove(note.name)


def end_all(spaces: list[Path]) -> None:
    """End the processes that live in namespaces of ours, and wait until they are gone."""
    deadline = time.monotonic() + _SECONDS
    while (living := list(_processes(spaces))) and time.monotonic() < deadline:
        for process in living:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.01)


def _processes(spaces: list[Path]) -> Iterator[int]:
    """The living processes in some namespaces; a dead one that nobody has fetched has no namespace any more."""
    wanted = {_identity(space) for space in spaces if space.exists()}
    for entry in Path("/proc").iterdir():
        if wanted and entry.name.isdigit():
            with suppress(OSError):
                if _identity(entry / "ns" / "net") in wanted:
                    yield int(entry.name)


def _identity(space: Path) -> tuple[int, int]:
    found = space.stat()
    return found.st_dev, found.st_ino


def _below(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []
