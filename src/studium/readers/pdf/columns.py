"""The order in which a page is read: rows from the top, and columns one after the other where there are columns."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from operator import itemgetter, ne

from studium.readers.pdf.pieces import Piece

Row = list[Piece]
Column = list[Row]

# The least lines that make a column, and what a line of prose has at least in letters and of its column's width.
_LINES = 3
_LETTERS = 12
_FILLED = 0.55
# A column that begins this near to the left edge (of the width of all) is the first one, with an indent.
_INDENT = 0.2
_SAME_LINE = 0.4
_BUCKET = 4
_LEFT, _BOTTOM, _RIGHT = itemgetter(1), itemgetter(2), itemgetter(3)


def in_reading_order(pieces: Sequence[Piece]) -> list[Column]:
    """The columns of a page, each with its rows from top to bottom; what crosses the columns parts them."""
    gutter = _gutter(pieces)
    if gutter is None:
        return [rows_of(pieces)] if pieces else []
    across = rows_of([piece for piece in pieces if piece.left < gutter < piece.right])
    order: list[Column] = []
    for band, row in zip_longest(_bands(pieces, gutter, across), across):
        sides = [column for side in band for column in in_reading_order(side)]
        if row and order and not sides and across and order[-1][-1] in across:
            order[-1].append(row)
        else:
            order += [*sides, *([[row]] if row else [])]
    return order


def _bands(pieces: Sequence[Piece], gutter: float, across: Sequence[Row]) -> list[tuple[list[Piece], list[Piece]]]:
    """What stands left and right of the gutter, above, between and below the rows across; those take their own line."""
    bands: list[tuple[list[Piece], list[Piece]]] = [([], []) for _ in range(len(across) + 1)]
    lines = [-row[0].bottom for row in across]
    for piece in pieces:
        _, left, bottom, right, top, _ = piece
        if left < gutter < right:
            continue
        near = _SAME_LINE * (top - bottom)
        above = bisect_left(lines, -bottom - near) if lines else 0
        if above < len(lines) and lines[above] <= near - bottom:
            across[above].append(piece)
        else:
            bands[above][left >= gutter].append(piece)
    for row in across:
        row.sort(key=_LEFT)
    return bands


def rows_of(pieces: Sequence[Piece]) -> list[Row]:
    """The pieces that stand on one line, from left to right, line by line."""
    rows: list[Row] = []
    lowest = 0.0
    for piece in sorted(pieces, key=_BOTTOM, reverse=True):
        _, _, bottom, _, top, _ = piece
        if rows and bottom + _SAME_LINE * (top - bottom) > lowest:
            rows[-1].append(piece)
        else:
            rows.append([piece])
            lowest = bottom
    for row in rows:
        if len(row) > 1:
            row.sort(key=_LEFT)
    return rows


def _gutter(pieces: Sequence[Piece]) -> float | None:
    """Where the right one of two columns begins: many lines begin there, and what stands on its left ends before."""
    if len(pieces) < 2 * _LINES:
        return None
    west, east = min(map(_LEFT, pieces)), max(map(_RIGHT, pieces))
    beyond = west + _INDENT * (east - west)
    begins = Counter([int(piece[1] // _BUCKET) for piece in pieces if piece[1] > beyond])
    for bucket, count in begins.most_common(3):
        if count + begins[bucket + 1] + begins[bucket - 1] < _LINES:
            return None
        edge = (bucket - 1) * _BUCKET if begins[bucket - 1] else bucket * _BUCKET
        if _are_columns(pieces, edge):
            return edge
    return None


def _are_columns(pieces: Sequence[Piece], edge: float) -> bool:
    """Whether columns of text lie on both sides; the cells of a table do too, but are written row by row and short."""
    left = [piece for piece in pieces if piece[3] <= edge]
    right = [piece for piece in pieces if piece[1] >= edge]
    if min(len(left), len(right)) < _LINES or min(map(_BOTTOM, left)) > max(map(_BOTTOM, right)):
        return False
    sides = [piece[1] >= edge for piece in pieces]
    switches = sum(map(ne, sides, sides[1:]))
    is_text = _is_wordy if switches <= len(sides) // 4 else _is_prose
    return is_text(left) and is_text(right)


def _is_wordy(pieces: Sequence[Piece]) -> bool:
    letters = [len(piece[0]) for piece in pieces]
    # What is written without spaces says as much with half as many signs.
    return _middle(letters) >= (_LETTERS if pieces[0].text[0] < "\u2e80" else _LETTERS / 2)


def _is_prose(pieces: Sequence[Piece]) -> bool:
    """Lines of some length that fill their column and go on in the middle of sentences."""
    widths = [piece[3] - piece[1] for piece in pieces]
    firsts = [piece[0][0] for piece in pieces]
    running = len(firsts) - sum(map(str.isupper, firsts)) - sum(map(str.isdigit, firsts))
    return _is_wordy(pieces) and _middle(widths) > _FILLED * max(widths) and running * 4 >= len(pieces)


def _middle(values: Sequence[float]) -> float:
    return sorted(values)[len(values) // 2]
