"""The journal of changes to a sink: each is written down before it is made, with what was there before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Row, func, insert, select, update

from studium.core.database import published_versions, runs, tables
from studium.core.database.engine import Transactions
from studium.core.domain.change import Change, ChangeStatus, PublishedVersion


def plan(connection: Connection, run: str, sink: str, changes: Sequence[Change]) -> list[Change]:
    """Write down what is about to be changed; each change gets its place in the run."""
    columns = tables.changes.c
    last = connection.scalar(select(func.max(columns.position)).where(columns.run == run)) or 0
    placed = [change.model_copy(update={"position": last + n}) for n, change in enumerate(changes, 1)]
    if placed:
        connection.execute(insert(tables.changes), [{"run": run, "sink": sink, **dict(change)} for change in placed])
    return placed


def finish(connection: Connection, run: str, outcomes: Mapping[int, ChangeStatus]) -> None:
    """Write down how changes ended."""
    columns = tables.changes.c
    for position, status in outcomes.items():
        connection.execute(
            update(tables.changes).where(columns.run == run, columns.position == position).values(status=status.value)
        )


def of_run(connection: Connection, run: str) -> list[tuple[str, Change]]:
    """The changes of a run in order, each with its sink."""
    columns = tables.changes.c
    rows = connection.execute(select(tables.changes).where(columns.run == run).order_by(columns.position))
    return [(row.sink, _change(row)) for row in rows]


def unfinished(connection: Connection, sink: str) -> list[tuple[str, Change]]:
    """The changes to a sink of which nobody knows whether they were made, each with its run."""
    columns = tables.changes.c
    query = select(tables.changes).where(columns.sink == sink, columns.status == ChangeStatus.PLANNED.value)
    return [(row.run, _change(row)) for row in connection.execute(query.order_by(columns.run, columns.position))]


def latest(connection: Connection, sink: str, key: str) -> tuple[str, Change] | None:
    """The last change to this key of a sink that was planned or made, and not undone, with its run."""
    columns = tables.changes.c
    stands = columns.status.in_((ChangeStatus.PLANNED.value, ChangeStatus.APPLIED.value))
    query = select(tables.changes).where(columns.sink == sink, columns.key == key, stands)
    row = connection.execute(query.order_by(columns.run.desc(), columns.position.desc())).first()
    return (row.run, _change(row)) if row else None


@dataclass(frozen=True)
class ChangeRepository:
    """The changes that runs made to sinks; each method is one transaction."""

    db: Transactions

    def plan(self, run: str, sink: str, planned: Sequence[Change]) -> list[Change]:
        """Write down what is about to be changed in a sink, with what is there now."""
        with self.db.writing() as connection:
            return plan(connection, run, sink, planned)

    def finish(
        self,
        run: str,
        sink: str,
        outcomes: Mapping[int, ChangeStatus],
        published: Mapping[str, PublishedVersion] | None = None,
    ) -> None:
        """Write down how changes ended, and what was published by them, in one transaction."""
        with self.db.writing() as connection:
            finish(connection, run, outcomes)
            published_versions.remember(connection, sink, published or {}, self.db.clock())

    def of_run(self, run: str) -> list[tuple[str, Change]]:
        """The changes that a run made, in order, each with its sink."""
        with self.db.reading() as connection:
            return of_run(connection, runs.find(connection, run).id)

    def unfinished(self, sink: str) -> list[tuple[str, Change]]:
        """The changes to a sink of which nobody knows whether they were made, each with its run."""
        with self.db.reading() as connection:
            return unfinished(connection, sink)

    def latest(self, sink: str, key: str) -> tuple[str, Change] | None:
        """The last change to this key of a sink that was planned or made, and not undone, with its run."""
        with self.db.reading() as connection:
            return latest(connection, sink, key)


def _change(row: Row[tuple[object, ...]]) -> Change:
    return Change.model_validate({name: getattr(row, name) for name in Change.model_fields})
