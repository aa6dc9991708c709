"""Columns of rows become text: paragraphs, headings, lists and tables as Markdown writes them."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from statistics import median
from typing import NamedTuple

from studium.readers.pdf.captions import CAPTION
from studium.readers.pdf.columns import Column, Row
from studium.readers.pdf.hyphens import HYPHENS, join
from studium.readers.pdf.tables import tables_in

_BULLET = re.compile("[•◦▪▫‣●○■□∙➢➤✓\uf0b7\uf0a7\uf0d8]\\s*|[–*-]\\s+")
_NUMBERED = re.compile(r"\d{1,3}[.)]\s+\S")
_NUMBERED_TITLE = re.compile(r"(?:\d+\.?)+\s")
_LEADER = re.compile(r"(?:\. ?){4}")
_ENDS = tuple('.!?:…。\uff01\uff1f”»"')
# How much larger than the text a heading of each level is; the most lines and letters it has.
_LEVELS = ((1.6, "# "), (1.3, "## "), (1.12, "### "))
_HEADING_LINES = 3
_HEADING_LETTERS = 200
# In heights of a line: within it words touch, beyond it a line is indented, and lines of one paragraph are not further.
_TOUCHING = 0.1
_INDENT = 0.7
_LEADING = 1.7
# How much more than usual two lines are apart where a paragraph ends, and how much type of one size may differ.
_APART = 1.3
_RUNNING = ("text", "list")
_SAME_SIZE = 1.12


class Line(NamedTuple):
    """A line of a column, with what tells whether it begins something new."""

    text: str
    left: float
    bottom: float
    right: float
    size: float
    kind: str = "text"


def text_of(columns: Sequence[Column], body: float, known: Sequence[str]) -> str:
    """The text of a page; its last line is ended, and its last paragraph too if it looks like an end."""
    written: list[str] = []
    last = ""
    for column in columns:
        for line, begins in _paragraphs(_with_headings(_lines(column), body)):
            if written and (_is_over(written[-1], last, line) if begins is None else begins):
                written += ["", line.text]
            elif written and written[-1][-1:] in HYPHENS:
                written[-1], rest = join(written[-1], line.text, known)
                written += [rest] if rest else []
            else:
                written.append(line.text)
            last = line.kind
    if not written:
        return ""
    return "\n".join(written) + ("\n\n" if _is_over(written[-1], last) else "\n")


def _is_over(text: str, kind: str, following: Line | None = None) -> bool:
    """Whether what stands at the foot of a column ends there."""
    if kind in ("heading", "table") or text.endswith(_ENDS):
        return True
    return following is not None and (following.kind != "text" or CAPTION.match(following.text) is not None)


def _lines(column: Column) -> list[Line]:
    lines: list[Line] = []
    at = 0
    for table in tables_in(column) if max(map(len, column)) > 1 else ():
        lines += [_line(row) for row in column[at : table.start]]
        first = column[table.start][0]
        last = column[table.end - 1][-1]
        lines.append(Line("\n".join(table.markdown), first.left, last.bottom, last.right, first.size, "table"))
        at = table.end
    return lines + [_line(row) for row in column[at:]]


def _line(row: Row) -> Line:
    text, left, bottom, right, top, _ = row[0]
    if len(row) > 1:
        # What is longest tells the size: a bullet or a mark for a note is often smaller.
        _, _, bottom, _, top, _ = max(row, key=lambda piece: len(piece.text))
        for before, piece in pairwise(row):
            text += piece.text if piece.left - before.right < _TOUCHING * piece.size else f" {piece.text}"
        right = row[-1].right
    kind = "text"
    if not text[0].isalpha():
        if bullet := _BULLET.match(text):
            text, kind = f"- {text[bullet.end() :]}".rstrip(), "list"
        elif _NUMBERED.match(text):
            kind = "list"
    return Line(text, left, bottom, right, top - bottom, kind)


def _with_headings(lines: list[Line], body: float) -> list[Line]:
    """The same lines, but what is set larger than the text and is short becomes a heading on one line."""
    large = _LEVELS[-1][0] * body
    sizes = [line.size for line in lines]
    if max(sizes) <= large:
        return lines
    edge = max([line.right for line in lines])
    found: list[Line] = []
    for size, group in groupby(lines, key=lambda line: line.size > large and line.kind != "table" and round(line.size)):
        run = list(group)
        found += _headings(run, body, edge) if size and len(run) <= _HEADING_LINES else run
    return found


def _headings(run: Sequence[Line], body: float, edge: float) -> Iterator[Line]:
    """Headings from lines of one size; one that reaches halfway across goes on in the next."""
    marks = next(marks for ratio, marks in _LEVELS if run[0].size > ratio * body)
    whole = run[0]
    for line in run[1:]:
        if whole.right - whole.left > (edge - whole.left) / 2 and not _NUMBERED_TITLE.match(line.text):
            whole = whole._replace(text=f"{whole.text} {line.text}", bottom=line.bottom, right=line.right)
        else:
            yield _heading(whole, marks)
            whole = line
    yield _heading(whole, marks)


def _heading(line: Line, marks: str) -> Line:
    is_title = len(line.text) <= _HEADING_LETTERS and any(map(str.isalpha, line.text)) and not _LEADER.search(line.text)
    return line._replace(text=marks + line.text, kind="heading") if is_title else line


def _paragraphs(lines: Sequence[Line]) -> Iterator[tuple[Line, bool | None]]:
    """Each line, and whether a paragraph begins with it; of the first in a column that is not known."""
    if not lines:
        return
    apart = _APART * _usual_distance(lines)
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


def _usual_distance(lines: Sequence[Line]) -> float:
    distances = [above.bottom - below.bottom for above, below in pairwise(lines)]
    return min(median(distances), _LEADING * lines[0].size) if distances else 0


def _begins(last: Line, line: Line, following: Line) -> bool:
    """Whether a line begins something new although it stands close to the one above."""
    if line.kind not in _RUNNING or last.kind not in _RUNNING:
        return True
    size = line.size
    if size > _SAME_SIZE * last.size or last.size > _SAME_SIZE * size:
        return True
    indent = _INDENT * size
    return line.left > last.left + indent and following.left < line.left - indent / 2 and last.kind == "text"
