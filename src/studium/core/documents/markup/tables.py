"""Tables in Markdown: one header row, every row on a line, merged cells repeated in each place they cover."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studium.core.documents.markup.inline_text import inline_text

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

# Repeated cells may make a table at most this many times longer: spans are only numbers, and a hostile file could
# fill the memory with them.
_REPEATED = 4
_CELL_SIGNS = 3
_WIDEST_SPAN = 200
_BOXES = frozenset({"note", "tip", "warning", "caution", "important", "admonition", "admonitionblock"})
_PAGE_PARTS = ("table", "figure", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True)
class TableCell:
    """One cell: its text, its spans, and whether it is a header."""

    text: str
    across: int = 1
    down: int = 1
    header: bool = False


@dataclass(frozen=True)
class TableRow:
    """The cells of one row, and whether it is in the table's head."""

    cells: tuple[TableCell, ...]
    head: bool = False


def is_layout(table: "Element") -> bool:
    """Whether a table is only for layout: it contains blocks, is marked so, or draws the box of a note."""
    if table.get("role") in ("presentation", "none") or next(table.iterdescendants(*_PAGE_PARTS), None) is not None:
        return True
    parent = table.getparent()
    return parent is not None and not _BOXES.isdisjoint((parent.get("class") or "").lower().split())


def rows_of(table: "Element") -> list[TableRow]:
    """The rows of a table in display order, without empty ones."""
    rows = [(_group(row), row) for row in table.iter("tr")]
    shown = sorted(rows, key=lambda each: ("thead", "", "tfoot").index(each[0]))
    read = (
        TableRow(tuple(_cell(cell) for cell in row if cell.tag in ("td", "th")), part == "thead") for part, row in shown
    )
    return [row for row in read if any(cell.text for cell in row.cells)]


def named_values(rows: Sequence[TableRow]) -> list[tuple[str, str]]:
    """The pairs of a table whose rows are all name and value (`Born | 1912`); empty for other tables."""
    pairs: list[tuple[str, str]] = []
    for row in rows:
        match row.cells:
            case (TableCell(header=True, down=1) as name, TableCell(header=False, down=1) as value) if not row.head:
                pairs.append((name.text, value.text))
            case _:
                return []
    return pairs


def table_lines(rows: Sequence[TableRow]) -> list[str]:
    """The lines of a Markdown table; an empty header is added if the rows have headers instead."""
    grid = _Grid(rows).lines
    heads = _head_count(rows)
    width = max(map(len, grid))
    header = [_joined(column) for column in zip(*(_wide(row, width) for row in grid[:heads]), strict=True)]
    lines = [_line(_wide(header, width)), "|" + " --- |" * width]
    return lines + [_line(row) for row in grid[heads:]]


def _group(row: "Element") -> str:
    parent = row.getparent()
    return str(parent.tag) if parent is not None and parent.tag in ("thead", "tfoot") else ""


def _cell(cell: "Element") -> TableCell:
    return TableCell(inline_text(cell), _span(cell, "colspan"), _span(cell, "rowspan"), cell.tag == "th")


def _span(cell: "Element", name: str) -> int:
    """How many columns or rows a cell spans; `0` means all that follow."""
    said = (cell.get(name) or "1").strip()
    number = int(said[:6]) if said.isdecimal() else 1
    return (min(max(number, 1), _WIDEST_SPAN)) if name == "colspan" else (number or 65_534)


def _head_count(rows: Sequence[TableRow]) -> int:
    """The number of header rows: the table's head, else rows of header cells, else the first row."""
    heads = 0
    while heads < len(rows) - 1 and (
        rows[heads].head or all(cell.header or not cell.text for cell in rows[heads].cells)
    ):
        heads += 1
    return heads or (0 if rows[0].cells[0].header or len(rows) == 1 else 1)


class _Grid:
    """The rows with merged cells repeated, up to a limit."""

    def __init__(self, rows: Sequence[TableRow]) -> None:
        self._room = _REPEATED * sum(len(cell.text) + _CELL_SIGNS for row in rows for cell in row.cells)
        self._reaching: dict[
            int, tuple[TableCell, int]
        ] = {}  # by column: the cell, and the first row it does not cover
        self.lines = [self._line(number, row) for number, row in enumerate(rows)]

    def _line(self, number: int, row: TableRow) -> list[str]:
        line: list[str] = []
        titled = len(row.cells) == 1  # a title over a part of the table is written once
        for cell in row.cells:
            self._take_from_above(number, line)
            for nth in range(1 if titled else cell.across):
                if nth and not self._may_repeat(cell):
                    break
                self._reaching[len(line)] = (cell, number + cell.down)
                line.append(cell.text)
        self._take_from_above(number, line)
        return line

    def _take_from_above(self, number: int, line: list[str]) -> None:
        """Repeat the cells from above that span the next columns of this row."""
        while len(line) in self._reaching:
            cell, end = self._reaching[len(line)]
            if number >= end or not self._may_repeat(cell):
                return
            line.append(cell.text)

    def _may_repeat(self, cell: TableCell) -> bool:
        self._room -= len(cell.text) + _CELL_SIGNS
        return self._room >= 0


def _joined(column: Sequence[str]) -> str:
    """The name of a column from several header rows, each part once."""
    return " ".join(dict.fromkeys(part for part in column if part))


def _wide(row: Sequence[str], width: int) -> list[str]:
    return [*row, *[""] * (width - len(row))]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
