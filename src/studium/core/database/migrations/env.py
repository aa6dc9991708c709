"""Alembic's environment: it migrates over the connection, and in the transaction, that `engine` passes to it."""

from alembic import context

from studium.core.database.tables import VERSION_TABLE, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,
)
context.run_migrations()
