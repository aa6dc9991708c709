"""Files and folders: private in a home, written atomically, and locked between processes.

    secure_home(settings.home)            # registers the home, and closes to others what an older version left open
    make_folder(settings.home / "jobs")   # 0700, because it is in a home
    make_folder(vault / "concepts")       # as the user's umask says

What is in a registered home is for its owner alone; a path elsewhere that a user names keeps the user's umask. What
root creates in somebody else's home (`sudo studium tutor …`) stays readable for that person. Where modes cannot be
changed, as on a file system without them, everything works as before.
"""

import logging
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from math import isinf
from pathlib import Path
from secrets import token_hex

from studium.core.domain.errors import Conflict, StorageFailed

log = logging.getLogger(__name__)

PRIVATE_FILE = 0o600
"""The mode of a file in a home."""
_PRIVATE_FOLDER = 0o700
_OTHERS = 0o077

_homes: dict[Path, bool] = {}
"""The homes that this process opened, and whether each is ours."""


def secure_home(home: Path) -> None:
    """Register a home, and close to others what they can read in it; once a process."""
    real = home.resolve()
    if real in _homes or os.name != "posix":
        return
    try:
        owner = real.stat().st_uid
    except OSError:  # it is made later
        _homes[real] = True
        return
    _homes[real] = owner == os.geteuid()
    if owner == os.geteuid() or os.geteuid() == 0:
        _tighten_home(real, owner)


def is_private(path: Path) -> bool:
    """Whether a path is in a home of ours, with links to elsewhere resolved."""
    real = path.parent.resolve() / path.name
    return any(is_ours and real.is_relative_to(home) for home, is_ours in _homes.items())


def make_folder(folder: Path) -> None:
    """Create a folder and those above it; each one that is in a home, or the home itself, for its owner alone."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=_PRIVATE_FOLDER if is_private(each) else 0o777, exist_ok=True)
    folder.mkdir(exist_ok=True)  # fails where a file is in the way


def keep_private(path: Path) -> None:
    """Close a file or folder to others if it is in a home."""
    if is_private(path):
        with suppress(OSError):
            _tighten(path, path.lstat().st_mode)


def keep_folder_private(folder: Path) -> None:
    """Close a folder and everything in it to others if it is in a home: a library may have written there."""
    if is_private(folder):
        keep_private(folder)
        for path, mode in _open_contents(folder, os.geteuid()):
            _tighten(path, mode)


def is_open_to_others(path: Path) -> bool:
    """Whether the mode of a file or folder lets others in."""
    return os.name == "posix" and path.exists() and bool(path.stat().st_mode & _OTHERS)


def _tighten_home(home: Path, owner: int) -> None:
    if _is_shared(home):
        log.warning(
            "the home is a folder that others use too, so it stays open to them; set `home` to a folder of its own",
            extra={"home": str(home)},
        )
        return
    was_open = is_open_to_others(home)
    if was_open and not _tighten(home, home.stat().st_mode):
        log.info("the home is open to others, and its mode cannot be changed", extra={"home": str(home)})
        return
    changed = sum(_tighten(path, mode) for path, mode in _open_contents(home, owner))
    if changed or (was_open and any(home.iterdir())):
        log.warning(
            "others could read this home; it is now for its owner alone", extra={"home": str(home), "files": changed}
        )


def _is_shared(home: Path) -> bool:
    """Whether a folder is more than Studium's: the root, the user's own or one above it, or one like /tmp."""
    try:
        holds_user = Path.home().resolve().is_relative_to(home)
    except RuntimeError:  # a user without a home folder
        holds_user = False
    return holds_user or home == Path(home.anchor) or bool(home.stat().st_mode & stat.S_ISVTX)


def _open_contents(folder: str | Path, owner: int) -> Iterator[tuple[Path, int]]:
    """What is open to others below a folder, with its mode; what links lead to is somewhere else."""
    try:
        with os.scandir(folder) as entries:
            listed = list(entries)
    except OSError:
        return
    for entry in listed:
        with suppress(OSError):  # removed meanwhile
            found = entry.stat(follow_symlinks=False)
            if found.st_mode & _OTHERS and found.st_uid == owner and not stat.S_ISLNK(found.st_mode):
                yield Path(entry.path), found.st_mode
            if stat.S_ISDIR(found.st_mode):
                yield from _open_contents(entry.path, owner)


def _tighten(path: Path, mode: int) -> bool:
    """Take the rights of others from a file; whether that changed anything."""
    if not mode & _OTHERS or stat.S_ISLNK(mode):
        return False
    with suppress(OSError):
        path.chmod(stat.S_IMODE(mode) & ~_OTHERS)
        return not path.stat().st_mode & _OTHERS
    return False


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
