"""The tables of AsciiDoc as Markdown.

[%header]            | River | Length |
|===                 | --- | --- |
|River |Length       | Rhine | 1233 km |
|Rhine |1233 km
|===
"""

import csv
import re
from collections.abc import Callable, Sequence

# `2+|`, `.3+^|`, `a|`: how many columns or rows a cell spans, how it is aligned, and its style.
_CELL = re.compile(r"(?<!\\)(?:(?:(?<=\s)|^)(?P<spec>[\d.]{0,7}[+*]?[<^>]?(?:\.[<^>])?[aehlmdsv]?))?\|")
_REPEATED = re.compile(r"(\d{1,3})[+*]")
_COLUMNS = re.compile(r"cols\s{0,3}=\s{0,3}(?:\"([^\"\n]{1,500})\"|'([^'\n]{1,500})'|([\w*.<^>]{1,60}))")
_TIMES = re.compile(r"\s*(\d{1,3})\*.*")
_HEADER = re.compile(r"%header|options?\s{0,3}=\s{0,3}[\"']?[^\"'\]\n]{0,100}header|%autowidth\.header")
_MOST_COLUMNS = 100
_HEADER_LINES = 2


def table_lines(lines: Sequence[str], attributes: str, delimiter: str, text_of: Callable[[str], str]) -> list[str]:
    """The Markdown lines of a table, given the lines between its delimiters and the attributes before it."""
    rows, first_width = (_separated(lines) if delimiter[0] == "," else _barred(lines)) if lines else ([], 0)
    width = min(_count_columns(attributes) or first_width, _MOST_COLUMNS)
    if not rows or not width:
        return []
    cells = [text_of(cell) for cell in rows]
    grid = [cells[at : at + width] for at in range(0, len(cells), width)]
    head = grid.pop(0) if _has_header(lines, attributes) and len(grid) > 1 else [""] * width
    return [_line(head, width), "|" + " --- |" * width, *(_line(row, width) for row in grid)]


def _has_header(lines: Sequence[str], attributes: str) -> bool:
    """Whether the first row is the header: it is said, or a blank line follows it."""
    if _HEADER.search(attributes):
        return True
    is_set_apart = len(lines) > _HEADER_LINES and bool(lines[0].strip()) and not lines[1].strip()
    return is_set_apart and "%noheader" not in attributes


def _count_columns(attributes: str) -> int:
    found = _COLUMNS.search(attributes)
    if not found:
        return 0
    parts = [part for part in re.split("[,;]", found[1] or found[2] or found[3]) if part.strip()]
    if len(parts) == 1 and parts[0].strip().isdigit():
        return 1  # the width of the only column
    return sum(int(times[1]) if (times := _TIMES.fullmatch(part)) else 1 for part in parts)


def _barred(lines: Sequence[str]) -> tuple[list[str], int]:
    """The cells of a table with bars, and how many its first line has."""
    cells: list[str] = []
    first_width = 0
    for line in lines:
        parts = _CELL.split(line)
        if cells and parts[0].strip():
            cells[-1] += "\n" + parts[0]
        for spec, text in zip(parts[1::2], parts[2::2], strict=True):
            repeated = _REPEATED.match(spec or "")
            cells += [text.strip()] * (min(int(repeated[1]), _MOST_COLUMNS) if repeated else 1)
        first_width = first_width or len(cells)
    return cells, first_width


def _separated(lines: Sequence[str]) -> tuple[list[str], int]:
    rows = [row for row in csv.reader(line[:5_000] for line in lines) if row]
    width = max((len(row) for row in rows), default=0)
    return [cell for row in rows for cell in [*row, *[""] * (width - len(row))]], width


def _line(row: Sequence[str], width: int) -> str:
    cells = [" ".join(cell.split()).replace("|", "\\|") for cell in (*row, *[""] * (width - len(row)))]
    return "| " + " | ".join(cells) + " |"
