"""Read the layout of a page: text pieces with their boxes, split at gaps, in reading order over columns."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from operator import itemgetter, ne
from typing import TYPE_CHECKING, NamedTuple

from studium.core.documents.pdf.pdfium import CharacterBoxes

if TYPE_CHECKING:
    import pypdfium2


_TABLE_WORDS = "Table|Tab\\.|Tabelle|Tabla|Tableau|Tabella|Tabela|Таблица|Табл\\.|表"
_FIGURE_WORDS = "Figure|Fig\\.?|Abbildung|Abb\\.|Figura|Scheme|Chart|Рисунок|Рис\\.|図"
# `Figure 3 shows` is not a caption, `Figure 3: …`, `Fig. 3 The …` and `TABLE IV` are.
CAPTION = re.compile(
    rf"(?:(?P<table>{_TABLE_WORDS})|{_FIGURE_WORDS})\s*(?:[A-Z]?\d{{1,3}}(?:[.-]\d{{1,3}})*|[IVXLC]{{1,6}})[a-z]?"
    r"(?:\s*[.:|–—-]|\s*$|\s*\n|\s+(?-i:[^\W\d_a-z\u0430-\u044f]))",
    re.IGNORECASE,
)


# Where pdfium assumes a broken word, it writes one of these instead of a line end.
_BREAKS = "\x02\ufffe"
_BROKEN = re.compile(f"(?<=[{_BREAKS}])")
_SPACES = re.compile(r"(?<=\S) +(?=\S)")
# In heights of a line: no space between words is as wide.
_GAP = 0.8
_EVERY = 3
# How much wider than usual a line is for its letters if there are gaps between them.
_LOOSE = 1.15
# A page with this many letters of one size determines the usual size without other pages.
_ENOUGH = 200
_SAMPLE = 25
MAX_CHARACTERS = 200_000
"""The characters of one page: a poster has some ten thousand."""
# In points: no page is as large.
_FAR = 1e6


class TextPiece(NamedTuple):
    """Words on one line, the box around them in points from the page's lower left corner, and their first character."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    start: int = 0

    @property
    def size(self) -> float:
        """The line height of this type size."""
        return self.top - self.bottom


class TypeSize(NamedTuple):
    """A type size, and the number of letters in it."""

    size: float
    letters: int


