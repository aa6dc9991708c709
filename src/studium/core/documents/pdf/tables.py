"""Find the tables of a column, with cells and headers on several lines; without names where the header is not told."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import median
from typing import NamedTuple

from studium.core.documents.pdf.fonts import PageFonts
from studium.core.documents.pdf.layout import Row, TextPiece

_ROWS = 3
_CELLS = 2
# Of one row: what has more is a drawing made of letters.
_MOST_CELLS = 60
# The least share of cells that have text, and what a program writes before its input.
_FILLED = 0.4
_PROMPTS = (">", "+", "$", "")
# A number as a cell, with its unit; and the numbers that may name a column.
_VALUE = re.compile(
    r"[(<>~≈±+\u2212-]{0,2}\s?[$€£]?\d[\d.,:/\u2009]*+(?:e[+\u2212-]?\d+)?\s?[%)*]{0,2}(?:\s?[A-Za-zµ°/²³]{1,6})?",
    re.IGNORECASE,
)
_YEARS = range(1500, 2200)
_LONG_NUMBER = 6
# The largest distance of two rows of a table, and of two lines of a cell, in line heights.
_COLUMN_GAP = 3.0
_CELL_LEADING = 1.7
_OVERLAP = 0.75
# A header: the most rows and words, how much further it is from the rows than they are from each other, and how many
# times longer than its names the cells below are where nothing else tells.
_HEADER_ROWS = 3
_NAME_WORDS = 4
_HEADER_GAP = 1.2
_LONGER = 3
LEADER = re.compile(r"(?:\. ?){4}")

Columns = Sequence[tuple[float, float]]


class TextTable(NamedTuple):
    """A table in a column: its first and last row, and its cells; the first row has the names, or is empty."""

    start: int
    end: int
    cells: list[list[str]]

    @property
    def markdown(self) -> list[str]:
        """The table's lines."""
        lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in self.cells]
        return [lines[0], "|" + " --- |" * len(self.cells[0]), *lines[1:]]


class _TableLine(NamedTuple):
    """A line of a table: its cells by column, and the last piece of each."""

    cells: list[str]
    row: Row
    last: dict[int, TextPiece]


@dataclass
class _TableRow:
    """A row of a table: its cells, the lines of the page that it is written on, and the last piece of each cell."""

    cells: list[str]
    lines: list[Row]
    last: dict[int, TextPiece]

    def add(self, line: _TableLine) -> None:
        """Continue the cells with those of the next line."""
        self.cells = [f"{cell} {more}".strip() for cell, more in zip(self.cells, line.cells, strict=True)]
        self.lines.append(line.row)
        self.last |= line.last


def find_tables(rows: Sequence[Row], fonts: PageFonts) -> Iterator[TextTable]:
    """The tables among the rows of a column, in order."""
    at = 0
    while at < len(rows):
        end = _end_of_run(rows, at)
        table = _table(rows, at, end, fonts) if end - at >= _ROWS else None
        if table:
            yield table
        at = max(end, at + 1)


def _end_of_run(rows: Sequence[Row], at: int) -> int:
    """The row after the table that may start here: each row has several cells or continues one."""
    end = at
    while end < len(rows):
        row = rows[end]
        if end > at and rows[end - 1][0].bottom - row[0].bottom > _COLUMN_GAP * row[0].size:
            break
        if len(row) < _CELLS and not (end > at and (row[0].left > rows[at][0].right or _is_label_line(rows, end))):
            break
        end += 1
    return end


def _is_label_line(rows: Sequence[Row], at: int) -> bool:
    """Whether a row with only a first cell is the second line of the one above, or stands amid the lines of its row."""
    above, piece = rows[at - 1], rows[at][0]
    if at + 1 >= len(rows):
        return False
    if _overlaps(above[0], piece) and _overlaps(piece, rows[at + 1][0]):
        return True
    if len(above) < _CELLS or len(rows[at + 1]) < _CELLS or not _is_next_line(above[0], piece):
        return False
    is_below = -1 < piece.left - above[0].left < 2 * piece.size and piece.right < above[1].left
    return is_below and above[0].right + _first_word(piece) > above[1].left - piece.size


def _is_next_line(above: TextPiece, below: TextPiece) -> bool:
    return above.bottom - below.bottom < _CELL_LEADING * below.size


def _overlaps(above: TextPiece, below: TextPiece) -> bool:
    """Whether two lines are nearer than lines of one text: cells that are centred in a row stand between its lines."""
    return above.bottom - below.bottom < _OVERLAP * below.size


