"""The words of saved songs, with their lyrics if the user wants them stored."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table of songs."""
    op.create_table(
        "songs",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("song", sa.Text(), nullable=False),
        sa.Column("artist", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("vocabulary", sa.JSON(), nullable=False),
        sa.Column("lyrics", sa.Text(), nullable=True),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
