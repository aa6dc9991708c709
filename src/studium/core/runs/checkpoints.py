"""Where the state of a long loop is kept between its steps: SQLite, or PostgreSQL beside the database."""

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium.core.domain.errors import MissingExtra, ServiceDown

if TYPE_CHECKING:
    from langgraph.checkpoint.serde.base import SerializerProtocol


@asynccontextmanager
async def open_checkpoints(
    url: str, types: Sequence[type], milestones: Sequence[str] = (), *, only_latest: bool = False
) -> AsyncIterator[Any]:
    """The checkpointer at this database URL; only these types of ours are ever read back from it.

    With `milestones` a state is kept only when one of these fields of it changed: what lies between is made again, at
    no cost where the model remembers its turns. With `only_latest` a state replaces the one before it: a long review
    then takes no more room than a short one.
    """
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    serializer = JsonPlusSerializer(allowed_msgpack_modules=types)
    opened = _postgres(url, serializer) if url.startswith("postgresql") else _sqlite(url, serializer)
    async with opened as saver:
        await saver.setup()
        if milestones:
            _keep_milestones(saver, frozenset(milestones))
        if only_latest:
            _keep_latest(saver)
        yield saver


def _keep_milestones(saver: Any, fields: frozenset[str]) -> None:
    keep = saver.aput

    async def keep_milestone(config: Any, checkpoint: Any, metadata: Any, _new_versions: Any) -> Any:
        if fields.isdisjoint(checkpoint["updated_channels"] or ()):
            return {"configurable": config["configurable"] | {"checkpoint_id": checkpoint["id"]}}
        # Not only what changed since the last step: the steps before were not kept.
        return await keep(config, checkpoint, metadata, checkpoint["channel_versions"])

    async def keep_nothing(*_: Any) -> None:
        """What a step wrote before it ended is not kept either."""

    saver.aput, saver.aput_writes = keep_milestone, keep_nothing


def _keep_latest(saver: Any) -> None:
    keep = saver.aput

    async def keep_in_place(config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        kept = await keep(config, checkpoint, metadata, new_versions)
        thread = config["configurable"]["thread_id"]
        if hasattr(saver, "conn") and hasattr(saver.conn, "total_changes"):
            await _prune_sqlite(saver, thread, checkpoint["id"])
        else:
            await saver.aprune([thread], strategy="keep_latest")
        return kept

    saver.aput = keep_in_place


async def _prune_sqlite(saver: Any, thread: str, latest: str) -> None:
    """What the SQLite saver does not do yet: drop a thread's older states, and what was written on them."""
    async with saver.lock:
        for table in ("writes", "checkpoints"):
            statement = f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_id < ?"  # noqa: S608 - our own names
            await saver.conn.execute(statement, (thread, latest))
        await saver.conn.commit()


@asynccontextmanager
async def _sqlite(url: str, serializer: "SerializerProtocol") -> AsyncIterator[Any]:
    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    path = Path(url.removeprefix("sqlite:///"))
    path.parent.mkdir(parents=True, exist_ok=True)
    async with aiosqlite.connect(path) as connection:
        yield AsyncSqliteSaver(connection, serde=serializer)


@asynccontextmanager
async def _postgres(url: str, serializer: "SerializerProtocol") -> AsyncIterator[Any]:
    try:
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
        from psycopg import OperationalError
    except ImportError as error:
        raise MissingExtra("PostgreSQL support is not installed.", remedy="pip install 'studium[postgres]'") from error
    plain = "postgresql" + url[url.index("://") :]
    try:
        async with AsyncPostgresSaver.from_conn_string(plain, serde=serializer) as saver:
            yield saver
    except OperationalError as error:
        raise ServiceDown(
            "PostgreSQL does not answer.", remedy="Start it, or correct `database` in studium.yaml."
        ) from error


async def delete_threads(saver: Any, names: Collection[str]) -> None:
    """Forget the threads of these names, and all that runs of these names began (`RUN:item`)."""
    found = await saver.conn.execute("SELECT DISTINCT thread_id FROM checkpoints")
    for row in await found.fetchall():
        thread = row["thread_id"] if isinstance(row, dict) else row[0]
        if thread in names or thread.partition(":")[0] in names:
            await saver.adelete_thread(thread)
