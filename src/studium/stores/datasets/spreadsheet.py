"""CSV: one row a pair, safe to open in a spreadsheet."""

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

from studium.core.domain.finding import Evidence
from studium.core.files import atomic_write
from studium.domain.question import QAPair

COLUMNS = ("question", "answer", "source_document", "category", "quote", "line", "page")

_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write(pairs: Sequence[QAPair], target: Path) -> None:
    """Write a head and a row for each pair; of several quotes, lines and pages each stands on a line of its cell."""
    with atomic_write(target) as part, part.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(COLUMNS)
        rows.writerows([_as_text(cell) for cell in _row(pair)] for pair in pairs)


def _row(pair: QAPair) -> tuple[str, ...]:
    return (
        pair.question,
        pair.answer,
        pair.source_document,
        pair.category,
        _each(pair, lambda evidence: evidence.quote),
        _each(pair, lambda evidence: evidence.where.line),
        _each(pair, lambda evidence: evidence.where.page),
    )


def _each(pair: QAPair, told: Callable[[Evidence], str | int | None]) -> str:
    values = (told(evidence) for evidence in pair.content_refs)
    return "\n".join(str(value) for value in values if value is not None)


def _as_text(cell: str) -> str:
    """A cell that a spreadsheet would run as a formula gets the mark that makes it text."""
    return f"'{cell}" if cell.lstrip(" \n").startswith(_STARTS_A_FORMULA) else cell
