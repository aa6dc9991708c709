"""Rows whose pieces stand under one another are tables, written as Markdown writes them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from studium.readers.pdf.columns import Row

_ROWS = 3
_CELLS = 2
# In heights of a line: what two rows of a table are apart at most.
_APART = 3.0


class Table(NamedTuple):
    """Some rows of a column that are a table: from which to which, and the cells."""

    start: int
    end: int
    cells: list[list[str]]

    @property
    def markdown(self) -> list[str]:
        """The table's lines."""
        lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in self.cells]
        return [lines[0], "|" + " --- |" * len(self.cells[0]), *lines[1:]]


def tables_in(rows: Sequence[Row]) -> Iterator[Table]:
    """The tables among the rows of a column, in order."""
    at = 0
    while at < len(rows):
        end = _end_of_run(rows, at)
        table = _table(rows, at, end) if end - at >= _ROWS else None
        if table:
            yield table
        at = max(end, at + 1)


def _end_of_run(rows: Sequence[Row], at: int) -> int:
    """The row after the last that may belong to the table that begins here: each has some cells, or continues one."""
    end = at
    while end < len(rows):
        row = rows[end]
        if end > at and rows[end - 1][0].bottom - row[0].bottom > _APART * row[0].size:
            break
        if len(row) < _CELLS and not (end > at and row[0].left > rows[at][0].right):
            break
        end += 1
    return end


def _table(rows: Sequence[Row], start: int, end: int) -> Table | None:
    columns = _columns(rows[start:end])
    if len(columns) < _CELLS or sum(len(row) > 1 for row in rows[start:end]) < _ROWS:
        return None
    cells: list[list[str]] = []
    for row in rows[start:end]:
        filled = [" ".join(piece.text for piece in row if left <= piece.left < right) for left, right in columns]
        if len(row) == 1 and cells:
            cells[-1] = [f"{cell} {more}".strip() for cell, more in zip(cells[-1], filled, strict=True)]
        elif sum(map(bool, filled)) < min(_CELLS, len(row)):
            return None
        else:
            cells.append(filled)
    return Table(start, end, cells)


def _columns(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """From where to where the columns go that no piece crosses."""
    columns: list[tuple[float, float]] = []
    for piece in sorted((piece for row in rows for piece in row), key=lambda piece: piece.left):
        if columns and piece.left < columns[-1][1]:
            columns[-1] = columns[-1][0], max(columns[-1][1], piece.right)
        else:
            columns.append((piece.left, piece.right))
    return columns
