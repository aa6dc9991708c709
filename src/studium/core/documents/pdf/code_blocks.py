"""Find the code of a page by its fonts, and write it in a Markdown fence."""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from studium.core.documents.pdf.fonts import PageFonts
from studium.core.documents.pdf.layout import PageLayout, Row

# The share of a text in one width beyond which it is how the document is written, and not code in it.
_TYPEWRITTEN = 0.5
# The letters of other width on a page, from which on there is prose beside the code.
_PROSE = 200
# Code: the most spaces before and between its words, and how near lines of prose are, in heights of a line.
_WIDEST = 60
_LEADING = 1.7
_SAME_EDGE = 2.0
_SAME_DISTANCE = 1.15


def is_typewritten(pages: Sequence[PageLayout]) -> bool:
    """Whether nearly all of some pages is in letters of one width, so that these say nothing."""
    if not any(page.fonts.monospaced for page in pages):
        return False
    letters = [page.letters for page in pages]
    every, monospaced = sum(of.all for of in letters), sum(of.monospaced for of in letters)
    return monospaced > _TYPEWRITTEN * every and every - monospaced < _PROSE * len(letters)


def find_code(rows: Sequence[Row], fonts: PageFonts) -> list[range]:
    """The rows of a column that are code; a line of prose may have nothing but a long name in it."""
    if not fonts.monospaced:
        return []
    flags = [fonts.are_code(row) for row in rows]
    edges = [0, *(at for at, (one, other) in enumerate(pairwise(flags), 1) if one != other), len(rows)]
    runs = [range(start, end) for start, end in pairwise(edges) if flags[start]]
    return [run for run in runs if not _is_within_prose(rows, run)]


def _is_within_prose(rows: Sequence[Row], run: range) -> bool:
    """Whether a single row continues the paragraph around it: same edge, same distance to both neighbours."""
    if len(run) > 1 or not 0 < run.start < len(rows) - 1:
        return False
    above, row, below = (rows[at][0] for at in range(run.start - 1, run.start + 2))
    before, after = above.bottom - row.bottom, row.bottom - below.bottom
    is_aligned = abs(row.left - below.left) < _SAME_EDGE and row.left - above.left < _SAME_EDGE
    is_near = max(before, after) < min(_LEADING * below.size, _SAME_DISTANCE * min(before, after))
    return is_aligned and is_near


def code_lines(rows: Sequence[Row]) -> list[str]:
    """Code in a Markdown fence, with its indentation."""
    west = min(row[0].left for row in rows)
    width = median([(piece.right - piece.left) / len(piece.text) for row in rows for piece in row]) or 1
    lines = [_code_line(row, west, width) for row in rows]
    fence = "`" * max(3, 1 + max((len(run) for line in lines for run in re.findall("`+", line)), default=0))
    return [fence, *lines, fence]


def _code_line(row: Row, west: float, width: float) -> str:
    text, end = "", west
    for piece in row:
        spaces = min(max(round((piece.left - end) / width), 1 if text else 0), _WIDEST)
        text += " " * spaces + piece.text
        end = piece.right
    return text