@dataclass(frozen=True, eq=False)
class PageLayout:
    """The layout of a page: pieces in file order, raw text, sideways text, and page size.

    A page is blank if nothing is drawn on it, and cut if it has more text than is read. `objects` counts what its
    instructions draw, which is what a page costs.
    """

    pieces: Sequence[TextPiece] = ()
    text: str = ""
    sideways: Sequence[str] = ()
    width: float = 0
    height: float = 0
    is_cut: bool = False
    is_blank: bool = False
    objects: int = 0

    @cached_property
    def body(self) -> TypeSize:
        """The most common type size."""
        letters: dict[float, int] = {}
        for text, _, bottom, _, top, _ in self.pieces[:: 1 + len(self.pieces) // _SAMPLE]:
            size = round(top - bottom, 1)
            letters[size] = letters.get(size, 0) + len(text)
        size = max(letters, key=letters.__getitem__, default=0.0)
        return TypeSize(size, letters.get(size, 0))


def body_size(near: Sequence[PageLayout]) -> float:
    """The most common type size of a page, or of a neighbour with more text."""
    own = near[0].body
    return (own if own.letters > _ENOUGH else max((page.body for page in near), key=lambda body: body.letters)).size


class _Cut(NamedTuple):
    """A gap in a line: its place in the text, and its left and right edge."""

    at: int
    before: float
    after: float


def read_layout(page: "pypdfium2.PdfPage") -> PageLayout:
    """Read the layout of a page as displayed: rotated if the page is, without text outside of it."""
    textpage = page.get_textpage()
    try:
        boxes = CharacterBoxes(page, textpage)
        found = textpage.count_chars()
        characters = min(found, MAX_CHARACTERS)
        text = textpage.get_text_range(0, characters)
        upright, sideways = _lines(text, characters, boxes)
        pieces = _pieces(upright, boxes)
    finally:
        textpage.close()
    width, height = boxes.width, boxes.height
    seen = [piece for piece in pieces if _is_seen(piece, width, height)]
    objects = _count_objects(page)
    is_blank = not found and not objects
    return PageLayout(seen, text, sideways, width, height, found > characters, is_blank, objects)


def _count_objects(page: "pypdfium2.PdfPage") -> int:
    from pypdfium2 import raw

    return max(int(raw.FPDFPage_CountObjects(page.raw)), 0)


def _is_seen(piece: TextPiece, width: float, height: float) -> bool:
    """Whether a piece has text on the page; a broken font has boxes that are no numbers or without end."""
    text, left, bottom, right, top, _ = piece
    return bool(text) and -1 < left < width and -_FAR < bottom < height and 0 < top < _FAR and -_FAR < right < _FAR


def _lines(text: str, characters: int, boxes: CharacterBoxes) -> tuple[list[TextPiece], list[str]]:
    """The upright lines, and the text of sideways lines."""
    upright: list[TextPiece] = []
    sideways: list[str] = []
    aligned = len(text) == characters
    of_ends = boxes.of_ends
    for words, begin, end in _spans(text):
        start, last = (begin, end) if aligned else _characters(text, begin, end, boxes)
        (left, top, _, bottom), (x, high, right, low) = of_ends(start, last)
        if last > start and abs(low - bottom) > abs(x - left):
            sideways.append(words)
        elif words[0].isalnum():
            upright.append(TextPiece(words, left, bottom, right, top, start))
        else:
            # A bullet is often of another size than the words behind it.
            upright.append(TextPiece(words, left, low, right, high, start))
    return upright, sideways


def _spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Each line without surrounding spaces, with the places of its first and last character."""
    at = 0
    for line in text.split("\r\n"):
        for part in _BROKEN.split(line) if _BREAKS[0] in line or _BREAKS[1] in line else (line,):
            words = part.strip()
            if words:
                begin = at + part.index(words[0])
                yield (f"{words[:-1]}-" if words[-1] in _BREAKS else words), begin, begin + len(words) - 1
            at += len(part)
        at += 2


def _characters(text: str, begin: int, end: int, boxes: CharacterBoxes) -> tuple[int, int]:
    """Two offsets as pdfium counts, to which a character beyond the first 65,536 is two and some have no text."""
    first, last = (boxes.character_at(len(text[:at].encode("utf-16-le")) // 2) for at in (begin, end))
    return first, max(first, last)


def _pieces(lines: list[TextPiece], boxes: CharacterBoxes) -> list[TextPiece]:
    """The lines, split at their gaps."""
    cuts = _cuts(lines, boxes) if lines else {}
    if not cuts:
        return lines
    parts = ([line] if number not in cuts else _parts(line, cuts[number]) for number, line in enumerate(lines))
    return [piece for pieces in parts for piece in pieces]


def _cuts(lines: Sequence[TextPiece], boxes: CharacterBoxes) -> dict[int, list[_Cut]]:
    """The gaps by the number of the line.

    A line may have gaps if it is wider for its letters than other lines. In a wide line few gaps make no
    difference, but where there are columns or tables there are several: one in three is looked at, and its neighbours.
    """
    room = [(right - left) / ((top - bottom or 1) * len(text)) for text, left, bottom, right, top, _ in lines]
    loose = _LOOSE * sorted(room)[len(room) // 2]
    cuts = {number: _cuts_at_spaces(lines[number], boxes) for number, needs in enumerate(room) if needs > loose}
    wide = (max([line[3] for line in lines]) - min([line[1] for line in lines])) / 2
    for number in range(0, len(lines), _EVERY):
        line = lines[number]
        if number not in cuts and line[3] - line[1] > wide and (found := _cuts_between_runs(line, boxes)):
            cuts[number] = found
            for near in range(max(number - _EVERY + 1, 0), min(number + _EVERY, len(lines))):
                if near not in cuts:
                    cuts[near] = _cuts_between_runs(lines[near], boxes)
    return cuts


def _parts(line: TextPiece, cuts: Sequence[_Cut]) -> list[TextPiece]:
    """The pieces of a line between its gaps; of several gaps before one word, the last counts."""
    text, left, bottom, right, top, start = line
    parts = []
    begin = 0
    for at, before, after in cuts:
        if words := text[begin:at].strip():
            parts.append(TextPiece(words, left, bottom, before, top, start + begin))
            begin = at
        left = after
    parts.append(TextPiece(text[begin:].strip(), left, bottom, right, top, start + begin))
    return parts


def _cuts_between_runs(line: TextPiece, boxes: CharacterBoxes) -> list[_Cut]:
    """The gaps between runs. Among the words each is near to where it would be if all letters were of one width."""
    runs = boxes.of_runs(line.start, len(line.text))
    if len(runs) == 1:
        return []
    wide = _GAP * line.size
    gaps = [index for index in range(1, len(runs)) if runs[index][0] - runs[index - 1][2] > wide]
    if not gaps:
        return []
    inked = list(accumulate([run[2] - run[0] for run in runs], initial=0.0))
    cuts = []
    for index in gaps:
        edge = runs[index][0]
        near = int(len(line.text) * inked[index] / inked[-1]) if inked[-1] > 0 else 0
        at = _first_word_beyond(edge - 1, line, near, boxes)
        if at:
            cuts.append(_Cut(at, runs[index - 1][2], edge))
    return cuts


def _first_word_beyond(edge: float, line: TextPiece, near: int, boxes: CharacterBoxes) -> int:
    """The start of the first word to the right of an edge, or 0; the search starts near it."""
    words, start = line.text, line.start
    at = words.find(" ", near) + 1
    while at and boxes.of_character(start + at)[0] < edge:
        at = words.find(" ", at) + 1
    at = at or len(words)
    while (earlier := words.rfind(" ", 0, at - 1) + 1) and boxes.of_character(start + earlier)[0] >= edge:
        at = earlier
    return at if at < len(words) else 0


def _cuts_at_spaces(line: TextPiece, boxes: CharacterBoxes) -> list[_Cut]:
    """The gaps of a line that is so wide for its letters that there must be some, even within runs."""
    start, wide = line.start, _GAP * line.size
    spaces = [space.span() for space in _SPACES.finditer(line.text)]
    edges = [
        _Cut(end, boxes.of_character(start + begin - 1)[2], boxes.of_character(start + end)[0]) for begin, end in spaces
    ]
    return [cut for cut in edges if cut.after - cut.before > wide]


Row = list[TextPiece]
Column = list[Row]

# The fewest lines of a column, and the least letters and share of its column's width of a line of prose.
_LINES = 3
_LETTERS = 12
_FILLED = 0.55
# A column that starts this near to the left edge (as a share of the whole width) is the first one, indented.
_INDENT = 0.2
_SAME_LINE = 0.4
_BUCKET = 4
# No page has more columns beside each other; what looks like it is a grid.
_MOST_COLUMNS = 12
_LEFT, _BOTTOM, _RIGHT = itemgetter(1), itemgetter(2), itemgetter(3)


def sort_in_reading_order(pieces: Sequence[TextPiece], most: int = _MOST_COLUMNS) -> list[Column]:
    """The columns of a page, each with its rows from top to bottom; rows across columns separate them."""
    gutter = _gutter(pieces) if most > 1 else None
    if gutter is None:
        return [rows_of(pieces)] if pieces else []
    order: list[Column] = []
    is_across = False
    for band in _bands(pieces, gutter):
        sides = [column for side in (band.left, band.right) for column in sort_in_reading_order(side, most - 1)]
        if is_across and not sides and band.below:
            order[-1].append(band.below)
        else:
            order += [*sides, *([[band.below]] if band.below else [])]
        is_across = bool(band.below)
    return order


@dataclass(frozen=True)
class _Band:
    """A part of a page between full-width rows: what is left and right of the gutter, and the row below it, if any."""

    left: list[TextPiece]
    right: list[TextPiece]
    below: Row


def _bands(pieces: Sequence[TextPiece], gutter: float) -> list[_Band]:
    """The page cut at its full-width rows; what stands on the line of such a row belongs to it."""
    across = rows_of([piece for piece in pieces if piece.left < gutter < piece.right])
    bands = [_Band([], [], row) for row in across] + [_Band([], [], [])]
    lines = [-row[0].bottom for row in across]
    for piece in pieces:
        _, left, bottom, right, top, _ = piece
        if left < gutter < right:
            continue
        near = _SAME_LINE * (top - bottom)
        above = bisect_left(lines, -bottom - near) if lines else 0
        if above < len(lines) and lines[above] <= near - bottom:
            bands[above].below.append(piece)
        else:
            (bands[above].right if left >= gutter else bands[above].left).append(piece)
    for row in across:
        row.sort(key=_LEFT)
    return bands


def rows_of(pieces: Sequence[TextPiece]) -> list[Row]:
    """The rows of a page: pieces on one line, from left to right."""
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


def _gutter(pieces: Sequence[TextPiece]) -> float | None:
    """The start of the right one of two columns: many lines start there, and the text to its left ends before it."""
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


def _are_columns(pieces: Sequence[TextPiece], edge: float) -> bool:
    """Whether there are text columns on both sides; table cells are shorter and written row by row."""
    left = [piece for piece in pieces if piece[3] <= edge]
    right = [piece for piece in pieces if piece[1] >= edge]
    if min(len(left), len(right)) < _LINES or min(map(_BOTTOM, left)) > max(map(_BOTTOM, right)):
        return False
    sides = [piece[1] >= edge for piece in pieces]
    switches = sum(map(ne, sides, sides[1:]))
    is_text = _is_wordy if switches <= len(sides) // 4 else _is_prose
    return is_text(left) and is_text(right)


def _is_wordy(pieces: Sequence[TextPiece]) -> bool:
    letters = [len(piece[0]) for piece in pieces]
    # A script without spaces needs only half as many characters.
    return _middle(letters) >= (_LETTERS if pieces[0].text[0] < "\u2e80" else _LETTERS / 2)


def _is_prose(pieces: Sequence[TextPiece]) -> bool:
    """Whether lines are prose: long, filling their column, and continuing mid-sentence."""
    widths = [piece[3] - piece[1] for piece in pieces]
    firsts = [piece[0][0] for piece in pieces]
    running = len(firsts) - sum(map(str.isupper, firsts)) - sum(map(str.isdigit, firsts))
    return _is_wordy(pieces) and _middle(widths) > _FILLED * max(widths) and running * 4 >= len(pieces)


def _middle(values: Sequence[float]) -> float:
    return sorted(values)[len(values) // 2]
