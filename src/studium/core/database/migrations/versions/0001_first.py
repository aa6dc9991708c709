"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(name: str, *, nullable: bool = False) -> "sa.Column[str]":
    return sa.Column(name, sa.Text(), nullable=nullable)


def _json(name: str, *, nullable: bool = False) -> "sa.Column[object]":
    return sa.Column(name, sa.JSON(), nullable=nullable)


def _moment(name: str, *, nullable: bool = False) -> "sa.Column[object]":
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _integer(name: str) -> "sa.Column[int]":
    return sa.Column(name, sa.Integer(), nullable=False)


def upgrade() -> None:
    """Make every table."""
    _make_runs()
    _make_reviews()
    _make_calls()
    _make_stores()


def _make_runs() -> None:
    op.create_table(
        "runs",
        _text("id"),
        _text("faculty"),
        _json("arguments"),
        _text("fingerprint"),
        _text("status"),
        _moment("started_at"),
        _moment("finished_at", nullable=True),
        _text("note", nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_runs_faculty_fingerprint", "runs", ["faculty", "fingerprint"])
    op.create_index("ix_runs_started_at", "runs", ["started_at"])
    op.create_table(
        "items",
        _text("run"),
        _text("item"),
        _moment("settled_at"),
        sa.PrimaryKeyConstraint("run", "item"),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_items_run"),
    )
    op.create_table(
        "decisions",
        _text("run"),
        _integer("position"),
        _text("item"),
        _text("action"),
        sa.Column("score", sa.Float()),
        _json("body"),
        sa.PrimaryKeyConstraint("run", "position"),
        sa.ForeignKeyConstraint(["run", "item"], ["items.run", "items.item"], name="fk_decisions_run_item"),
    )
    op.create_table(
        "findings",
        _text("run"),
        _integer("position"),
        _integer("ordinal"),
        _text("code"),
        _text("severity"),
        _text("message"),
        _json("place", nullable=True),
        sa.PrimaryKeyConstraint("run", "position", "ordinal"),
        sa.ForeignKeyConstraint(
            ["run", "position"], ["decisions.run", "decisions.position"], name="fk_findings_run_position"
        ),
    )


def _make_reviews() -> None:
    op.create_table(
        "reviews",
        _text("id"),
        _text("run"),
        _text("faculty"),
        _json("decision"),
        _text("status"),
        _json("answer", nullable=True),
        _text("comment", nullable=True),
        _moment("opened_at"),
        _moment("answered_at", nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_reviews_run"),
    )
    op.create_index("ix_reviews_status_opened_at", "reviews", ["status", "opened_at"])


def _make_calls() -> None:
    op.create_table(
        "calls",
        sa.Column("id", _NUMBER, nullable=False),
        _text("run", nullable=True),
        _text("item", nullable=True),
        _moment("made_at"),
        _text("skill"),
        _text("role"),
        _text("model"),
        _text("outcome"),
        sa.Column("seconds", sa.Float(), nullable=False),
        _integer("input_tokens"),
        _integer("output_tokens"),
        sa.Column("cost", sa.Float()),
        sa.Column("cached", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_calls_run"),
    )
    op.create_index("ix_calls_run", "calls", ["run"])


def _make_stores() -> None:
    op.create_table(
        "turns",
        _text("key"),
        _text("skill"),
        _text("model"),
        _json("reply"),
        _moment("kept_at"),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "vectors",
        _text("embedder"),
        _text("key"),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("embedder", "key"),
    )
    op.create_table(
        "bases",
        _text("sink"),
        _text("key"),
        _json("fields"),
        _moment("published_at"),
        sa.PrimaryKeyConstraint("sink", "key"),
    )
