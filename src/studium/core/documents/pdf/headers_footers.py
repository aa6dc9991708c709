"""Remove headers, footers and page numbers, which recur from page to page."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from studium.core.documents.pdf.layout import PageLayout, Row, TextPiece, rows_of

# Of the page's height at both edges; and how far the same line may move between pages, in points.
_EDGE = 0.13
_PLACE = 4
# In line heights: the gap between a header and the text, and the largest size of text.
_APART = 0.6
_LARGE = 1.1
# Longer runs of digits are no numbers that count pages; Python refuses to read them beyond some thousands.
_NUMBER = re.compile(r"(?<!\d)(\d{1,18})(?!\d)")
_OUTER = re.compile(r"^\W*(\d{1,5})\b|\b(\d{1,5})\W*$|^([ivxlc]{1,8})$")
_PAGE_NUMBER = re.compile(
    r"(?:page|seite|página|pagina|p\.|pág\.|стр\.)?\s*+[-–—|]?\s*+(\d{1,5}|[ivxlc]{1,8})\s*+[-–—|]?\s*+(?:(?:of|/|von|de|di|из)\s*\d{1,5})?",
    re.IGNORECASE,
)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_CAPTION = re.compile(r"(?:fig|tab|abb|chart|plate)\w*\.?\s*\d", re.IGNORECASE)


def remove_headers_footers(
    number: int, layout: PageLayout, around: Mapping[int, PageLayout], body_size: float
) -> Sequence[TextPiece]:
    """The pieces of a page without headers and footers; `around` has the neighbouring pages by distance."""
    pieces = layout.pieces
    rows = [row for row in _edges(layout).rows if _is_header_or_footer(row, number, around, body_size)]
    if not rows:
        return pieces
    suspects = {id(piece) for row in rows for piece in row}
    body = [piece for piece in pieces if id(piece) not in suspects]
    if not body:
        return pieces
    top, bottom = max([piece.top for piece in body]), min([piece.bottom for piece in body])
    above = _apart([(row[0].bottom - top, row) for row in reversed(rows) if row[0].bottom > bottom])
    below = _apart([(bottom - row[0].top, row) for row in rows if row[0].top < top])
    dropped = {id(piece) for row in (*above, *below) for piece in row}
    return [piece for piece in pieces if id(piece) not in dropped]


def _apart(rows: Sequence[tuple[float, Row]]) -> list[Row]:
    """The rows that are separated from the text, given all rows with their distances, nearest first.

    A row as close as a line of text belongs to the text, and the next one is measured from it.
    """
    reached = 0.0
    for index, (distance, row) in enumerate(rows):
        if distance - reached > _APART * row[0].size:
            return [row for _, row in rows[index:]]
        reached = max(reached, distance + row[0].size)
    return []


class _Wording(NamedTuple):
    """A text cut at its numbers: the words between them, and the numbers."""

    words: tuple[str, ...]
    numbers: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> "_Wording":
        parts = _NUMBER.split(text)
        return cls(tuple(parts[::2]), tuple(map(int, parts[1::2])))


class _EdgePiece(NamedTuple):
    """A piece at the edge of a page: its height, its numbers, and the first and last of them."""

    bottom: float
    numbers: tuple[int, ...]
    outer: frozenset[int]


@dataclass(frozen=True)
class _Edges:
    """The rows at the edges of a page, its pieces by the words between their numbers, and those with numbers."""

    rows: Sequence[Row]
    saying: Mapping[tuple[str, ...], Sequence[_EdgePiece]]
    counting: Sequence[_EdgePiece]


@lru_cache(maxsize=16)
def _edges(layout: PageLayout) -> _Edges:
    low, high = _EDGE * layout.height, (1 - _EDGE) * layout.height
    pieces = [piece for piece in layout.pieces if piece[2] > high or piece[4] < low]
    saying: dict[tuple[str, ...], list[_EdgePiece]] = {}
    for piece in pieces:
        wording = _Wording.of(piece.text)
        edge = _EdgePiece(piece.bottom, wording.numbers, _outer_numbers(piece.text))
        saying.setdefault(wording.words, []).append(edge)
    counting = [piece for said in saying.values() for piece in said if piece.outer]
    return _Edges(rows_of(pieces), saying, counting)


def _is_header_or_footer(row: Row, number: int, around: Mapping[int, PageLayout], body: float) -> bool:
    return any(_is_page_number(piece, number) or _recurs(piece, around, body) for piece in row)


def _is_page_number(piece: TextPiece, number: int) -> bool:
    counted = _PAGE_NUMBER.fullmatch(piece.text)
    return counted is not None and _value(counted[1]) == number


def _recurs(piece: TextPiece, around: Mapping[int, PageLayout], body: float) -> bool:
    """Whether neighbouring pages have the same text in the same place, or the next number."""
    wording = _Wording.of(piece.text)
    may_count = piece.size < _LARGE * body and not _CAPTION.match(piece.text)
    numbers = _outer_numbers(piece.text) if may_count else frozenset()
    counted = 0
    for off, layout in around.items():
        there = _edges(layout)
        for other in there.saying.get(wording.words, ()):
            if abs(other.bottom - piece.bottom) < _PLACE and _is_numbered_consecutively(
                wording.numbers, other.numbers, off if may_count else 0
            ):
                return True
        if numbers:
            on = {number + off for number in numbers}
            counted += any(abs(other.bottom - piece.bottom) < _PLACE and on & other.outer for other in there.counting)
    # Two chapters may start with their numbers on two pages in a row: a header continues counting.
    return counted >= min(2, len(around)) > 0


def _is_numbered_consecutively(numbers: Sequence[int], others: Sequence[int], off: int) -> bool:
    """Whether the numbers between the same words are equal, or differ by the distance of their pages."""
    return all(there in (here, here + off) for here, there in zip(numbers, others, strict=True))


def _outer_numbers(text: str) -> frozenset[int]:
    """The first and last number of a line."""
    return frozenset(_value(match[1] or match[2] or match[3]) for match in _OUTER.finditer(text))


def _value(number: str) -> int:
    """The value of an Arabic or Roman number."""
    if number.isdecimal():
        return int(number)
    # Ignoring case, `İ` counts as an `i` in a pattern; it has no value.
    digits = [_ROMAN.get(letter, 0) for letter in number.lower()]
    return sum(-one if one < after else one for one, after in pairwise([*digits, 0]))
