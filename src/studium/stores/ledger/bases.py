"""Bases in the ledger: what we last published, field by field, so that a person's edit can be told from ours."""

from datetime import datetime

from sqlalchemy import Connection, delete, select

from studium.stores.ledger import tables
from studium.stores.ledger.statements import insert_or_replace

Fields = dict[str, str]


def find(connection: Connection, sink: str, key: str) -> Fields | None:
    """What we last published under this key."""
    bases = tables.bases.c
    fields: Fields | None = connection.scalar(select(bases.fields).where(bases.sink == sink, bases.key == key))
    return fields


def select_all(connection: Connection, sink: str) -> dict[str, Fields]:
    """Everything that we last published in this sink."""
    bases = tables.bases.c
    rows = connection.execute(select(bases.key, bases.fields).where(bases.sink == sink).order_by(bases.key))
    return dict(rows.all())


def remember(connection: Connection, sink: str, published: dict[str, Fields], now: datetime) -> None:
    """Keep what was published now in place of what was published before."""
    # Sorted, so that two processes that publish the same never wait for each other in a ring.
    rows = [{"sink": sink, "key": key, "fields": published[key], "published_at": now} for key in sorted(published)]
    if rows:
        connection.execute(insert_or_replace(connection.dialect.name, tables.bases), rows)


def forget(connection: Connection, sink: str, key: str) -> None:
    """Drop the base of what is no longer published."""
    bases = tables.bases.c
    connection.execute(delete(tables.bases).where(bases.sink == sink, bases.key == key))
