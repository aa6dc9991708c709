"""Rename tables and columns as the code names them."""

from alembic import op

revision = "0006"
down_revision = "0005"

_TABLES = {
    "orders": "jobs",
    "bases": "published_versions",
    "seen": "file_states",
    "paces": "rate_limits",
    "replies": "idempotency_keys",
}


def upgrade() -> None:
    """Rename what is there; no row changes."""
    for index, table in (("faculty_fingerprint", "runs"), ("placed_at", "orders"), ("status", "orders")):
        op.drop_index(f"ix_{table}_{index}", table)
    for old, new in _TABLES.items():
        op.rename_table(old, new)
    for table in ("runs", "reviews"):
        op.alter_column(table, "faculty", new_column_name="feature")
    for old, new in (("kind", "type"), ("placed_at", "created_at"), ("ended_at", "finished_at")):
        op.alter_column("jobs", old, new_column_name=new)
    op.create_index("ix_runs_feature_fingerprint", "runs", ["feature", "fingerprint"])
    op.create_index("ix_jobs_created_at", "jobs", ["created_at"])
    op.create_index("ix_jobs_status", "jobs", ["status"])
