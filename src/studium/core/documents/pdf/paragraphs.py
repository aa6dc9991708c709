"""Build the text of a page: join hyphenated words, and find tables, headings and paragraphs."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from statistics import median
from typing import NamedTuple

from studium.core.documents.pdf.layout import CAPTION, Column, Row

HYPHENS = "-\u2010\u00ad"
_OPEN = re.compile(rf"(?<![^\W_])(?P<before>[^\W_][\w'’-]*)[{HYPHENS}]$")
_REST = re.compile(r"\w[\w'’-]*[^\s\w]*")
# Compounds with these are written with their hyphen.
_KEEPING = frozenset(
    ("all", "cross", "ex", "half", "high", "long", "low", "mid", "non", "quasi", "self", "semi", "short", "so", "well")
)


def join_hyphenated(line: str, following: str, known: Sequence[str]) -> tuple[str, str]:
    """Join the word that is broken between two lines; `known` are texts that may contain the whole word."""
    opened, rest = _OPEN.search(line), _REST.match(following)
    if not opened or not rest:
        return line, following
    before, after = opened["before"], re.match(r"[\w'’-]+", rest[0])
    glue = "-" if _keeps_hyphen(before, after[0] if after else "", known) else ""
    return line[: opened.end("before")] + glue + rest[0], following[rest.end() :].lstrip()


def _keeps_hyphen(before: str, after: str, known: Sequence[str]) -> bool:
    """Whether the hyphen belongs to the word, judged by other places or by its parts."""
    if any(before + after in text for text in known):
        return False
    if any(f"{before}-{after}" in text for text in known) or not (before[-1].isalpha() and after[:1].islower()):
        return True
    *earlier, last = before.lower().split("-")
    # `state-of-the-art` and `three-year-old`, but not `self-ref-erential`, which is not a word.
    return last in _KEEPING or len(earlier) > 1 or (bool(earlier) and _stands_alone(after, known))


def _stands_alone(word: str, known: Sequence[str]) -> bool:
    return any(re.search(rf" {re.escape(word)}\b", text) for text in known)


_ROWS = 3
_CELLS = 2
# Of one row: what has more is a drawing made of letters.
_MOST_CELLS = 60
# The least share of cells that have text, what a program writes before its input, a number as a cell, and the numbers
# that may name a column.
_FILLED = 0.4
_PROMPTS = (">", "+", "$", "")
_VALUE = re.compile(r"[<>~≈±+\u2212-]?\s?\d[\d.,]*+(?:e[+\u2212-]?\d+)?\s?%?", re.IGNORECASE)
_YEARS = range(1500, 2200)
_LONG_NUMBER = 6
# The largest distance of two rows of a table, in line heights.
_COLUMN_GAP = 3.0


class TextTable(NamedTuple):
    """A table in a column: its first and last row, and its cells."""

    start: int
    end: int
    cells: list[list[str]]

    @property
    def markdown(self) -> list[str]:
        """The table's lines."""
        lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in self.cells]
        return [lines[0], "|" + " --- |" * len(self.cells[0]), *lines[1:]]


def find_tables(rows: Sequence[Row]) -> Iterator[TextTable]:
    """The tables among the rows of a column, in order."""
    at = 0
    while at < len(rows):
        end = _end_of_run(rows, at)
        table = _table(rows, at, end) if end - at >= _ROWS else None
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
        if len(row) < _CELLS and not (end > at and row[0].left > rows[at][0].right):
            break
        end += 1
    return end


def _table(rows: Sequence[Row], start: int, end: int) -> TextTable | None:
    columns = _columns(rows[start:end])
    if not _CELLS <= len(columns) <= _MOST_CELLS or sum(len(row) > 1 for row in rows[start:end]) < _ROWS:
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
    if not _is_data(cells):
        return None
    return TextTable(start, end, cells if _has_header(cells) else [[""] * len(columns), *cells])


