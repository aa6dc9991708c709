"""Writes a file whole or not at all."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from studium.core.domain.errors import Conflict, StorageFailed


@contextmanager
def atomic_write(target: Path) -> Iterator[Path]:
    """A path to write to; it takes the target's place only when the block ends well."""
    part = target.with_name(f".{target.name}.{token_hex(4)}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield part
        _flush(part)
        part.replace(target)
    except OSError as error:
        raise StorageFailed(f"{target} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_text(target: Path, text: str) -> None:
    """Write a text file whole or not at all."""
    with atomic_write(target) as part:
        part.write_text(text, encoding="utf-8")


def _flush(path: Path) -> None:
    """A rename may reach the disk before the bytes do, unless they are flushed first."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


@contextmanager
def file_lock(folder: Path, what: str) -> Iterator[None]:
    """Hold the lock on `what`; it is let go however the process ends."""
    path = folder / f"{sha256(what.encode()).hexdigest()[:16]}.lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = path.open("w")
    except OSError as error:
        raise StorageFailed(f"{path} cannot be written: {error.strerror}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Conflict(f"Another process works on {what} right now.", remedy="Wait until it is done.") from error
        yield


@contextmanager
def wait_for_lock(folder: Path, what: str, seconds: float = 10.0) -> Iterator[None]:
    """Hold the lock on `what` as soon as nobody else does; whoever has it for too long is told of."""
    end = time.monotonic() + seconds
    with ExitStack() as holding:
        while True:
            try:
                holding.enter_context(file_lock(folder, what))
                break
            except Conflict:
                if time.monotonic() > end:
                    raise
                time.sleep(0.01)
        yield


def is_locked(folder: Path, what: str) -> bool:
    """Whether anybody holds the lock on `what` at this moment."""
    try:
        with file_lock(folder, what):
            return False
    except Conflict:
        return True
