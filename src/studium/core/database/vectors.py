"""Vectors in the database, by embedder and content."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select

from studium.core.database import tables
from studium.core.database.engine import Transactions
from studium.core.database.statements import in_chunks, insert_new

_VECTORS = select(tables.vectors.c.key, tables.vectors.c.vector).where(
    tables.vectors.c.embedder == bindparam("embedder"),
    tables.vectors.c.key.in_(bindparam("among", expanding=True)),
)


def recall(connection: Connection, embedder: str, keys: Sequence[str]) -> dict[str, bytes]:
    """The vectors that are known."""
    known: dict[str, bytes] = {}
    for some in in_chunks(keys):
        known.update(connection.execute(_VECTORS, {"embedder": embedder, "among": some}).all())
    return known


def remember(connection: Connection, embedder: str, vectors: dict[str, bytes]) -> None:
    """Keep vectors; one that is known stays as it is."""
    # Sorted, so that two processes that keep the same vectors never wait for each other in a ring.
    rows = [{"embedder": embedder, "key": key, "vector": vectors[key]} for key in sorted(vectors)]
    if rows:
        connection.execute(insert_new(connection.dialect.name, tables.vectors), rows)


@dataclass(frozen=True)
class VectorRepository:
    """The vectors of a database; each method is one transaction."""

    db: Transactions

    def recall(self, embedder: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The little-endian float32 vectors that are known."""
        with self.db.reading() as connection:
            return recall(connection, embedder, keys)

    def remember(self, embedder: str, vectors: dict[str, bytes]) -> None:
        """Keep vectors."""
        with self.db.writing() as connection:
            remember(connection, embedder, vectors)
