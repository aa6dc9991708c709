"""Checkpoints of long graphs, in SQLite or PostgreSQL."""

import sqlite3
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studium.core.database.sqlite_files import damage_reported, damaged, is_damage, prepare_sqlite_file
from studium.core.domain.errors import ServiceDown, StorageFailed
from studium.core.extras import needs_extra
from studium.core.files import keep_private

if TYPE_CHECKING:
    from langgraph.checkpoint.serde.base import SerializerProtocol


@asynccontextmanager
async def open_checkpoints(
    url: str, types: Sequence[type], milestones: Sequence[str] = (), *, only_latest: bool = False
) -> AsyncIterator[Any]:
    """The checkpointer at this database URL; of our types, only these are read back.

    With `milestones`, a state is saved only when one of these fields changed: the steps between are recomputed, at no
    cost where replies are cached. With `only_latest`, each state replaces the one before, so that a long review takes
    no more space than a short one.
    """
    serializer = checkpoint_serializer(types)
    opened = _postgres(url, serializer) if url.startswith("postgresql") else _sqlite(url, serializer)
    async with opened as saver:
        await saver.setup()
        if only_latest:
            _keep_latest(saver)
        # Around the other: a state that is not saved replaces none.
        if milestones:
            _keep_milestones(saver, frozenset(milestones))
        yield saver


def checkpoint_serializer(types: Sequence[type]) -> "SerializerProtocol":
    """Reads back only these types of ours, also where a checkpoint names one by the path it had in version 0.1."""
    import ormsgpack
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    current = {each.__name__: each for each in types}
    former = {old: current[new] for old, new in _FORMER_NAMES.items() if new in current}
    plain = JsonPlusSerializer(allowed_msgpack_modules=types)

    def unpack(code: int, data: bytes) -> Any:
        # The path is the first thing in the data; unpacking everything twice would cost time.
        if any(prefix in data[:_PATH_BYTES] for prefix in _FORMER_PREFIXES):
            found = ormsgpack.unpackb(data, ext_hook=unpack, option=ormsgpack.OPT_NON_STR_KEYS)
            if type_ := former.get(f"{found[0]}.{found[1]}"):
                return type_(**found[2]) if isinstance(found[2], dict) else type_(found[2])
        return plain.loads_typed(("msgpack", ormsgpack.packb(ormsgpack.Ext(code, data))))

    return JsonPlusSerializer(allowed_msgpack_modules=types, __unpack_ext_hook__=unpack)


# Checkpoints name classes by their path: the paths of version 0.1, and what the class is called now.
_FORMER_NAMES = {
    "studium.domain.concept.Content": "Content",
    "studium.domain.concept.RelationType": "RelationType",
    "studium.domain.finding.Finding": "Finding",
    "studium.domain.finding.Locator": "Locator",
    "studium.domain.finding.Severity": "Severity",
    "studium.domain.question.CorpusConfig": "CorpusConfig",
    "studium.domain.question.QAPair": "QAPair",
    "studium.domain.question.RejectedQA": "RejectedQA",
    "studium.domain.question.RejectionReason": "RejectionReason",
    "studium.domain.question.Scenario": "Scenario",
    "studium.workflows.concepts.proposal.Backing": "SupportingQuote",
    "studium.workflows.concepts.proposal.Candidate": "CandidateConcept",
    "studium.workflows.concepts.proposal.Detection": "DuplicateDetection",
    "studium.workflows.concepts.proposal.Link": "CandidateRelation",
    "studium.workflows.concepts.proposal.Merge": "MergeRecord",
    "studium.workflows.concepts.proposal.Standing": "ItemStatus",
    "studium.workflows.concepts.skills.Point": "ChecklistPoint",
    "studium.workflows.concepts.skills.RelationQuery": "RelationQuery",
    "studium.workflows.concepts.skills.Remark": "Remark",
    "studium.workflows.concepts.state.CritiqueEntry": "CritiqueEntry",
    "studium.workflows.concepts.state.ExistingWithQuotes": "ExistingWithQuotes",
    "studium.workflows.concepts.state.Neighbour": "Neighbour",
    "studium.workflows.concepts.state.QualityAssessment": "QualityAssessment",
    "studium.workflows.questions.state.CurrentCandidate": "CurrentCandidate",
    "studium.workflows.questions.state.Rejection": "Rejection",
}
_FORMER_PREFIXES = (b"studium.domain.", b"studium.workflows.")
_PATH_BYTES = 32


