"""A lock between processes: whoever holds it works, the others are told at once, or wait a while."""

import fcntl
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path

from studium.domain.errors import Conflict, StorageFailed


@contextmanager
def held(folder: Path, what: str) -> Iterator[None]:
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
def awaited(folder: Path, what: str, seconds: float = 10.0) -> Iterator[None]:
    """Hold the lock on `what` as soon as nobody else does; whoever has it for too long is told of."""
    end = time.monotonic() + seconds
    with ExitStack() as holding:
        while True:
            try:
                holding.enter_context(held(folder, what))
                break
            except Conflict:
                if time.monotonic() > end:
                    raise
                time.sleep(0.01)
        yield


def is_held(folder: Path, what: str) -> bool:
    """Whether anybody holds the lock on `what` at this moment."""
    try:
        with held(folder, what):
            return False
    except Conflict:
        return True
