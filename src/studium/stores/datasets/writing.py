"""Writes accepted questions to a file, in the form that the next tool reads."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from studium.domain.question import QAPair
from studium.stores.datasets import flashcards, jsonl, parquet, ragas, spreadsheet

DatasetForm = Literal["ragas", "jsonl", "csv", "parquet", "anki"]

_WRITERS: Mapping[DatasetForm, Callable[[Sequence[QAPair], Path], None]] = {
    "ragas": ragas.write,
    "jsonl": jsonl.write,
    "csv": spreadsheet.write,
    "parquet": parquet.write,
    "anki": flashcards.write,
}


def write_dataset(pairs: Sequence[QAPair], target: Path, form: DatasetForm) -> None:
    """Write these pairs, whole or not at all."""
    _WRITERS[form](pairs, target)
