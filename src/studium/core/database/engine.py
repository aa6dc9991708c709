"""Connections, migrations, transactions, errors and common statements of the database."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import orjson
from pydantic import ValidationError
from sqlalchemy import (
    URL,
    Column,
    Connection,
    Engine,
    Insert,
    Table,
    column,
    create_engine,
    event,
    func,
    make_url,
    select,
    table,
    text,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolExhausted

from studium.core.database.sqlite_files import RESTORE, damage_reported, damaged, is_damage, prepare_sqlite_file
from studium.core.database.tables import HEAD, VERSION_TABLE
from studium.core.domain.decision import Decision
from studium.core.domain.errors import BadInput, NotFound, ServiceDown, StorageFailed, StudiumError
from studium.core.extras import needs_extra
from studium.core.files import keep_private
from studium.core.redaction import redact

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite


_WRITABLE = "Make the file and its folder writable, or set `database` to another file."
_ROOM = "Free disk space, then run the command again."
_RETRY = "Wait for the other program, or stop it; then run the command again."

# Primary result codes of SQLite: what happened, and the remedy.
_SQLITE = {
    sqlite3.SQLITE_READONLY: ("is read-only", _WRITABLE),
    sqlite3.SQLITE_PERM: ("cannot be opened with your permissions", _WRITABLE),
    sqlite3.SQLITE_CANTOPEN: ("cannot be opened: the file or its folder may not be read or written", _WRITABLE),
    sqlite3.SQLITE_FULL: ("could not be written: the disk is full", _ROOM),
    sqlite3.SQLITE_IOERR: ("could not be read or written: the disk failed or is full", _ROOM),
    sqlite3.SQLITE_BUSY: ("has been locked by another program for too long", _RETRY),
    sqlite3.SQLITE_LOCKED: ("has been locked by another program for too long", _RETRY),
    sqlite3.SQLITE_NOTADB: (
        "is not a database, or its beginning is damaged",
        "Move the file away, or set `database` to another file. If it was a database, restore it from a copy.",
    ),
    sqlite3.SQLITE_CORRUPT: ("is damaged", RESTORE),
}

# SQLSTATE codes of PostgreSQL.
_POSTGRES = {
    "53100": ("could not be written: the server's disk is full", _ROOM),
    "25006": ("is read-only", "Use a server that takes writes."),
    "42501": ("may not be written by this user", "GRANT the user CREATE and USAGE on the schema."),
    "55P03": ("has been locked by another program for too long", _RETRY),
}
_GONE = ("08", "28", "3D", "53300", "57P")
_START = "Start PostgreSQL, and check host, user and name in `database`."


@contextmanager
def translate_errors(place: str) -> Iterator[None]:
    """Turn database errors in this block into `StorageFailed` or `ServiceDown` with the database's name."""
    try:
        yield
    except DBAPIError as error:
        raise _translate(place, error) from error
    except sqlite3.Error as error:
        raise _translate_sqlite(place, error) from error
    except UnicodeDecodeError as error:  # SQLite names a damaged schema in bytes that are not text
        raise damaged(f"The database at {place}", error) from error
    except PoolExhausted as error:
        raise StorageFailed(
            f"The database at {place} is too busy: no connection became free.", remedy=_RETRY
        ) from error
    except OSError as error:
        raise StorageFailed(
            f"The database at {place} cannot be reached: {error.strerror}.", remedy=_WRITABLE
        ) from error


def _translate(place: str, error: DBAPIError) -> StudiumError:
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        return _translate_sqlite(place, cause)
    state = getattr(cause, "sqlstate", None)
    # Without a server, the error has no code.
    if isinstance(error, OperationalError) and (state is None or state.startswith(_GONE)):
        return ServiceDown(
            f"The database's PostgreSQL at {place} refuses the connection: {_reason(cause)}", remedy=_START
        )
    return _storage_failed(place, _POSTGRES.get(state or ""), cause)


def _translate_sqlite(place: str, cause: sqlite3.Error) -> StudiumError:
    # A failure inside the driver itself carries no code.
    code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code not in _SQLITE and is_damage(cause):
        return damaged(f"The database at {place}", cause)
    if str(cause).endswith("already exists"):
        return StorageFailed(
            f"The database at {place} is another program's, or damaged: {_reason(cause)}.",
            remedy="Set `database` to another file. If it was Studium's, restore it from a copy.",
        )
    return _storage_failed(place, _SQLITE.get(code), cause)


