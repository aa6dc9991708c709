"""Replies of chat models, calls and vectors in the database."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select

from studium.core.database import tables
from studium.core.database.engine import Transactions, in_chunks, insert_new
from studium.core.domain.usage import Call, Turn

_TURN = select(tables.turns.c.key, tables.turns.c.skill, tables.turns.c.model, tables.turns.c.reply).where(
    tables.turns.c.key == bindparam("key")
)
_FORGET = delete(tables.turns).where(tables.turns.c.key.in_(bindparam("among", expanding=True)))
_COUNT = insert(tables.calls)


def recall(connection: Connection, key: str) -> Turn | None:
    """The cached reply for this key, if there is one."""
    row = connection.execute(_TURN, {"key": key}).first()
    return Turn(key=row.key, skill=row.skill, model=row.model, reply=row.reply) if row else None


def keep(connection: Connection, turn: Turn, now: datetime) -> None:
    """Save a reply; of two replies for one key the first stays."""
    connection.execute(insert_new(connection.dialect.name, tables.turns), {**turn.model_dump(), "kept_at": now})


def forget(connection: Connection, keys: Sequence[str]) -> None:
    """Delete replies."""
    for some in in_chunks(keys):
        connection.execute(_FORGET, {"among": some})


def count(connection: Connection, made: Iterable[tuple[Call, str, str]], now: datetime) -> None:
    """Record calls, each with its run and item (empty: none)."""
    rows = [
        {**call.model_dump(mode="json"), "run": run or None, "item": item or None, "made_at": now}
        for call, run, item in made
    ]
    if rows:
        connection.execute(_COUNT, rows)


@dataclass(frozen=True)
class TurnRepository:
    """Replies of chat models, and calls; each method is one transaction."""

    db: Transactions

    def recall(self, key: str) -> Turn | None:
        """The cached reply for this key, if there is one."""
        with self.db.reading() as connection:
            return recall(connection, key)

    def remember(self, turn: Turn | None, call: Call, *, run: str, item: str) -> None:
        """Save a reply (if it is worth keeping) and its call, in one transaction."""
        now = self.db.clock()
        with self.db.writing() as connection:
            if turn:
                keep(connection, turn, now)
            count(connection, [(call, run, item)], now)

    def forget(self, keys: Sequence[str]) -> None:
        """Delete useless replies, so that the next run asks again."""
        with self.db.writing() as connection:
            forget(connection, keys)


_VECTORS = select(tables.vectors.c.key, tables.vectors.c.vector).where(
    tables.vectors.c.embedder == bindparam("embedder"),
    tables.vectors.c.key.in_(bindparam("among", expanding=True)),
)


def recall_vectors(connection: Connection, embedder: str, keys: Sequence[str]) -> dict[str, bytes]:
    """The known vectors."""
    known: dict[str, bytes] = {}
    for some in in_chunks(keys):
        known.update(connection.execute(_VECTORS, {"embedder": embedder, "among": some}).all())
    return known


def remember(connection: Connection, embedder: str, vectors: dict[str, bytes]) -> None:
    """Save vectors; a known one stays as it is."""
    # Sorted, so that two processes that keep the same vectors never deadlock.
    rows = [{"embedder": embedder, "key": key, "vector": vectors[key]} for key in sorted(vectors)]
    if rows:
        connection.execute(insert_new(connection.dialect.name, tables.vectors), rows)


@dataclass(frozen=True)
class VectorRepository:
    """Vectors by embedder and content; each method is one transaction."""

    db: Transactions

    def recall(self, embedder: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The known vectors, as little-endian float32."""
        with self.db.reading() as connection:
            return recall_vectors(connection, embedder, keys)

    def remember(self, embedder: str, vectors: dict[str, bytes]) -> None:
        """Save vectors."""
        with self.db.writing() as connection:
            remember(connection, embedder, vectors)
