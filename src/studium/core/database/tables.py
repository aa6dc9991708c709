"""The tables of the database, the same on SQLite and PostgreSQL.

A change here needs a new file in `migrations/versions` and a new `HEAD`; a test compares the two.
"""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
)

HEAD = "0007"
VERSION_TABLE = "ledger_version"


class UtcDateTime(TypeDecorator[datetime]):
    """A UTC time: SQLite drops the zone, PostgreSQL converts to the session's."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - its name is SQLAlchemy's
        """Write UTC."""
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - likewise
        """Read UTC."""
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


def _json(name: str, *, nullable: bool = False) -> Column[Any]:
    return Column(name, JSON(none_as_null=True), nullable=nullable)


def _text(name: str, *constraints: ForeignKey, primary_key: bool = False) -> Column[str]:
    return Column(name, Text, *constraints, primary_key=primary_key, nullable=False)


metadata = MetaData(
    naming_convention={
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

runs = Table(
    "runs",
    metadata,
    _text("id", primary_key=True),
    _text("feature"),
    _json("arguments"),
    _text("fingerprint"),
    _text("status"),
    Column("started_at", UtcDateTime, nullable=False),
    Column("finished_at", UtcDateTime),
    Column("note", Text),
    Index(None, "feature", "fingerprint"),
    Index(None, "started_at"),
)

items = Table(
    "items",
    metadata,
    _text("run", ForeignKey("runs.id"), primary_key=True),
    _text("item", primary_key=True),
    Column("settled_at", UtcDateTime, nullable=False),
)

decisions = Table(
    "decisions",
    metadata,
    _text("run", primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    _text("item"),
    _text("action"),
    Column("score", Float),
    _json("body"),
    ForeignKeyConstraint(["run", "item"], ["items.run", "items.item"]),
)

findings = Table(
    "findings",
    metadata,
    _text("run", primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    _text("code"),
    _text("severity"),
    _text("message"),
    _json("place", nullable=True),
    ForeignKeyConstraint(["run", "position"], ["decisions.run", "decisions.position"]),
)

reviews = Table(
    "reviews",
    metadata,
    _text("id", primary_key=True),
    _text("run", ForeignKey("runs.id")),
    _text("feature"),
    _json("decision"),
    _text("status"),
    _json("answer", nullable=True),
    Column("comment", Text),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("answered_at", UtcDateTime),
    Index(None, "status", "opened_at"),
)

calls = Table(
    "calls",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("run", Text, ForeignKey("runs.id")),
    Column("item", Text),
    Column("made_at", UtcDateTime, nullable=False),
    _text("skill"),
    _text("role"),
    _text("model"),
    _text("outcome"),
    Column("seconds", Float, nullable=False),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("cost", Float),
    Column("cached", Boolean, nullable=False),
    Index(None, "run"),
)

turns = Table(
    "turns",
    metadata,
    _text("key", primary_key=True),
    _text("skill"),
    _text("model"),
    _json("reply"),
    Column("kept_at", UtcDateTime, nullable=False),
)

spending = Table(
    "spending",
    metadata,
    _text("run", ForeignKey("runs.id"), primary_key=True),
    Column("calls", Integer, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("cost", Float, nullable=False),
)

rate_limits = Table(
    "rate_limits",
    metadata,
    _text("model", primary_key=True),
    Column("next_start", Float, nullable=False),
)

vectors = Table(
    "vectors",
    metadata,
    _text("embedder", primary_key=True),
    _text("key", primary_key=True),
    Column("vector", LargeBinary, nullable=False),
)

published_versions = Table(
    "published_versions",
    metadata,
    _text("sink", primary_key=True),
    _text("key", primary_key=True),
    _json("fields"),
    Column("published_at", UtcDateTime, nullable=False),
    Column("about", JSON(none_as_null=True), nullable=False, server_default="{}"),
)

file_states = Table(
    "file_states",
    metadata,
    _text("sink", primary_key=True),
    _text("path", primary_key=True),
    Column("modified", BigInteger, nullable=False),
    Column("size", BigInteger, nullable=False),
    _text("stamp"),
)

changes = Table(
    "changes",
    metadata,
    _text("run", ForeignKey("runs.id"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    _text("sink"),
    _text("key"),
    _text("kind"),
    _json("before", nullable=True),
    _json("after"),
    _text("status"),
    Index(None, "sink", "status"),
)

songs = Table(
    "songs",
    metadata,
    _text("key", primary_key=True),
    _text("song"),
    _text("artist"),
    _text("source"),
    _json("vocabulary"),
    Column("lyrics", Text, nullable=True),
    Column("kept_at", UtcDateTime, nullable=False),
)

jobs = Table(
    "jobs",
    metadata,
    _text("id", primary_key=True),
    _text("type"),
    _json("request"),
    _text("status"),
    Column("run", Text),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    _text("item"),
    _json("result", nullable=True),
    _json("problem", nullable=True),
    _json("files"),
    Column("created_at", UtcDateTime, nullable=False),
    Column("finished_at", UtcDateTime),
    Index(None, "created_at"),
    Index(None, "status"),
)

question_reviews = Table(
    "question_reviews",
    metadata,
    _text("run", ForeignKey("runs.id"), primary_key=True),
    _text("item", primary_key=True),
    Column("revision", Integer, nullable=False),
    _text("status"),
    _json("pair", nullable=True),
    _json("history"),
    Column("decided_at", UtcDateTime, nullable=False),
)

idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    _text("key", primary_key=True),
    _text("fingerprint"),
    Column("status", Integer, nullable=False),
    _json("headers"),
    _text("body"),
    Column("kept_at", UtcDateTime, nullable=False),
)
