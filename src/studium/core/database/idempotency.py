"""Replies in the database: what was answered to requests that may come twice."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete, select

from studium.core.database import tables
from studium.core.database.engine import Transactions
from studium.core.database.statements import insert_new
from studium.core.domain.job import StoredResponse

RETENTION = timedelta(days=2)


@dataclass(frozen=True)
class IdempotencyRepository:
    """The replies of a database, by idempotency key; each method is one transaction."""

    db: Transactions

    def get(self, key: str) -> StoredResponse | None:
        """What was answered to the request with this key, if it came before."""
        known = select(tables.idempotency_keys).where(tables.idempotency_keys.c.key == key)
        with self.db.reading() as connection:
            row = connection.execute(known).mappings().first()
        return StoredResponse.model_validate({name: row[name] for name in StoredResponse.model_fields}) if row else None

    def save(self, key: str, reply: StoredResponse) -> None:
        """Keep what was answered, if nothing was yet; what is older than two days goes."""
        now = self.db.clock()
        with self.db.writing() as connection:
            connection.execute(
                delete(tables.idempotency_keys).where(tables.idempotency_keys.c.kept_at < now - RETENTION)
            )
            row = {"key": key, "kept_at": now, **reply.model_dump()}
            connection.execute(insert_new(connection.dialect.name, tables.idempotency_keys), row)
