"""Published versions, file states, and the changes made to a sink."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables that syncing needs."""
    op.add_column("bases", sa.Column("about", sa.JSON(), nullable=False, server_default="{}"))
    op.create_table(
        "seen",
        sa.Column("sink", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("modified", sa.BigInteger(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("stamp", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("sink", "path"),
    )
    op.create_table(
        "changes",
        sa.Column("run", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("sink", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("before", sa.JSON(none_as_null=True)),
        sa.Column("after", sa.JSON(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("run", "position"),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_changes_run"),
    )
    op.create_index("ix_changes_sink_status", "changes", ["sink", "status"])
