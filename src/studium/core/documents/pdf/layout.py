"""Read the layout of a page: text pieces with their boxes, split at gaps, in reading order over columns."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, repeat
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from studium.core.documents.pdf.fonts import PageFonts, read_fonts
from studium.core.documents.pdf.footnote_marks import (
    MARK,
    MARK_STARTS,
    MAYBE_DAGGER,
    MAYBE_MARK,
    find_first_mark,
    find_mark,
    follows_word,
    is_raised,
    without,
)
from studium.core.documents.pdf.glyphs import (
    ACCENTS,
    SPACES,
    has_accent,
    has_ligature,
    lost_spaces,
    put_accents_on_letters,
    put_spaces,
    spell_ligatures,
    without_accents_at_end,
)
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
# Without the control characters that Python counts among them: they may be ligatures.
_BLANK = " \t\n\r\xa0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
# In heights of a line: no space between words is as wide.
_GAP = 0.8
# In heights of a line: the room that a character may have on its left, as a 1 has.
_BEARING = 0.25
# Between the cells of a row that are aligned with those of another: the least room between two, and if there is but one
# gap; how far an edge may be from the other; how far the rows may be apart; and which share of the cells has to be.
_CELL_GAP = 0.2
_ONE_CELL_GAP = 0.45
_ALIGNED = 0.12
_ROW = 3.0
_MOST_CELLS = 0.6
_DOTS = ". . . ."
# No line of a document has more letters, and no row of a table more cells.
_LONGEST = 2_000
_MOST_CUTS = 60
_EVERY = 3
# How much wider than usual a line is for its letters if there are gaps between them.
_LOOSE = 1.15
# A page with this many letters of one size determines the usual size without other pages.
_ENOUGH = 200
_SAMPLE = 25
_PROSE_SPACES = 4
_PROSE_WEIGHT = 4
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
    fonts: PageFonts = field(default_factory=PageFonts)

    @cached_property
    def sizes(self) -> dict[float, int]:
        """The letters of each type size; those of prose count more than those of cells, labels and code."""
        letters: dict[float, int] = {}
        monospaced = self.fonts.monospaced
        for text, _, bottom, _, top, start in self.pieces[:: 1 + len(self.pieces) // _SAMPLE]:
            size = round(top - bottom, 1)
            is_prose = text.count(" ") >= _PROSE_SPACES and start not in monospaced
            letters[size] = letters.get(size, 0) + (_PROSE_WEIGHT * len(text) if is_prose else len(text))
        return letters

    @cached_property
    def letters(self) -> "LetterCount":
        """How many letters there are, and how many of them are of one width."""
        monospaced = self.fonts.monospaced
        return LetterCount(
            sum(len(piece[0]) for piece in self.pieces),
            sum(len(piece[0]) for piece in self.pieces if piece[5] in monospaced) if monospaced else 0,
        )


class LetterCount(NamedTuple):
    """The letters of a page, and those in fonts with letters of one width."""

    all: int
    monospaced: int


def body_size(near: Sequence[PageLayout]) -> float:
    """The usual type size of a page and its neighbours; a page that is all in larger type has its own."""
    together: dict[float, int] = {}
    for page in near:
        for size, letters in page.sizes.items():
            together[size] = together.get(size, 0) + letters
    usual = max(together, key=together.__getitem__, default=0.0)
    sizes = near[0].sizes
    own = max(sizes, key=sizes.__getitem__, default=0.0)
    return max(own, usual) if sizes and sizes[own] > _PROSE_WEIGHT * _ENOUGH else usual


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
        fonts = PageFonts()
        if len(text) == characters:
            fonts = read_fonts(pieces, boxes)
            pieces = _without_marks(text, pieces, _mended(pieces, boxes), boxes, fonts.monospaced)
        if has_ligature(text):
            pieces = [piece._replace(text=spell_ligatures(piece.text)) for piece in pieces]
    finally:
        textpage.close()
    width, height = boxes.width, boxes.height
    seen = _with_scripts_on_lines([piece for piece in pieces if _is_seen(piece, width, height)])
    objects = _count_objects(page)
    is_blank = not found and not objects
    return PageLayout(seen, text, sideways, width, height, found > characters, is_blank, objects, fonts)


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
    for words, begin, written in _spans(text):
        end = begin + len(without_accents_at_end(words)) - 1 if words[-1] in ACCENTS else written
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
            words = part.strip(_BLANK)
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
    return _with_aligned_cuts(lines, cuts, boxes)


def _with_aligned_cuts(
    lines: Sequence[TextPiece], cuts: dict[int, list[_Cut]], boxes: CharacterBoxes
) -> dict[int, list[_Cut]]:
    """The gaps, and those of rows whose cells are near to each other but stand under or over a neighbour's cells."""
    waiting = [number for number, found in cuts.items() if found]
    while waiting:
        number = waiting.pop()
        for near in _next_rows(lines, number, cuts[number][0].before):
            if 0 <= near < len(lines) and len(cuts.get(near, ())) < len(cuts[number]):
                found = _aligned_cuts(lines[near], lines[number], cuts[number], boxes)
                if len(found) > len(cuts.get(near, ())):
                    cuts[near] = found
                    waiting.append(near)
    return cuts


