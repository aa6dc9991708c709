"""Opening a ledger: from an address to an engine whose tables are those of this version, and its transactions."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import URL, Connection, Engine, column, create_engine, event, make_url, select, table, text
from sqlalchemy.exc import ArgumentError

from studium.domain.errors import BadInput, MissingExtra
from studium.stores.ledger.faults import told_plainly
from studium.stores.ledger.jsontext import read_json, write_json
from studium.stores.ledger.tables import HEAD, VERSION_TABLE

_JSON: dict[str, Any] = {"json_serializer": write_json, "json_deserializer": read_json}
MIGRATIONS = Path(__file__).parent / "migrations"
_MIGRATION_LOCK = 5_788_346  # any number, so long as every Studium uses the same


class Transactions:
    """Begins the transactions of a database, from any thread; each repository is built over one of these."""

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
        """A connection to read from."""
        with told_plainly(self._display_name), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction that has the write lock from its beginning, so that it can never fail half-way for it."""
        with told_plainly(self._display_name), self._write_lock, self._engine.connect() as connection:
            if self._begin:
                connection.exec_driver_sql(self._begin)
            yield connection
            connection.commit()


def read_address(address: str) -> URL:
    """The address of a SQLite file or a PostgreSQL database; anything else is refused."""
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
    remedy = "Write sqlite:///path/to/ledger.db or postgresql://user@host/database."
    return BadInput(f"The ledger's address cannot be used: {why}.", remedy=remedy)


def place_of(url: URL) -> str:
    """What the user knows the ledger by; never with user or password."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return f"{url.host or 'localhost'}:{url.port or 5432}/{url.database or ''}"


def open_engine(url: URL, timeout: float) -> Engine:
    """An engine on a ledger whose tables are those of this version."""
    engine = _connect(url, timeout)
    try:
        _bring_up_to_date(engine, place_of(url))
    except BaseException:
        engine.dispose()
        raise
    return engine


def _connect(url: URL, timeout: float) -> Engine:
    """An engine that waits at most `timeout` seconds for a lock or a server."""
    if url.get_backend_name() == "sqlite":
        Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
        # Transactions are begun by us: the driver's own BEGIN comes too late to take the write lock.
        settings: dict[str, Any] = {"timeout": timeout, "isolation_level": None}
        engine = create_engine(url, hide_parameters=True, max_overflow=-1, connect_args=settings, **_JSON)
        event.listen(engine, "connect", _prepare_sqlite)
        return engine
    options = f"{url.query.get('options', '')} -c lock_timeout={int(timeout * 1000)}"
    settings = {"connect_timeout": max(2, int(timeout)), "options": options}
    try:
        return create_engine(url, hide_parameters=True, pool_pre_ping=True, connect_args=settings, **_JSON)
    except ModuleNotFoundError as error:
        remedy = "Install it: pip install 'studium[postgres]'"
        raise MissingExtra("A ledger in PostgreSQL needs the package psycopg.", remedy=remedy) from error


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA foreign_keys=ON")


def _bring_up_to_date(engine: Engine, place: str) -> None:
    """Create or migrate the tables, unless they are those of this version already."""
    with engine.connect() as connection:
        if _version(connection, place) == HEAD:
            return
    with engine.connect() as connection:
        _lock_out_others(connection)
        if _version(connection, place) != HEAD:
            _migrate(connection)
            connection.commit()
        # A connection whose foreign keys are off must not go back to work.
        connection.invalidate()


def _version(connection: Connection, place: str) -> str | None:
    if not connection.dialect.has_table(connection, VERSION_TABLE):
        return None
    version: str | None = connection.scalar(select(column("version_num")).select_from(table(VERSION_TABLE)))
    if version and version > HEAD:
        raise BadInput(
            f"The ledger at {place} has version {version}; this Studium knows versions up to {HEAD}.",
            remedy="Upgrade Studium, or set another place for the ledger.",
        )
    return version


def _lock_out_others(connection: Connection) -> None:
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
