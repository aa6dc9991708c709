"""Parquet: the fields of a pair as columns, typed alike in every file, also in an empty one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from studium.core.domain.errors import MissingExtra
from studium.core.files import atomic_write
from studium.domain.question import QAPair


def write(pairs: Sequence[QAPair], target: Path) -> None:
    """Write the pairs as one table."""
    try:
        import pyarrow as pa
        from pyarrow.parquet import write_table
    except ImportError as error:
        raise MissingExtra("Parquet needs the package pyarrow.", remedy="pip install 'studium[parquet]'") from error
    table = pa.Table.from_pylist([pair.model_dump(mode="json") for pair in pairs], schema=_schema(pa))
    with atomic_write(target) as part:
        write_table(table, part)


def _schema(pa: Any) -> Any:
    where = pa.struct({"path": pa.string(), "line": pa.int64(), "end_line": pa.int64(), "page": pa.int64()})
    evidence = pa.struct({"passage": pa.string(), "quote": pa.string(), "where": where})
    metadata = {"generator_model": pa.string(), "validator_model": pa.string(), "attempt_number": pa.int64()}
    return pa.schema(
        {
            "question": pa.string(),
            "answer": pa.string(),
            "source_document": pa.string(),
            "category": pa.string(),
            "content_refs": pa.list_(evidence),
            "generation_metadata": pa.struct(metadata),
        }
    )
