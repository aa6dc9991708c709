"""SQLite files: created whole, and recognised when they were emptied or damaged."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from studium.core.domain.errors import StorageFailed
from studium.core.files import make_folder
from studium.core.redaction import redact

RESTORE = "Restore the file from a copy (a backup), or save what is left: sqlite3 FILE .recover"

# A flipped byte in the name of a table or in our version; our own statements never cause these.
_SCHEMA_FAULT = re.compile(r"no such |malformed|duplicate column")
_READ_FAULTS = (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError)
_DAMAGE_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def prepare_sqlite_file(path: Path, what: str) -> None:
    """Create the file if there is none; refuse an empty one, since ours are never empty.

    A new file appears under its name only with its first page in it, so that a crash leaves no empty file behind.
    """
    make_folder(path.parent)
    try:
        is_empty = path.stat().st_size == 0 and path.is_file() and not _has_log(path)
    except FileNotFoundError:
        _create(path)
        return
    if is_empty:
        raise StorageFailed(
            f"The {what} at {path} is empty (0 bytes): it was cut off, or copied incompletely.",
            remedy="Restore the file from a copy; to start afresh without what it held, delete it.",
        )


def _has_log(path: Path) -> bool:
    """Whether what was written is still in the write-ahead log, from which SQLite restores it."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _create(path: Path) -> None:
    new = path.with_name(f".{path.name}.{token_hex(4)}.new")
    try:
        os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with closing(sqlite3.connect(new, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
        with suppress(FileExistsError):  # another process was first
            _link(new, path)
    finally:
        for ending in ("", "-wal", "-shm", "-journal"):
            with suppress(OSError):
                new.with_name(new.name + ending).unlink(missing_ok=True)


def _link(new: Path, path: Path) -> None:
    try:
        os.link(new, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if not path.exists():
            new.rename(path)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether an error of SQLite means that the file is damaged."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:  # text that is not UTF-8 has no code
        return isinstance(error, sqlite3.OperationalError)
    return code & 0xFF in _DAMAGE_CODES or (code == sqlite3.SQLITE_ERROR and bool(_SCHEMA_FAULT.match(str(error))))


def damaged(what: str, error: BaseException) -> StorageFailed:
    """The error for a damaged file: `what` is its kind and place."""
    return StorageFailed(f"{what} is damaged: {_reason(error)}.", remedy=RESTORE)


def _reason(error: BaseException) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it holds text that is not UTF-8"
    if not isinstance(error, sqlite3.Error):
        return f"it holds values that cannot be read ({type(error).__name__})"
    said = redact(" ".join(str(error).partition(" with text ")[0].split()))[:200]
    return "".join(character if character.isprintable() else "\ufffd" for character in said).rstrip(".")


@contextmanager
def damage_reported(what: str, kinds: tuple[type[Exception], ...] = _READ_FAULTS) -> Iterator[None]:
    """Report rows that cannot be decoded or validated in this block as damage."""
    try:
        yield
    except UnicodeEncodeError:  # a text that we were given
        raise
    except kinds as error:
        raise damaged(what, error) from error