def _next_rows(lines: Sequence[TextPiece], number: int, edge: float) -> Iterator[int]:
    """The lines before and after a row; behind one that starts beyond its first cell, and so continues another, two."""
    for step in (-1, 1):
        yield number + step
        if 0 <= number + step < len(lines) and lines[number + step].left >= edge:
            yield number + 2 * step


def _aligned_cuts(line: TextPiece, cells: TextPiece, cuts: Sequence[_Cut], boxes: CharacterBoxes) -> list[_Cut]:
    """The gaps of a line at which a cell of its neighbour starts or ends; none unless most cells have one."""
    is_far = abs(line.bottom - cells.bottom) > _ROW * cells.size or line.right < cuts[0].before
    if is_far or " " not in line.text or _DOTS in line.text or len(line.text) > _LONGEST or len(cuts) > _MOST_CUTS:
        return []
    near, beside = _ALIGNED * line.size, sum(line.left < cut.before < line.right for cut in cuts)
    least = (_CELL_GAP if beside > 1 else _ONE_CELL_GAP) * line.size
    gaps = [
        gap
        for gap in _gaps_at_spaces(line, boxes)
        if any(_is_aligned(gap, cut, near) for cut in cuts) and not 0 < gap.after - gap.before < least
    ]
    return gaps if len(gaps) >= _MOST_CELLS * beside else []


def _is_aligned(gap: _Cut, cut: _Cut, near: float) -> bool:
    """Whether the cells before or those after two gaps are aligned; a cell that is too long overlaps with the next."""
    return abs(gap.after - cut.after) < near or (gap.after > gap.before and abs(gap.before - cut.before) < near)


def _parts(line: TextPiece, cuts: Sequence[_Cut]) -> list[TextPiece]:
    """The pieces of a line between its gaps; of several gaps before one word, the last counts."""
    text, left, bottom, right, top, start = line
    parts = []
    begin = 0
    for at, before, after in cuts:
        if words := text[begin:at].strip(_BLANK):
            parts.append(TextPiece(words, left, bottom, before, top, start + begin))
            begin = at
        left = after
    parts.append(TextPiece(text[begin:].strip(_BLANK), left, bottom, right, top, start + begin))
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
        at = _first_word_beyond(edge - _BEARING * line.size, line, near, boxes)
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
    wide = _GAP * line.size
    return [gap for gap in _gaps_at_spaces(line, boxes) if gap.after - gap.before > wide]


def _gaps_at_spaces(line: TextPiece, boxes: CharacterBoxes) -> list[_Cut]:
    """The room between each two words of a line."""
    start = line.start
    spaces = [space.span() for space in SPACES.finditer(line.text)]
    return [
        _Cut(end, boxes.of_character(start + begin - 1)[2], boxes.of_character(start + end)[0]) for begin, end in spaces
    ]


# The most long lines between two that are looked at letter by letter, and the least number of these; where a space is
# missing, all lines of the page are looked at.
_SAMPLED = 8
_SAMPLES = 8
_SAMPLED_SPACES = 48
_LONG = 20


