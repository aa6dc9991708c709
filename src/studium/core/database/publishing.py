"""Published versions, file states and changes in the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from studium.core.database import runs, tables
from studium.core.database.engine import Transactions, in_chunks, insert_or_replace
from studium.core.domain.decision import Change, ChangeStatus, FileState, PublishedVersion


def select_versions(connection: Connection, sink: str) -> dict[str, PublishedVersion]:
    """What was last published in this sink, by key."""
    bases = tables.published_versions.c
    rows = connection.execute(select(bases.key, bases.fields, bases.about).where(bases.sink == sink))
    return {key: PublishedVersion.model_construct(fields=fields, about=about) for key, fields, about in rows}


def select_details(connection: Connection, sink: str) -> dict[str, dict[str, Any]]:
    """The details of what was published in this sink, without the fields."""
    bases = tables.published_versions.c
    return dict(connection.execute(select(bases.key, bases.about).where(bases.sink == sink)).all())


def select_sinks(connection: Connection, beginning: str) -> list[str]:
    """The sinks with published versions whose names start so."""
    sink = tables.published_versions.c.sink
    return list(connection.scalars(select(sink).where(sink.startswith(beginning, autoescape=True)).distinct()))


def remember(connection: Connection, sink: str, published: Mapping[str, PublishedVersion], now: datetime) -> None:
    """Replace published versions."""
    # Sorted, so that two processes that publish the same never deadlock.
    rows = [
        {"sink": sink, "key": key, "fields": published[key].fields, "about": published[key].about, "published_at": now}
        for key in sorted(published)
    ]
    if rows:
        connection.execute(insert_or_replace(connection.dialect.name, tables.published_versions), rows)


def delete_versions(connection: Connection, sink: str, keys: Sequence[str]) -> None:
    """Delete the versions of what is no longer published."""
    bases = tables.published_versions.c
    for chunk in in_chunks(keys):
        connection.execute(delete(tables.published_versions).where(bases.sink == sink, bases.key.in_(chunk)))


def select_file_states(connection: Connection, sink: str) -> dict[str, FileState]:
    """The states of files when they were last synced."""
    columns = tables.file_states.c
    rows = connection.execute(
        select(columns.path, columns.modified, columns.size, columns.stamp).where(columns.sink == sink)
    )
    return {path: FileState.model_construct(modified=at, size=size, stamp=stamp) for path, at, size, stamp in rows}


def save_file_states(connection: Connection, sink: str, files: Mapping[str, FileState | None]) -> None:
    """Save file states; `None` deletes one."""
    columns = tables.file_states.c
    for chunk in in_chunks([path for path, file in files.items() if file is None]):
        connection.execute(delete(tables.file_states).where(columns.sink == sink, columns.path.in_(chunk)))
    rows = [{"sink": sink, "path": path, **dict(file)} for path, file in sorted(files.items()) if file is not None]
    if rows:
        connection.execute(insert_or_replace(connection.dialect.name, tables.file_states), rows)


def delete_sinks(connection: Connection, sinks: Sequence[str]) -> None:
    """Delete the published versions and file states of sinks."""
    for some in in_chunks(sinks):
        for table in (tables.published_versions, tables.file_states):
            connection.execute(delete(table).where(table.c.sink.in_(some)))


@dataclass(frozen=True)
class PublishedRepository:
    """Published versions and file states of each sink; each method is one transaction."""

    db: Transactions

    def versions(self, sink: str) -> dict[str, PublishedVersion]:
        """What was last published in this sink, by key."""
        with self.db.reading() as connection:
            return select_versions(connection, sink)

    def details(self, sink: str) -> dict[str, dict[str, Any]]:
        """The details of everything in this sink; far quicker than the versions."""
        with self.db.reading() as connection:
            return select_details(connection, sink)

    def sinks(self, prefix: str) -> list[str]:
        """The sinks with published versions whose names start so."""
        with self.db.reading() as connection:
            return select_sinks(connection, prefix)

    def save(self, sink: str, versions: Mapping[str, PublishedVersion]) -> None:
        """Replace published versions."""
        with self.db.writing() as connection:
            remember(connection, sink, versions, self.db.clock())

    def delete(self, sink: str, keys: Sequence[str]) -> None:
        """Delete what is no longer published."""
        with self.db.writing() as connection:
            delete_versions(connection, sink, keys)

    def file_states(self, sink: str) -> dict[str, FileState]:
        """The states of files when they were last synced to this sink."""
        with self.db.reading() as connection:
            return select_file_states(connection, sink)

    def save_file_states(self, sink: str, files: Mapping[str, FileState | None]) -> None:
        """Save file states; `None` deletes one."""
        with self.db.writing() as connection:
            save_file_states(connection, sink, files)

    def delete_sinks(self, sinks: Sequence[str]) -> None:
        """Delete the published versions and file states of sinks; repeating it changes nothing."""
        with self.db.writing() as connection:
            delete_sinks(connection, sinks)


def plan(connection: Connection, run: str, sink: str, changes: Sequence[Change]) -> list[Change]:
    """Record planned changes; each gets its position in the run."""
    columns = tables.changes.c
    last = connection.scalar(select(func.max(columns.position)).where(columns.run == run)) or 0
    placed = [change.model_copy(update={"position": last + n}) for n, change in enumerate(changes, 1)]
    if placed:
        connection.execute(insert(tables.changes), [{"run": run, "sink": sink, **dict(change)} for change in placed])
    return placed


def finish(connection: Connection, run: str, outcomes: Mapping[int, ChangeStatus]) -> None:
    """Record the outcomes of changes."""
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
    """The changes to a sink that may or may not have been made, each with its run."""
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
        """Record planned changes to a sink, with what is there now."""
        with self.db.writing() as connection:
            return plan(connection, run, sink, planned)

    def finish(
        self,
        run: str,
        sink: str,
        outcomes: Mapping[int, ChangeStatus],
        published: Mapping[str, PublishedVersion] | None = None,
    ) -> None:
        """Record the outcomes of changes and what they published, in one transaction."""
        with self.db.writing() as connection:
            finish(connection, run, outcomes)
            remember(connection, sink, published or {}, self.db.clock())

    def of_run(self, run: str) -> list[tuple[str, Change]]:
        """The changes that a run made, in order, each with its sink."""
        with self.db.reading() as connection:
            return of_run(connection, runs.find(connection, run).id)

    def unfinished(self, sink: str) -> list[tuple[str, Change]]:
        """The changes to a sink that may or may not have been made, each with its run."""
        with self.db.reading() as connection:
            return unfinished(connection, sink)

    def latest(self, sink: str, key: str) -> tuple[str, Change] | None:
        """The last change to this key of a sink that was planned or made, and not undone, with its run."""
        with self.db.reading() as connection:
            return latest(connection, sink, key)


def _change(row: Row[tuple[object, ...]]) -> Change:
    return Change.model_validate({name: getattr(row, name) for name in Change.model_fields})