def _first_word(piece: TextPiece) -> float:
    """The width of the first word of a piece."""
    return (piece.right - piece.left) * (len(piece.text.partition(" ")[0]) + 1) / len(piece.text)


def _table(rows: Sequence[Row], start: int, end: int, fonts: PageFonts) -> TextTable | None:
    columns = _columns(rows[start:end])
    if not _CELLS <= len(columns) <= _MOST_CELLS or sum(len(row) > 1 for row in rows[start:end]) < _ROWS:
        return None
    found = _rows_of([_table_line(row, columns) for row in rows[start:end]], columns)
    if found is None or not _is_data([row.cells for row in found]):
        return None
    heads = _count_header_rows(found, fonts)
    names = [" ".join(filter(None, column)) for column in zip(*(row.cells for row in found[:heads]), strict=True)]
    return TextTable(start, end, [names or [""] * len(columns), *(row.cells for row in found[heads:])])


def _table_line(row: Row, columns: Columns) -> _TableLine:
    cells, last = [""] * len(columns), {}
    for piece in row:
        number = bisect_right(columns, (piece.left, inf)) - 1
        if number >= 0 and piece.left < columns[number][1]:
            cells[number] = f"{cells[number]} {piece.text}" if cells[number] else piece.text
            last[number] = piece
    return _TableLine(cells, row, last)


def _rows_of(lines: Sequence[_TableLine], columns: Columns) -> list[_TableRow] | None:
    """The rows of a table from its lines; None if a line has but one cell that belongs to no row."""
    found: list[_TableRow] = []
    waiting: list[_TableLine] = []
    for line, following in zip(lines, (*lines[1:], None), strict=True):
        is_first = not found or waiting
        if not is_first and _belongs_above(found[-1], line, columns):
            found[-1].add(line)
        elif 0 not in line.last and (waiting or _belongs_below(line, following, columns)):
            waiting.append(line)
        elif not is_first and len(line.row) == 1:
            found[-1].add(line)
        elif not waiting and sum(map(bool, line.cells)) < min(_CELLS, len(line.row)):
            return None
        else:
            found.append(_TableRow([""] * len(columns), [], {}))
            for each in (*waiting, line):
                found[-1].add(each)
            waiting = []
    for line in waiting if found else ():
        found[-1].add(line)
    return found


def _belongs_above(above: _TableRow, line: _TableLine, columns: Columns) -> bool:
    """Whether every cell of a line goes on from the cell above it, or the line is amid those of its row."""
    if _overlaps(above.lines[-1][0], line.row[0]):
        return not (0 in above.last and 0 in line.last)
    return (
        0 not in line.last and _is_next_line(above.lines[-1][0], line.row[0]) and _wraps(above.last, line.last, columns)
    )


def _belongs_below(line: _TableLine, following: _TableLine | None, columns: Columns) -> bool:
    """Whether a line is the first of a row whose first cell is centred, and so stands lower."""
    if following is None or 0 not in following.last or not _is_next_line(line.row[0], following.row[0]):
        return False
    below = {number: piece for number, piece in following.last.items() if number in line.last}
    return _overlaps(line.row[0], following.row[0]) or (
        len(below) == len(line.last) and _wraps(line.last, below, columns)
    )


def _wraps(above: dict[int, TextPiece], below: dict[int, TextPiece], columns: Columns) -> bool:
    """Whether every cell below goes on from a line that had no room for its first word."""
    return all(
        number in above
        and not _VALUE.fullmatch(piece.text)
        and above[number].right + _first_word(piece) > columns[number][1] - 1
        for number, piece in below.items()
    )


def _is_data(cells: Sequence[Sequence[str]]) -> bool:
    """Whether aligned text is a table: contents, formulas, plots and the input of a program are none."""
    filled = [cell for row in cells for cell in row if cell]
    if len(cells) < _CELLS or len(filled) < _FILLED * len(cells) * len(cells[0]):
        return False
    if 2 * sum(any(map(str.isalnum, cell)) for cell in filled) < len(filled):
        return False
    if 2 * sum(any(LEADER.search(cell) for cell in row) for row in cells) > len(cells):
        return False
    return not any(all(row[column] in _PROMPTS for row in cells) for column in range(len(cells[0])))