def _is_data(cells: Sequence[Sequence[str]]) -> bool:
    """Whether aligned text is a table: contents, formulas, plots and the input of a program are none."""
    filled = [cell for row in cells for cell in row if cell]
    if len(filled) < _FILLED * len(cells) * len(cells[0]):
        return False
    if 2 * sum(any(map(str.isalnum, cell)) for cell in filled) < len(filled):
        return False
    if 2 * sum(any(_LEADER.search(cell) for cell in row) for row in cells) > len(cells):
        return False
    return not any(all(row[column] in _PROMPTS for row in cells) for column in range(len(cells[0])))


def _has_header(cells: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: over numbers there is no number, unless numbers are names."""
    first, *body = cells
    numeric = [
        column
        for column in range(len(first))
        if 2 * sum(_VALUE.fullmatch(row[column]) is not None for row in body) > len(body)
    ]
    numbers = [first[column] for column in numeric if _VALUE.fullmatch(first[column])]
    if not numbers:
        return True
    if not all(number.isdecimal() and len(number) < _LONG_NUMBER for number in numbers):
        return False
    values = [int(number) for number in numbers]
    is_counted = len(values) > _CELLS and all(one < other for one, other in pairwise(values))
    return len(numbers) == len(numeric) and (is_counted or all(value in _YEARS for value in values))


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


# TeX has a bullet at 0x88.
_BULLET = re.compile("[\x88•◦▪▫‣●○■□∙➢➤✓\uf0b7\uf0a7\uf0d8]\\s*|[–*-]\\s+")
_NUMBERED = re.compile(r"\d{1,3}[.)]\s+\S")
_NUMBERED_TITLE = re.compile(r"\d++(?:\.\d++)*+\.?\s")
_LEADER = re.compile(r"(?:\. ?){4}")
_ENDS = tuple('.!?:…。\uff01\uff1f”»"')
# How much larger than the text a heading of each level is; the most lines and letters it has.
_LEVELS = ((1.6, "# "), (1.3, "## "), (1.12, "### "))
_HEADING_LINES = 3
_HEADING_LETTERS = 200
# In heights of a line: between the first two, words touch; a line that is further in is indented; and lines of one
# paragraph are not further apart.
_OVERLAPPING = -0.5
_TOUCHING = 0.1
_INDENT = 0.7
_LEADING = 1.7
# How much larger than usual the distance of lines is at the end of a paragraph, and how much one type size may vary.
_LINE_GAP = 1.3
_RUNNING = ("text", "list")
_SAME_SIZE = 1.12


class TextLine(NamedTuple):
    """A line of a column, with what is needed to see whether a paragraph starts."""

    text: str
    left: float
    bottom: float
    right: float
    size: float
    kind: str = "text"


def build_text(columns: Sequence[Column], body: float, known: Sequence[str]) -> str:
    """The text of a page; the last paragraph is closed if it looks complete."""
    written: list[str] = []
    last = ""
    for column in columns:
        for line, begins in _paragraphs(_with_headings(_lines(column), body)):
            if written and (_ends_here(written[-1], last, line) if begins is None else begins):
                written += ["", line.text]
            elif written and written[-1][-1:] in HYPHENS:
                written[-1], rest = join_hyphenated(written[-1], line.text, known)
                written += [rest] if rest else []
            else:
                written.append(line.text)
            last = line.kind
    if not written:
        return ""
    return "\n".join(written) + ("\n\n" if _ends_here(written[-1], last) else "\n")


def _ends_here(text: str, kind: str, following: TextLine | None = None) -> bool:
    """Whether the last paragraph of a column ends there."""
    if kind in ("heading", "table") or text.endswith(_ENDS):
        return True
    return following is not None and (following.kind != "text" or CAPTION.match(following.text) is not None)


def _lines(column: Column) -> list[TextLine]:
    lines: list[TextLine] = []
    at = 0
    for table in find_tables(column) if max(map(len, column)) > 1 else ():
        lines += [_line(row) for row in column[at : table.start]]
        first = column[table.start][0]
        last = column[table.end - 1][-1]
        lines.append(TextLine("\n".join(table.markdown), first.left, last.bottom, last.right, first.size, "table"))
        at = table.end
    return lines + [_line(row) for row in column[at:]]


def _line(row: Row) -> TextLine:
    text, left, bottom, right, top, _ = row[0]
    if len(row) > 1:
        # The longest piece decides the size: a bullet or a footnote mark is often smaller.
        _, _, bottom, _, top, _ = max(row, key=lambda piece: len(piece.text))
        for before, piece in pairwise(row):
            gap = (piece.left - before.right) / (piece.size or 1)
            text += piece.text if _OVERLAPPING < gap < _TOUCHING else f" {piece.text}"
        right = row[-1].right
    kind = "text"
    if not text[0].isalpha():
        if bullet := _BULLET.match(text):
            text, kind = f"- {text[bullet.end() :]}".rstrip(), "list"
        elif _NUMBERED.match(text):
            kind = "list"
    return TextLine(text, left, bottom, right, top - bottom, kind)


def _with_headings(lines: list[TextLine], body: float) -> list[TextLine]:
    """The lines, with short text in larger type as headings on one line."""
    large = _LEVELS[-1][0] * body
    sizes = [line.size for line in lines]
    if max(sizes) <= large:
        return lines
    edge = max([line.right for line in lines])
    found: list[TextLine] = []
    for size, group in groupby(lines, key=lambda line: line.size > large and line.kind != "table" and round(line.size)):
        run = list(group)
        found += _headings(run, body, edge) if size and len(run) <= _HEADING_LINES else run
    return found


def _headings(run: Sequence[TextLine], body: float, edge: float) -> Iterator[TextLine]:
    """Join lines of one size to headings; a line over half the width continues in the next."""
    marks = next(marks for ratio, marks in _LEVELS if run[0].size > ratio * body)
    whole = run[0]
    for line in run[1:]:
        if whole.right - whole.left > (edge - whole.left) / 2 and not _NUMBERED_TITLE.match(line.text):
            whole = whole._replace(text=f"{whole.text} {line.text}", bottom=line.bottom, right=line.right)
        else:
            yield _heading(whole, marks)
            whole = line
    yield _heading(whole, marks)


def _heading(line: TextLine, marks: str) -> TextLine:
    is_title = len(line.text) <= _HEADING_LETTERS and any(map(str.isalpha, line.text)) and not _LEADER.search(line.text)
    return line._replace(text=marks + line.text, kind="heading") if is_title else line


def _paragraphs(lines: Sequence[TextLine]) -> Iterator[tuple[TextLine, bool | None]]:
    """Each line, and whether a paragraph starts with it; unknown for the first line of a column."""
    if not lines:
        return
    apart = _LINE_GAP * _usual_distance(lines)
    last, item = lines[0], lines[0].left
    yield last, None
    for line, following in zip(lines[1:], [*lines[2:], lines[-1]], strict=False):
        begins = last.bottom - line.bottom > apart or _begins(last, line, following)
        if line.kind == "list":
            begins, item = last.kind != "list", line.left
        elif last.kind == "list" and not begins:
            begins = line.left <= item + 1
        last = line if begins or last.kind == line.kind else line._replace(kind="list")
        yield last, begins


def _usual_distance(lines: Sequence[TextLine]) -> float:
    distances = [above.bottom - below.bottom for above, below in pairwise(lines)]
    return min(median(distances), _LEADING * lines[0].size) if distances else 0


def _begins(last: TextLine, line: TextLine, following: TextLine) -> bool:
    """Whether a line starts a paragraph although it is close to the line above."""
    if line.kind not in _RUNNING or last.kind not in _RUNNING:
        return True
    size = line.size
    if size > _SAME_SIZE * last.size or last.size > _SAME_SIZE * size:
        return True
    indent = _INDENT * size
    return line.left > last.left + indent and following.left < line.left - indent / 2 and last.kind == "text"