def _lacks_spaces(pieces: list[TextPiece], boxes: CharacterBoxes) -> bool:
    """Whether spaces may be missing in some lines of a page.

    A space that pdfium puts where the file has none is without height. A file has either all spaces or none, unless it
    was made by groff, which now and then moves on instead; there pdfium does not always notice.
    """
    long = [piece for piece in pieces if len(piece[0]) > _LONG]
    sample = long[:: min(_SAMPLED, len(long) // _SAMPLES or 1)]
    spaces = [piece.start + space.start() for piece in sample for space in SPACES.finditer(piece.text)]
    sampled = spaces[:: len(spaces) // _SAMPLED_SPACES or 1]
    written = sum(top > bottom for top, bottom in [boxes.of_character(space)[1::2] for space in sampled])
    if 0 < written < len(sampled):
        return True
    return bool(written) and any(lost_spaces(piece.text, piece.start, piece.size, boxes) for piece in sample)


def _mended(pieces: list[TextPiece], boxes: CharacterBoxes) -> list[TextPiece]:
    """The pieces with accents on their letters, and with a space wherever there is room for one: groff writes none."""
    lacks_spaces = _lacks_spaces(pieces, boxes)
    if not lacks_spaces and not any(has_accent(piece[0]) for piece in pieces):
        return pieces
    found: list[TextPiece] = []
    for piece in pieces:
        text, start = piece.text, piece.start
        if has_accent(text) and len(text) < _LONGEST:
            text = put_accents_on_letters(text, start, boxes)
        elif lacks_spaces and (places := lost_spaces(text, start, piece.size, boxes)):
            text = put_spaces(text, places)
        found.append(piece._replace(text=text))
    return found


def _without_marks(
    text: str, written: list[TextPiece], mended: list[TextPiece], boxes: CharacterBoxes, code: frozenset[int]
) -> list[TextPiece]:
    """The mended pieces without marks of footnotes; in a piece that was changed, their places are not known."""
    starts = [piece[5] for piece in mended]
    places: dict[int, list[tuple[int, int]]] = {}
    has_daggers = "†" in text or "‡" in text
    for sign in (*MAYBE_MARK.finditer(text), *(MAYBE_DAGGER.finditer(text) if has_daggers else ())):
        number = bisect_right(starts, sign.start()) - 1
        if number < 0:
            continue  # in text that is left out, as on a rotated page
        words, _, bottom, _, top, start = mended[number]
        if words == written[number][0] and start not in code:
            mark = find_mark(words, sign.start() - start, start, (top, bottom), boxes)
            places.setdefault(number, []).extend([mark] if mark else [])
    for number, piece in enumerate(mended):
        if piece[0][:1] in MARK_STARTS and piece[0] == written[number][0]:
            mark = find_first_mark(piece[0], piece[5], boxes)
            places.setdefault(number, [])[:0] = [mark] if mark else []
    for number, marks in places.items():
        if marks:
            mended[number] = mended[number]._replace(text=without(mended[number].text, sorted(marks)))
    return mended


# A subscript or superscript: how small it is for its line, how near to it in heights of the line, and how much of its
# height is within the line.
_SMALL = 0.88
_NEAR = 0.15
_WITHIN = 0.3


def _with_scripts_on_lines(pieces: list[TextPiece]) -> list[TextPiece]:
    """The pieces, with subscripts and superscripts on the line that they follow."""
    found: list[TextPiece] = []
    base = TextPiece("", 0, 0, 0, 0)
    small = end = 0.0
    for piece in pieces:
        _, _, bottom, right, top, _ = piece
        if top - bottom < small and _follows(piece, base, end):
            end = max(end, right)
            if _is_mark(piece, base):
                continue
            found.append(piece._replace(bottom=base.bottom, top=base.top))
        else:
            base, small, end = piece, _SMALL * (top - bottom), right
            found.append(piece)
    return found


def _is_mark(piece: TextPiece, base: TextPiece) -> bool:
    """Whether a script is the mark of a footnote behind a word."""
    is_mark = MARK.fullmatch(piece.text) and follows_word(base.text)
    return bool(is_mark) and is_raised((piece.top, piece.bottom), (base.top, base.bottom))


def _follows(piece: TextPiece, base: TextPiece, end: float) -> bool:
    near = _NEAR * base.size
    within = min(piece.top, base.top) - max(piece.bottom, base.bottom)
    touches = -near < piece.left - base.right < near or -near < piece.left - end < near
    return touches and within > _WITHIN * piece.size


Row = list[TextPiece]
Column = list[Row]

# The fewest lines of a column, and the least letters and share of its column's width of a line of prose.
_LINES = 3
_LETTERS = 12
_FILLED = 0.7
# Columns are written one after the other: how many lines the right one has for each that continues one of the left, and
# the page for each that crosses the gutter if there is code, or short lines.
_BESIDE = 8
_CANDIDATES = 6
# The share of the right column's width that a line of the left one may take.
_OVERLONG = 0.15
_CROSSING = 5
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
    west, east = min(map(_LEFT, pieces)), max(map(_RIGHT, pieces))
    # A line of the left column may be too long for it; a short one below both columns is a footnote.
    farthest, narrow = gutter + _OVERLONG * (east - gutter), (west + gutter) / 2
    lowest = min([piece[2] for piece in pieces if piece[1] >= gutter])
    crossing = [piece for piece in pieces if piece.left < gutter < piece.right]
    overlong = {
        id(piece) for piece in crossing if piece.left < narrow and piece.right < farthest and piece.top > lowest
    }
    across = rows_of([piece for piece in crossing if id(piece) not in overlong])
    bands = [_Band([], [], row) for row in across] + [_Band([], [], [])]
    lines = [-row[0].bottom for row in across]
    for piece in pieces:
        _, left, bottom, right, top, _ = piece
        if left < gutter < right and id(piece) not in overlong:
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
    best, least = None, len(pieces)
    for bucket, count in begins.most_common(_CANDIDATES):
        if count + begins[bucket + 1] + begins[bucket - 1] < _LINES:
            break
        edge = (bucket - 1) * _BUCKET if begins[bucket - 1] else bucket * _BUCKET
        # Where few lines of the right column are indented, most start at the gutter; where most are, some cross it.
        crossing = sum(piece[1] < edge < piece[3] for piece in pieces)
        if crossing < least and _are_columns(pieces, edge):
            best, least = edge, crossing
    return best


def _are_columns(pieces: Sequence[TextPiece], edge: float) -> bool:
    """Whether there are text columns on both sides; table cells are shorter and written row by row."""
    left = [piece for piece in pieces if piece[3] <= edge]
    right = [piece for piece in pieces if piece[1] >= edge]
    if min(len(left), len(right)) < _LINES or min(map(_BOTTOM, left)) > max(map(_BOTTOM, right)):
        return False
    beside = sum(map(_are_beside, pieces, pieces[1:], repeat(edge)))
    crossing = len(pieces) - len(left) - len(right)
    is_in_turn = _BESIDE * beside <= len(right)
    if is_in_turn and crossing <= len(pieces) // _CROSSING and min(map(_letters, (left, right))) > _ENOUGH:
        return True
    is_text = _is_mostly_wordy if _BESIDE * beside <= 2 * len(right) else _is_prose
    return is_text(left) and is_text(right)


def _are_beside(piece: TextPiece, following: TextPiece, edge: float) -> bool:
    """Whether a line continues on the other side of an edge, as the rows of a table do."""
    _, _, bottom, right, top, _ = piece
    return right <= edge <= following[1] and abs(following[2] - bottom) < _SAME_LINE * (top - bottom)


def _letters(pieces: Sequence[TextPiece]) -> int:
    return sum(len(piece[0]) for piece in pieces)


def _is_wordy(pieces: Sequence[TextPiece]) -> bool:
    return _middle([len(piece[0]) for piece in pieces]) >= _wordy(pieces)


def _is_mostly_wordy(pieces: Sequence[TextPiece]) -> bool:
    """Whether most letters are in lines of text; there may be formulas or tables between them."""
    least = _wordy(pieces)
    return 2 * sum(length for piece in pieces if (length := len(piece[0])) >= least) >= _letters(pieces)


def _wordy(pieces: Sequence[TextPiece]) -> float:
    """The least letters of a line of text; a script without spaces needs only half as many."""
    return _LETTERS if pieces[0].text[0] < "\u2e80" else _LETTERS / 2


def _is_prose(pieces: Sequence[TextPiece]) -> bool:
    """Whether lines are prose: long, filling their column, and continuing mid-sentence."""
    widths = [piece[3] - piece[1] for piece in pieces]
    firsts = [piece[0][0] for piece in pieces]
    running = len(firsts) - sum(map(str.isupper, firsts)) - sum(map(str.isdigit, firsts))
    return _is_wordy(pieces) and _middle(widths) > _FILLED * max(widths) and running * 4 >= len(pieces)


def _middle(values: Sequence[float]) -> float:
    return sorted(values)[len(values) // 2]
