"""Runs in the database."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from secrets import choice
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, update

from studium.core.database import tables
from studium.core.database.engine import Transactions, clean_text, find_id, in_chunks
from studium.core.domain.errors import NotFound
from studium.core.domain.run import Run, RunStatus
from studium.core.redaction import redact_json

# The tables that refer to a run, each before those it refers to.
_OF_A_RUN = (
    tables.findings,
    tables.decisions,
    tables.items,
    tables.reviews,
    tables.calls,
    tables.spending,
    tables.changes,
    tables.question_reviews,
)
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_COLUMNS = [column for column in tables.runs.c if column.name != "fingerprint"]
_NEWEST_FIRST = select(*_COLUMNS).order_by(tables.runs.c.started_at.desc(), tables.runs.c.id.desc())
_LOCK = select(tables.runs.c.feature).where(tables.runs.c.id == bindparam("run")).with_for_update()


def new_run_id(now: datetime) -> str:
    """An id that sorts by time and is readable: `261103-142530-k7q2x`."""
    return f"{now:%y%m%d-%H%M%S}-" + "".join(choice(_LETTERS) for _ in range(5))


def start(connection: Connection, feature: str, arguments: dict[str, Any], note: str | None, now: datetime) -> Run:
    """Start a run."""
    cleaned = {"arguments": redact_json(arguments), "note": note and clean_text(note)}
    run = Run(id=new_run_id(now), feature=feature, started_at=now, **cleaned)
    row = {
        "id": run.id,
        "feature": run.feature,
        "arguments": run.arguments,
        "fingerprint": _fingerprint(run.arguments),
        "status": run.status,
        "started_at": run.started_at,
        "note": run.note,
    }
    connection.execute(insert(tables.runs), row)
    return run


def unfinished(connection: Connection, feature: str, arguments: dict[str, Any]) -> Run | None:
    """The newest unfinished run with exactly these arguments."""
    runs = tables.runs.c
    same = (runs.feature == feature) & (runs.fingerprint == _fingerprint(redact_json(arguments)))
    row = connection.execute(_NEWEST_FIRST.where(same & (runs.status != "done")).limit(1)).first()
    return _run(row) if row else None


def find(connection: Connection, given: str) -> Run:
    """The run with this id, or the only one whose id starts so."""
    run_id = find_id(connection, tables.runs.c.id, given, "run")
    return _run(connection.execute(select(*_COLUMNS).where(tables.runs.c.id == run_id)).one())


def newest(connection: Connection, limit: int, offset: int, feature: str | None) -> list[Run]:
    """The latest runs, newest first."""
    wanted = _NEWEST_FIRST.where(tables.runs.c.feature == feature) if feature else _NEWEST_FIRST
    return [_run(row) for row in connection.execute(wanted.limit(limit).offset(offset))]


def count(connection: Connection, feature: str | None) -> int:
    """The number of runs."""
    every = select(func.count()).select_from(tables.runs)
    return connection.scalar(every.where(tables.runs.c.feature == feature) if feature else every) or 0


def finish(connection: Connection, run: Run, status: RunStatus, note: str | None, now: datetime) -> Run:
    """Record how a run ended."""
    ended = run.model_copy(
        update={"status": status, "finished_at": now, "note": clean_text(note) if note else run.note}
    )
    change = {"status": status, "finished_at": now, "note": ended.note}
    connection.execute(update(tables.runs).where(tables.runs.c.id == run.id).values(change))
    return ended


def lock(connection: Connection, run_id: str) -> str:
    """Lock the run's items until the transaction ends, and return the run's feature."""
    feature: str | None = connection.scalar(_LOCK, {"run": run_id})
    if feature is None:
        raise NotFound(f"There is no run '{run_id}'.")
    return feature


def delete_runs(connection: Connection, ids: Sequence[str]) -> None:
    """Delete runs with their decisions, reviews, calls and changes; a job that made one stays, without its run."""
    for some in in_chunks(ids):
        for table in _OF_A_RUN:
            connection.execute(delete(table).where(table.c.run.in_(some)))
        connection.execute(update(tables.jobs).where(tables.jobs.c.run.in_(some)).values(run=None))
        connection.execute(delete(tables.runs).where(tables.runs.c.id.in_(some)))


@dataclass(frozen=True)
class RunRepository:
    """The runs of a database; each method is one transaction."""

    db: Transactions

    def start(self, feature: str, arguments: dict[str, Any], note: str | None = None) -> Run:
        """Start a run; the note describes it in a few words."""
        with self.db.writing() as connection:
            return start(connection, feature, arguments, note, self.db.clock())

    def unfinished(self, feature: str, arguments: dict[str, Any]) -> Run | None:
        """The newest unfinished run with exactly these arguments."""
        with self.db.reading() as connection:
            return unfinished(connection, feature, arguments)

    def get(self, given: str) -> Run:
        """The run with this id, or the only one whose id starts so."""
        with self.db.reading() as connection:
            return find(connection, given)

    def newest(self, limit: int = 20, offset: int = 0, *, feature: str | None = None) -> list[Run]:
        """The latest runs, newest first."""
        with self.db.reading() as connection:
            return newest(connection, limit, offset, feature)

    def count(self, feature: str | None = None) -> int:
        """The number of runs."""
        with self.db.reading() as connection:
            return count(connection, feature)

    def finish(self, run: str, status: RunStatus, note: str | None = None) -> Run:
        """Record how a run ended; without a note, it keeps the one it has."""
        with self.db.writing() as connection:
            return finish(connection, find(connection, run), status, note, self.db.clock())

    def delete(self, ids: Sequence[str]) -> None:
        """Delete runs with everything that refers to them; repeating it changes nothing."""
        with self.db.writing() as connection:
            delete_runs(connection, ids)


def _run(row: Row[Any]) -> Run:
    fields = row._asdict()
    return Run(feature=fields.pop("feature"), **fields)


def _fingerprint(arguments: dict[str, Any]) -> str:
    return sha256(json.dumps(arguments, sort_keys=True).encode()).hexdigest()
