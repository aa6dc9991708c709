"""Calls of models in the database: replies, vectors, and the limits that all workers of a run share.

A call is reserved before it is made, so that none passes the limit. A worker that is killed leaves its reservation:
nobody knows whether those calls were made and charged.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Float,
    bindparam,
    case,
    cast,
    delete,
    func,
    insert,
    literal,
    select,
    update,
)

from studium.core.database import metrics, tables
from studium.core.database.engine import Transactions, in_chunks, insert_into, insert_new
from studium.core.database.metrics import Spent
from studium.core.domain.errors import NotFound
from studium.core.domain.usage import Budget, Call, Limits, Turn

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


_UNIX_EPOCH = 2_440_587.5
_SECONDS_PER_DAY = 86_400.0
_RUN: BindParameter[str] = bindparam("of_run")
_ROW = tables.spending.c
_LOCKED = select(_ROW.calls, _ROW.tokens, _ROW.cost).where(_ROW.run == _RUN).with_for_update()
_ADD = (
    update(tables.spending)
    .where(_ROW.run == _RUN)
    .values(
        calls=_ROW.calls + bindparam("more_calls"),
        tokens=_ROW.tokens + bindparam("more_tokens"),
        cost=_ROW.cost + bindparam("more_cost"),
    )
)


def begin(connection: Connection, run: str, spent: Spent) -> None:
    """Start counting from what the run has spent so far; an existing count stays."""
    row = {
        "run": run,
        "calls": spent.calls - spent.cached,
        "tokens": spent.input_tokens + spent.output_tokens,
        "cost": spent.cost or 0.0,
    }
    connection.execute(insert_new(connection.dialect.name, tables.spending), row)


def reserve(connection: Connection, run: str, limits: Limits, tokens: int, cost: float) -> str | None:
    """Reserve one call, or return the limit that it would exceed."""
    spent = connection.execute(_LOCKED, {"of_run": run}).first()
    if spent is None:
        raise NotFound(f"Run '{run}' has no shared limits.")
    refusal = Budget(limits, calls=spent.calls, tokens=spent.tokens, cost=spent.cost).exceeded_limit(tokens, cost)
    if refusal is None:
        add(connection, run, 1, tokens, cost)
    return refusal


def add(connection: Connection, run: str, calls: int, tokens: int, cost: float) -> None:
    """Count what was spent."""
    connection.execute(_ADD, {"of_run": run, "more_calls": calls, "more_tokens": tokens, "more_cost": cost})


def take_slot(connection: Connection, model: str, spacing: float) -> float:
    """Take the next slot of this model, and return how many seconds to wait for it."""
    now, apart = _now(connection.dialect.name), literal(spacing)
    column = tables.rate_limits.c.next_start
    first = insert_into(connection.dialect.name, tables.rate_limits).values(model=model, next_start=now + apart)
    start = case((column > now, column), else_=now)
    taken = first.on_conflict_do_update(index_elements=[tables.rate_limits.c.model], set_={"next_start": start + apart})
    wait: float = connection.execute(taken.returning(column - apart - now)).scalar_one()
    return max(wait, 0.0)


@dataclass(frozen=True)
class SharedLimitRepository:
    """The limits that all workers share; each method is one transaction."""

    db: Transactions

    def begin(self, run: str) -> None:
        """Start counting what all workers of a run spend, from what it has spent so far."""
        with self.db.writing() as connection:
            begin(connection, run, metrics.measure(connection, run).spent)

    def reserve(self, run: str, limits: Limits, *, tokens: int, cost: float) -> str | None:
        """Reserve one call of the run, or return the limit that it would exceed."""
        with self.db.writing() as connection:
            return reserve(connection, run, limits, tokens, cost)

    def settle(self, run: str, *, tokens: int, cost: float) -> None:
        """Add what a call cost beyond its reservation; the values are mostly negative."""
        with self.db.writing() as connection:
            add(connection, run, 0, tokens, cost)

    def take_slot(self, model: str, spacing: float) -> float:
        """How many seconds a call of this model must wait, if calls start `spacing` seconds apart."""
        with self.db.writing() as connection:
            return take_slot(connection, model, spacing)


def _now(dialect: str) -> ColumnElement[Any]:
    """The database's clock: those of the workers may differ."""
    if dialect == "sqlite":
        return (func.julianday("now") - _UNIX_EPOCH) * _SECONDS_PER_DAY
    return cast(func.extract("epoch", func.clock_timestamp()), Float)