def _count_header_rows(rows: Sequence[_TableRow], fonts: PageFonts) -> int:
    """How many rows name the columns, by their fonts, by the numbers below, or by how they are set; 0 if none tells."""
    if heads := _styled_rows(rows, fonts):
        return heads
    cells = [row.cells for row in rows]
    numeric = [column for column in range(len(cells[0])) if _is_numeric(column, cells[1:])]
    if numeric:
        return _rows_over_numbers(cells, numeric)
    return 1 if _are_names(cells[0]) and (_is_apart(rows) or _is_shorter(cells)) else 0


def _styled_rows(rows: Sequence[_TableRow], fonts: PageFonts) -> int:
    """The rows at the top that alone are bold, or in a font that no cell below them is in."""
    most = min(_HEADER_ROWS, len(rows) - 1)
    is_bold = [all(fonts.are_bold(line) for line in row.lines) for row in rows]
    if is_bold[0] and (heads := is_bold.index(False) if False in is_bold else 0) and not any(is_bold[heads:]):
        return heads if heads <= most else 0
    used = [_fonts_of(row, fonts) for row in rows]
    for heads in range(most, 0, -1):
        head, below = set().union(*used[:heads]), set().union(*used[heads:])
        names = {name for _, name in head}
        if len(names) == 1 and not head & below and "" not in names | {name for _, name in below}:
            return heads
    return 0


def _fonts_of(row: _TableRow, fonts: PageFonts) -> set[tuple[int, str]]:
    """The fonts of a row's cells, each with its column."""
    return {(column, fonts.names.get(piece.start, "")) for column, piece in row.last.items()}


def _is_numeric(column: int, body: Sequence[Sequence[str]]) -> bool:
    return 2 * sum(_VALUE.fullmatch(row[column]) is not None for row in body) > len(body)


def _rows_over_numbers(cells: Sequence[Sequence[str]], numeric: Sequence[int]) -> int:
    """The rows before the first number of the columns of numbers; a first row may have years, or count."""
    numbers = [cells[0][column] for column in numeric if _VALUE.fullmatch(cells[0][column])]
    if not numbers:
        heads = 1
        while heads < min(_HEADER_ROWS, len(cells) - 1) and _names_numbers(cells[heads], numeric):
            heads += 1
        names = [cells[row][column] for row in range(heads) for column in numeric if cells[row][column]]
        return heads if 2 * sum(any(map(str.isalpha, name)) for name in names) > len(names) else 0
    if not all(number.isdecimal() and len(number) < _LONG_NUMBER for number in numbers):
        return 0
    values = [int(number) for number in numbers]
    is_counted = len(values) > _CELLS and all(one < other for one, other in pairwise(values))
    are_years = len(values) >= _CELLS and all(value in _YEARS for value in values)
    return int(len(numbers) == len(numeric) and (is_counted or are_years))


def _names_numbers(row: Sequence[str], numeric: Sequence[int]) -> bool:
    """Whether a row still names the columns: it has words over numbers, and no label before them."""
    words = [row[column] for column in numeric if row[column]]
    return bool(words) and not row[0] and not any(_VALUE.fullmatch(word) for word in words)


def _are_names(cells: Sequence[str]) -> bool:
    """Whether cells may be the names of columns: short, different, and no sentences."""
    named = [cell for cell in cells if cell]
    return (
        len(set(named)) == len(named)
        and all(cells[1:])
        and all(len(cell.split()) <= _NAME_WORDS and cell[0].isalpha() and cell[-1] not in ".,;" for cell in named)
    )


def _is_apart(rows: Sequence[_TableRow]) -> bool:
    """Whether the first row is further from the second than the others are from each other."""
    first, *others = [one.lines[-1][0].bottom - other.lines[0][0].bottom for one, other in pairwise(rows)]
    return bool(others) and first > _HEADER_GAP * max(others)


def _is_shorter(cells: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is of single words over a column of phrases."""
    first, *body = [[len(cell.split()) for cell in row] for row in cells]
    usual = [median(column) for column in zip(*body, strict=True)]
    return any(words and _LONGER * words <= below for words, below in zip(first, usual, strict=True))


def _columns(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """The ranges of the columns that no piece crosses; one that is too long for its cell ends at the next."""
    ranges = [(piece.left, min(piece.right, after.left - 1)) for row in rows for piece, after in pairwise(row)]
    ranges += [(row[-1].left, row[-1].right) for row in rows]
    columns: list[tuple[float, float]] = []
    for left, right in sorted(ranges):
        if columns and left < columns[-1][1]:
            columns[-1] = columns[-1][0], max(columns[-1][1], right)
        else:
            columns.append((left, max(left + 1, right)))
    return columns
