"""Atomic writes and locks between processes."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from math import isinf
from pathlib import Path
from secrets import token_hex

from studium.core.domain.errors import Conflict, StorageFailed
from studium.core.private_files import PRIVATE_FILE, is_private, make_folder


@contextmanager
def atomic_write(target: Path) -> Iterator[Path]:
    """A path to write to; it replaces the target only if the block succeeds. In a home, only its owner can read it."""
    part = target.with_name(f".{target.name}.{token_hex(4)}.part")
    try:
        make_folder(target.parent)
        if is_private(part):
            part.touch(mode=PRIVATE_FILE)
        yield part
        _flush(part)
        part.replace(target)
    except OSError as error:
        raise StorageFailed(f"{target} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_text(target: Path, text: str) -> None:
    """Write a text file atomically."""
    with atomic_write(target) as part:
        part.write_text(text, encoding="utf-8")


def _flush(path: Path) -> None:
    """Flush a file: otherwise a rename may reach the disk before its bytes do."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


@contextmanager
def file_lock(folder: Path, what: str) -> Iterator[None]:
    """Hold the lock on `what`, or fail at once if another process has it; the lock ends with the process."""
    with _locked(folder, what, 0):
        yield


@contextmanager
def wait_for_lock(folder: Path, what: str, seconds: float = 10.0) -> Iterator[None]:
    """Hold the lock on `what` as soon as it is free; after `seconds`, fail as `file_lock` does."""
    with _locked(folder, what, seconds):
        yield


def is_locked(folder: Path, what: str) -> bool:
    """Whether the lock on `what` is held right now."""
    try:
        with file_lock(folder, what):
            return False
    except Conflict:
        return True


@contextmanager
def _locked(folder: Path, what: str, seconds: float) -> Iterator[None]:
    from filelock import FileLock, Timeout  # slow to load

    path = folder / f"{sha256(what.encode()).hexdigest()[:16]}.lock"
    lock = FileLock(
        path,
        timeout=-1 if isinf(seconds) else seconds,
        mode=PRIVATE_FILE if is_private(path) else 0o644,
        poll_interval=0.01,
        thread_local=False,  # a lock may be released on another thread than the one that took it, as tasks do
    )
    try:
        make_folder(folder)
        lock.acquire()
    except Timeout as error:
        raise Conflict(f"Another process works on {what} right now.", remedy="Wait until it is done.") from error
    except OSError as error:
        raise StorageFailed(f"{path} cannot be written: {error.strerror}") from error
    try:
        yield
    finally:
        lock.release()
