"""The database of runs, decisions, reviews, jobs, model calls, caches and published versions.

    with Database.open("sqlite:///database.db") as database:
        run = database.runs.start("cards", {"vault": "notes"})
        database.items.save(run.id, "ospf.md", decisions)
        database.runs.finish(run.id, "done")

There is a repository for each kind of record. Every method of one is a transaction, and may be called from any thread,
and from several processes on the same database.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Self

from sqlalchemy import Engine

from studium.core.database import engine as opening
from studium.core.database.engine import Transactions, translate_errors
from studium.core.database.items import ItemRepository, ItemResult
from studium.core.database.jobs import IdempotencyRepository, JobRepository
from studium.core.database.metrics import Metrics, MetricsRepository
from studium.core.database.model_calls import SharedLimitRepository, TurnRepository, VectorRepository
from studium.core.database.publishing import ChangeRepository, PublishedRepository
from studium.core.database.reviews import ReviewRepository
from studium.core.database.runs import RunRepository
from studium.core.domain.run import Run, RunStatus

__all__ = ["Database", "ItemResult", "Metrics", "Run", "RunStatus"]


def utc_now() -> datetime:
    """The current time."""
    return datetime.now(UTC)


class Database:
    """A repository for each kind of record, over one SQLite file or PostgreSQL database."""

    def __init__(self, engine: Engine, display_name: str, clock: Callable[[], datetime]) -> None:
        self.display_name = display_name
        self._engine = engine
        self.transactions = Transactions(engine, display_name, clock)
        self.runs = RunRepository(self.transactions)
        self.items = ItemRepository(self.transactions)
        self.reviews = ReviewRepository(self.transactions)
        self.jobs = JobRepository(self.transactions)
        self.idempotency = IdempotencyRepository(self.transactions)
        self.published = PublishedRepository(self.transactions)
        self.changes = ChangeRepository(self.transactions)
        self.turns = TurnRepository(self.transactions)
        self.vectors = VectorRepository(self.transactions)
        self.limits = SharedLimitRepository(self.transactions)
        self.metrics = MetricsRepository(self.transactions)

    @property
    def is_on_server(self) -> bool:
        """Whether it is a PostgreSQL server, which other machines can use, and not a file."""
        return self._engine.dialect.name != "sqlite"

    @classmethod
    def open(cls, url: str, *, clock: Callable[[], datetime] = utc_now, timeout: float = 10.0) -> Self:
        """Open the database at this address, creating or migrating it; `timeout` is how long to wait for locks."""
        address = opening.read_address(url)
        display_name = opening.display_name(address)
        with translate_errors(display_name):
            return cls(opening.open_engine(address, timeout), display_name, clock)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
