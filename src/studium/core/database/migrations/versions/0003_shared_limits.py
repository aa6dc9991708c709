"""The limits that the workers of a run share: its spending, and the rate of each model."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the tables that workers count in."""
    op.create_table(
        "spending",
        sa.Column("run", sa.Text(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("run"),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_spending_run"),
    )
    op.create_table(
        "paces",
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("next_start", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("model"),
    )
