"""Build the text of a page: join hyphenated words, and find tables, headings and paragraphs."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from statistics import median
from typing import NamedTuple

from studium.core.documents.markdown import escape_markdown
from studium.core.documents.pdf.code_blocks import code_lines, find_code
from studium.core.documents.pdf.fonts import PageFonts
from studium.core.documents.pdf.headings import NUMBERED_TITLE, is_label, is_title
from studium.core.documents.pdf.layout import CAPTION, Column, Row
from studium.core.documents.pdf.tables import find_tables

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


# TeX has a bullet at 0x88.
_BULLET = re.compile("[\x88•◦▪▫‣●○■□∙➢➤✓\uf0b7\uf0a7\uf0d8]\\s*|[–*-]\\s+")
_NUMBERED = re.compile(r"\d{1,3}[.)]\s+\S")
_ENDS = tuple('.!?:…。\uff01\uff1f”»"')
# How much larger than the text a heading of each level is; the most lines it has.
_LEVELS = ((1.6, "# "), (1.3, "## "), (1.12, "### "))
_HEADING_LINES = 3
# The level of a heading that is only bold, and how much further than a line it is from what is above it.
_BOLD_MARKS = "#### "
_SET_APART = 1.15
_BOLD_LINES = 2
_UNDER_HEADING = 4
_EAST_ASIAN = "\u2e80"
# In heights of a line: between the first two, words touch; a line that is further in is indented; and lines of one
# paragraph are not further apart.
_OVERLAPPING = -0.5
_TOUCHING = 0.1
_INDENT = 0.7
_LEADING = 1.7
# Lines that fill all but this share of their column show how far lines are apart: so many are needed, up to this.
_FULL = 0.15
_WRAPPED = 3
_WIDE_LEADING = 3.2
# How much larger than usual the distance of lines is at the end of a paragraph, and how much one type size may vary.
_LINE_GAP = 1.3
_RUNNING = ("text", "list")
_NO_FONTS = PageFonts()
_CELLS = 2
_SAME_SIZE = 1.12


class TextLine(NamedTuple):
    """A line of a column, with what is needed to see whether a paragraph starts."""

    text: str
    left: float
    bottom: float
    right: float
    size: float
    kind: str = "text"
    is_bold: bool = False


def build_text(columns: Sequence[Column], body: float, known: Sequence[str], fonts: PageFonts = _NO_FONTS) -> str:
    """The text of a page; the last paragraph is closed if it looks complete."""
    written: list[str] = []
    last = ""
    for column in columns:
        for line, begins in _paragraphs(_with_headings(_lines(column, fonts), body, known)):
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
    if kind not in _RUNNING or text.endswith(_ENDS):
        return True
    return following is not None and (following.kind != "text" or CAPTION.match(following.text) is not None)


def _lines(column: Column, fonts: PageFonts) -> list[TextLine]:
    lines: list[TextLine] = []
    at = 0
    for code in find_code(column, fonts):
        lines += _lines_and_tables(column[at : code.start], fonts)
        rows = column[code.start : code.stop]
        lines.append(_whole("code", code_lines(rows), rows))
        at = code.stop
    return lines + _lines_and_tables(column[at:], fonts)


def _lines_and_tables(rows: Column, fonts: PageFonts) -> list[TextLine]:
    lines: list[TextLine] = []
    at = 0
    for table in find_tables(rows, fonts) if any(len(row) > 1 for row in rows) else ():
        lines += [_line(row, fonts) for row in rows[at : table.start]]
        lines.append(_whole("table", table.markdown, rows[table.start : table.end]))
        at = table.end
    return lines + [_line(row, fonts) for row in rows[at:]]


def _whole(kind: str, text: Sequence[str], rows: Column) -> TextLine:
    """Several rows as one block."""
    first, last = rows[0][0], rows[-1][-1]
    return TextLine("\n".join(text), first.left, last.bottom, last.right, first.size, kind)


def _line(row: Row, fonts: PageFonts) -> TextLine:
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
        else:
            text = escape_markdown(text)
    return TextLine(text, left, bottom, right, top - bottom, kind, _is_one_bold(row, fonts))


def _is_one_bold(row: Row, fonts: PageFonts) -> bool:
    """Whether a row is one bold text, perhaps with a number before it; several are cells or names."""
    return fonts.are_bold(row) and (len(row) == 1 or (len(row) == _CELLS and row[0].text.strip(".").isalnum()))


def _with_headings(lines: list[TextLine], body: float, known: Sequence[str]) -> list[TextLine]:
    """The lines, with short text in larger type as headings on one line."""
    large = _LEVELS[-1][0] * body
    if any([line[6] for line in lines]):  # noqa: C419 - a third of the time
        lines = list(_with_bold_headings(lines, large, known))
    if not lines or max([line.size for line in lines]) <= large:
        return lines
    edge = max([line.right for line in lines])
    found: list[TextLine] = []
    for size, group in groupby(
        lines, key=lambda line: line.size > large and line.kind in _RUNNING and round(line.size)
    ):
        run = list(group)
        found += _headings(run, body, edge, known) if size and len(run) <= _HEADING_LINES else run
    return found


def _with_bold_headings(lines: Sequence[TextLine], large: float, known: Sequence[str]) -> Iterator[TextLine]:
    """The lines, with one or two bold ones that are set apart from the text as a heading."""
    apart = _SET_APART * _usual_distance(lines)
    at = 0
    for is_bold, group in groupby(lines, key=lambda line: line.is_bold and line.size <= large):
        run = list(group)
        above, below = lines[at - 1] if at else None, lines[at + len(run)] if at + len(run) < len(lines) else None
        at += len(run)
        is_set_apart = above is None or above.kind not in _RUNNING or above.bottom - run[0].bottom > apart
        if is_bold and is_set_apart and len(run) <= _BOLD_LINES and below is not None and _is_under_heading(below):
            joined = _joined(run, known)
            if is_title(joined.text, is_small=True) and not is_label(joined.text):
                yield joined._replace(text=_BOLD_MARKS + joined.text, kind="heading")
                continue
        yield from run


def _is_under_heading(line: TextLine) -> bool:
    is_prose = line.text.count(" ") >= _UNDER_HEADING or line.text[:1] >= _EAST_ASIAN
    return line.kind == "list" or (line.kind == "text" and is_prose)


def _joined(lines: Sequence[TextLine], known: Sequence[str]) -> TextLine:
    """Lines of a heading as one."""
    whole = lines[0]
    for line in lines[1:]:
        text = " ".join(filter(None, join_hyphenated(whole.text, line.text, known)))
        whole = whole._replace(text=text, bottom=line.bottom, right=line.right)
    return whole


def _headings(run: Sequence[TextLine], body: float, edge: float, known: Sequence[str]) -> Iterator[TextLine]:
    """Join lines of one size to headings; a line over half the width continues in the next."""
    whole = run[0]
    for line in run[1:]:
        if whole.right - whole.left > (edge - whole.left) / 2 and not NUMBERED_TITLE.match(line.text):
            whole = _joined((whole, line), known)
        else:
            yield _heading(whole, body)
            whole = line
    yield _heading(whole, body)


def _heading(line: TextLine, body: float) -> TextLine:
    marks = next(marks for ratio, marks in _LEVELS if line.size > ratio * body)
    if not is_title(line.text, is_small=marks == _LEVELS[-1][1]):
        return line
    return line._replace(text=marks + line.text, kind="heading")


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
    """The distance of lines within paragraphs: where a line that fills its column goes on, it may be a wide one."""
    pairs = list(pairwise(lines))
    if not pairs:
        return 0
    edge = min([line.left for line in lines]), max([line.right for line in lines])
    full = edge[1] - _FULL * (edge[1] - edge[0])
    wrapped = [
        above.bottom - below.bottom
        for above, below in pairs
        if above.right > full and above.kind in _RUNNING and below.kind in _RUNNING
    ]
    if len(wrapped) >= _WRAPPED:
        return min(median(wrapped), _WIDE_LEADING * lines[0].size)
    return min(median([above.bottom - below.bottom for above, below in pairs]), _LEADING * lines[0].size)


def _begins(last: TextLine, line: TextLine, following: TextLine) -> bool:
    """Whether a line starts a paragraph although it is close to the line above."""
    if line.kind not in _RUNNING or last.kind not in _RUNNING:
        return True
    size = line.size
    if size > _SAME_SIZE * last.size or last.size > _SAME_SIZE * size:
        return True
    indent = _INDENT * size
    return line.left > last.left + indent and following.left < line.left - indent / 2 and last.kind == "text"
