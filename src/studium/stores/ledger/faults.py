"""Faults of the database, told once in the words of our own errors."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolExhausted

from studium.domain.errors import ServiceDown, StorageFailed, StudiumError
from studium.observe.redact import redact

_WRITABLE = "Make the file and its folder writable for you, or set another place for the ledger."
_ROOM = "Make room on the disk, then run the command again."
_RETRY = "Wait until the other program is done, or stop it; then run the command again."

# Primary result codes of SQLite: what happened, and the remedy.
_SQLITE = {
    sqlite3.SQLITE_READONLY: ("is read-only", _WRITABLE),
    sqlite3.SQLITE_PERM: ("may not be opened by you", _WRITABLE),
    sqlite3.SQLITE_CANTOPEN: ("cannot be opened: the file or its folder may not be read or written", _WRITABLE),
    sqlite3.SQLITE_FULL: ("could not be written: the disk is full", _ROOM),
    sqlite3.SQLITE_IOERR: ("could not be read or written: the disk failed or is full", _ROOM),
    sqlite3.SQLITE_BUSY: ("has been locked by another program for too long", _RETRY),
    sqlite3.SQLITE_LOCKED: ("has been locked by another program for too long", _RETRY),
    sqlite3.SQLITE_NOTADB: ("is not a database", "Move the file away, or set another place for the ledger."),
    sqlite3.SQLITE_CORRUPT: (
        "is damaged",
        "Restore the file from a backup, or save what is left: sqlite3 FILE .recover",
    ),
}

# SQLSTATE codes of PostgreSQL.
_POSTGRES = {
    "53100": ("could not be written: the server's disk is full", _ROOM),
    "25006": ("is read-only", "Use a server that takes writes."),
    "42501": ("may not be written by this user", "GRANT the user CREATE and USAGE on the schema."),
    "55P03": ("has been locked by another program for too long", _RETRY),
}
_GONE = ("08", "28", "3D", "53300", "57P")
_START = "Start PostgreSQL, and check the address, user and database of the ledger."


@contextmanager
def told_plainly(place: str) -> Iterator[None]:
    """Whatever the database refuses in this block becomes a `StorageFailed` or `ServiceDown` that names the place."""
    try:
        yield
    except DBAPIError as error:
        raise _told(place, error) from error
    except PoolExhausted as error:
        raise StorageFailed(f"The ledger at {place} is too busy: no connection became free.", remedy=_RETRY) from error
    except OSError as error:
        raise StorageFailed(f"The ledger at {place} cannot be reached: {error.strerror}.", remedy=_WRITABLE) from error


def _told(place: str, error: DBAPIError) -> StudiumError:
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        # A failure inside the driver itself carries no code.
        code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        return _storage_failed(place, _SQLITE.get(code), cause)
    state = getattr(cause, "sqlstate", None)
    # Without a server there is nobody to give the fault a code.
    if isinstance(error, OperationalError) and (state is None or state.startswith(_GONE)):
        return ServiceDown(f"The ledger's PostgreSQL at {place} does not let us in: {_reason(cause)}", remedy=_START)
    return _storage_failed(place, _POSTGRES.get(state or ""), cause)


def _storage_failed(place: str, known: tuple[str, str] | None, cause: BaseException | None) -> StorageFailed:
    if known:
        return StorageFailed(f"The ledger at {place} {known[0]}.", remedy=known[1])
    return StorageFailed(f"The ledger at {place} refused: {_reason(cause)}")


def _reason(cause: BaseException | None) -> str:
    return redact(str(cause).partition("\n")[0])
