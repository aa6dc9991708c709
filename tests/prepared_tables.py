"""Empty SQLite databases with all tables: hundreds of tests want one, and migrating each takes long."""

import sqlite3
from functools import cache

from sqlalchemy import Connection, create_engine

from studium.core.database import engine
from studium.core.database.tables import VERSION_TABLE

migrate = engine._migrate


def use_prepared_tables() -> None:
    """From now on make the tables of a new SQLite database as the migrations made them once."""
    engine._migrate = _make_tables


def _make_tables(connection: Connection) -> None:
    if connection.dialect.name != "sqlite" or connection.dialect.has_table(connection, VERSION_TABLE):
        migrate(connection)
        return
    for statement in _statements():
        connection.exec_driver_sql(statement)


@cache
def _statements() -> tuple[str, ...]:
    """What makes the tables that the migrations make, and the rows in them."""
    with create_engine("sqlite://").connect() as connection:
        migrate(connection)
        connection.commit()
        return tuple(dump(connection.connection.driver_connection))


def dump(database: sqlite3.Connection) -> list[str]:
    """The statements that make a database, without those of the transaction around them."""
    return [each for each in database.iterdump() if each not in ("BEGIN TRANSACTION;", "COMMIT;")]