def _storage_failed(place: str, known: tuple[str, str] | None, cause: BaseException | None) -> StorageFailed:
    if known:
        return StorageFailed(f"The database at {place} {known[0]}.", remedy=known[1])
    return StorageFailed(f"The database at {place} refused: {_reason(cause)}")


def _reason(cause: BaseException | None) -> str:
    return redact(str(cause).partition("\n")[0])


_HALF = re.compile("[\ud800-\udfff]")


def write_json(value: Any) -> str:
    """JSON text; half an emoji, which a model may cut, is left to Python's own writer."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return json.dumps(value)


def read_json(text: str | bytes) -> Any:
    """The value of a JSON text; half an emoji becomes the replacement character."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        whole = json.dumps(json.loads(text), ensure_ascii=False)
        return json.loads(_HALF.sub("\ufffd", whole))


_JSON: dict[str, Any] = {"json_serializer": write_json, "json_deserializer": read_json}
MIGRATIONS = Path(__file__).parent / "migrations"
_MIGRATION_LOCK = 5_788_346  # any number, if every Studium uses the same


class Transactions:
    """Opens transactions, from any thread; every repository uses one of these."""

    def __init__(self, engine: Engine, display_name: str, clock: Callable[[], datetime]) -> None:
        self.clock = clock
        self._engine = engine
        self._display_name = display_name
        # SQLite has one writer: threads that queue here need not poll its lock.
        on_sqlite = engine.dialect.name == "sqlite"
        self._write_lock: AbstractContextManager[Any] = Lock() if on_sqlite else nullcontext()
        self._begin = "BEGIN IMMEDIATE" if on_sqlite else None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for reading."""
        damage = damage_reported(f"The database at {self._display_name}")
        with damage, translate_errors(self._display_name), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that takes the write lock at its start, so that it cannot fail for it half-way."""
        # Only these: other errors may also come from what is to be written.
        damage = damage_reported(f"The database at {self._display_name}", (json.JSONDecodeError, ValidationError))
        with damage, translate_errors(self._display_name), self._write_lock, self._engine.connect() as connection:
            if self._begin:
                connection.exec_driver_sql(self._begin)
            yield connection
            connection.commit()


def read_address(address: str) -> URL:
    """Parse the address of a SQLite file or PostgreSQL database; anything else is refused."""
    try:
        url = make_url(address)
    except (ArgumentError, ValueError) as error:
        raise _bad_address("it is not a database address") from error
    kind = url.get_backend_name()
    if kind in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if kind != "sqlite":
        raise _bad_address(f"{kind} is not supported")
    if url.database in (None, "", ":memory:"):
        raise _bad_address("it names no file")
    return url


def _bad_address(why: str) -> BadInput:
    remedy = "Write sqlite:///path/to/database.db or postgresql://user@host/database."
    return BadInput(f"The database's address cannot be used: {why}.", remedy=remedy)