def _keep_milestones(saver: Any, fields: frozenset[str]) -> None:
    keep = saver.aput

    async def keep_milestone(config: Any, checkpoint: Any, metadata: Any, _new_versions: Any) -> Any:
        if fields.isdisjoint(checkpoint["updated_channels"] or ()):
            return {"configurable": config["configurable"] | {"checkpoint_id": checkpoint["id"]}}
        # All fields, not only those that changed since the last step: the steps between were not saved.
        return await keep(config, checkpoint, metadata, checkpoint["channel_versions"])

    async def keep_nothing(*_: Any) -> None:
        """Partial writes of a step are not saved either."""

    saver.aput, saver.aput_writes = keep_milestone, keep_nothing


def _keep_latest(saver: Any) -> None:
    keep = saver.aput

    async def keep_in_place(config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        kept = await keep(config, checkpoint, metadata, new_versions)
        thread = config["configurable"]["thread_id"]
        if hasattr(saver, "conn") and hasattr(saver.conn, "total_changes"):
            await _prune_sqlite(saver, thread, checkpoint["id"])
        else:
            await _prune_postgres(saver, thread)
        return kept

    saver.aput = keep_in_place


async def _prune_sqlite(saver: Any, thread: str, latest: str) -> None:
    """Delete a thread's older states, which the SQLite saver cannot do yet."""
    async with saver.lock:
        for table in ("writes", "checkpoints"):
            statement = f"DELETE FROM {table} WHERE thread_id = ? AND checkpoint_id < ?"  # noqa: S608 - our own names
            await saver.conn.execute(statement, (thread, latest))
        await saver.conn.commit()


async def _prune_postgres(saver: Any, thread: str) -> None:
    """Delete a thread's older states, unless another worker just writes one: then they go the next time."""
    from psycopg.errors import DeadlockDetected, SerializationFailure

    with suppress(DeadlockDetected, SerializationFailure):
        await saver.aprune([thread], strategy="keep_latest")


@asynccontextmanager
async def _sqlite(url: str, serializer: "SerializerProtocol") -> AsyncIterator[Any]:
    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    path = Path(url.removeprefix("sqlite:///"))
    what = f"The file of checkpoints {path}"
    try:
        prepare_sqlite_file(path, "file of checkpoints")
        async with aiosqlite.connect(path) as connection:
            keep_private(path)
            saver: Any = AsyncSqliteSaver(connection, serde=serializer)
            with damage_reported(what):
                await saver.setup()
            _report_damage(saver, what)
            yield saver
    except sqlite3.Error as error:
        if is_damage(error):
            raise damaged(what, error) from error
        raise StorageFailed(f"{what} cannot be used: {error}.") from error


def _report_damage(saver: Any, what: str) -> None:
    """Report a saved state that cannot be read as damage."""
    read = saver.aget_tuple

    async def read_checked(config: Any) -> Any:
        with damage_reported(what):
            return await read(config)

    saver.aget_tuple = read_checked


@asynccontextmanager
async def _postgres(url: str, serializer: "SerializerProtocol") -> AsyncIterator[Any]:
    with needs_extra("postgres", "A database in PostgreSQL"):
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
        from psycopg import OperationalError
    plain = "postgresql" + url[url.index("://") :]
    try:
        async with AsyncPostgresSaver.from_conn_string(plain, serde=serializer) as saver:
            yield saver
    except OperationalError as error:
        raise ServiceDown(
            "PostgreSQL does not answer.", remedy="Start it, or correct `database` in studium.yaml."
        ) from error


async def delete_threads(saver: Any, names: Collection[str]) -> None:
    """Delete the threads with these names, and those of runs with these names (`RUN:item`)."""
    found = await saver.conn.execute("SELECT DISTINCT thread_id FROM checkpoints")
    for row in await found.fetchall():
        thread = row["thread_id"] if isinstance(row, dict) else row[0]
        if thread in names or thread.partition(":")[0] in names:
            await saver.adelete_thread(thread)