def display_name(url: URL) -> str:
    """The file or `host:port/name` of a database, without user and password."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return f"{url.host or 'localhost'}:{url.port or 5432}/{url.database or ''}"


def open_engine(url: URL, timeout: float) -> Engine:
    """An engine with the tables of this version."""
    engine = _connect(url, timeout)
    try:
        with damage_reported(f"The database at {display_name(url)}"):
            _upgrade_tables(engine, display_name(url))
    except BaseException:
        engine.dispose()
        raise
    return engine


def _connect(url: URL, timeout: float) -> Engine:
    """An engine that waits at most `timeout` seconds for a lock or a server."""
    if url.get_backend_name() == "sqlite":
        file = Path(str(url.database))
        prepare_sqlite_file(file, "database")
        # We start transactions ourselves: the driver's own BEGIN comes too late to take the write lock.
        settings: dict[str, Any] = {"timeout": timeout, "isolation_level": None}
        engine = create_engine(url, hide_parameters=True, max_overflow=-1, connect_args=settings, **_JSON)
        # SQLite gives the files beside the database the mode of the database, so this comes before they are made.
        event.listen(engine, "connect", lambda *_: keep_private(file))
        event.listen(engine, "connect", _prepare_sqlite)
        return engine
    options = f"{url.query.get('options', '')} -c lock_timeout={int(timeout * 1000)}"
    settings = {"connect_timeout": max(2, int(timeout)), "options": options}
    with needs_extra("postgres", "A database in PostgreSQL"):
        return create_engine(url, hide_parameters=True, pool_pre_ping=True, connect_args=settings, **_JSON)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA foreign_keys=ON")


def _upgrade_tables(engine: Engine, place: str) -> None:
    """Create or migrate the tables if they are not of this version."""
    with engine.connect() as connection:
        if _version(connection, place) == HEAD:
            return
    with engine.connect() as connection:
        _lock_for_migration(connection)
        if _version(connection, place) != HEAD:
            _migrate(connection)
            connection.commit()
        # A connection with foreign keys off must not be reused.
        connection.invalidate()


def _version(connection: Connection, place: str) -> str | None:
    if not connection.dialect.has_table(connection, VERSION_TABLE):
        return None
    version: str | None = connection.scalar(select(column("version_num")).select_from(table(VERSION_TABLE)))
    if version and version > HEAD:
        raise BadInput(
            f"The database at {place} has version {version}; this Studium knows versions up to {HEAD}.",
            remedy="Upgrade Studium, or set `database` to another one.",
        )
    return version


def _lock_for_migration(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        # Rebuilding a table drops it for a moment, which foreign keys would take for a deletion.
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _MIGRATION_LOCK})


def _migrate(connection: Connection) -> None:
    """Run the missing migrations inside the transaction that is already open: all of them, or none."""
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    command.upgrade(config, HEAD)


Each = TypeVar("Each")
_MOST_AT_ONCE = 500  # SQLite and PostgreSQL both limit the parameters of one statement
_SHOWN = 5


@cache
def insert_new(dialect: str, table: Table) -> Insert:
    """Insert what is not there yet and leave the rest as it is."""
    return insert_into(dialect, table).on_conflict_do_nothing()


@cache
def insert_or_replace(dialect: str, table: Table) -> Insert:
    """Insert, in place of what is there under the same key."""
    statement = insert_into(dialect, table)
    changes = {column.name: statement.excluded[column.name] for column in table.c if not column.primary_key}
    return statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=changes)


def insert_into(dialect: str, table: Table) -> "postgresql.Insert | sqlite.Insert":
    """An insert that can say what to do where there is such a row."""
    if dialect == "sqlite":
        from sqlalchemy.dialects.sqlite import insert

        return insert(table)
    from sqlalchemy.dialects.postgresql import insert as insert_postgres

    return insert_postgres(table)


def in_chunks(values: Sequence[Each]) -> Iterator[Sequence[Each]]:
    """The values, no more at once than an IN list may hold."""
    for start in range(0, len(values), _MOST_AT_ONCE):
        yield values[start : start + _MOST_AT_ONCE]


def find_id(connection: Connection, column: Column[Any], given: str, what: str) -> str:
    """The only id that is, or starts with, the given text."""
    fitting = select(column).where(column.startswith(given, autoescape=True))
    shortest_first = fitting.order_by(func.length(column), column.desc()).limit(_SHOWN)
    found: Sequence[str] = connection.scalars(shortest_first).all()
    if len(found) == 1 or given in found:
        return found[0]
    if found:
        raise NotFound(f"Several {what}s start with '{given}': {', '.join(found)} …", remedy="Give more of the id.")
    known: Sequence[str] = connection.scalars(select(column).order_by(column.desc()).limit(_MOST_AT_ONCE)).all()
    near = get_close_matches(given, known, _SHOWN, cutoff=0.4) or known[:_SHOWN]
    hint = f"; there are {', '.join(near)}" if near else f"; there is no {what} yet"
    raise NotFound(f"There is no {what} '{given}'{hint}.")


def clean_text(text: str) -> str:
    """Our own text, with secrets masked and without what PostgreSQL or UTF-8 cannot hold."""
    return redact(text).replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def decision_record(decision: Decision) -> dict[str, Any]:
    """The decision as JSON; the proposal is unchanged, our messages about it are cleaned."""
    record = decision.model_dump(mode="json")
    record["reasons"] = [clean_text(reason) for reason in record["reasons"]]
    for finding in record["findings"]:
        finding["message"] = clean_text(finding["message"])
    return record
