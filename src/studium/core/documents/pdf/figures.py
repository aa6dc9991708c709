"""Find the visuals of a page: captioned figures, images and tables."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from studium.core.documents.pdf.layout import CAPTION, TextPiece
from studium.core.documents.pdf.pdfium import Box
from studium.core.domain.document import Block, Picture

if TYPE_CHECKING:
    import pypdfium2

_LONGEST_CAPTION = 400
# In points: smaller images are ornaments, thinner boxes are lines, farther captions belong to something else.
_ORNAMENT = 30
_THIN = 3
_NEAR = 60
# Of the page: what covers more is its background.
_BACKGROUND = 0.85
_RULES = 3
# How many shapes of a page are looked at, and how many images: beyond it they are dots of a drawing.
_SHAPES = 20_000
_IMAGES = 2_000


@dataclass(frozen=True)
class PageGraphics:
    """The boxes of a page's images and ruled tables."""

    images: Sequence[Box] = ()
    tables: Sequence[Box] = ()


def read_graphics(page: "pypdfium2.PdfPage") -> PageGraphics:
    """Read the graphics of a page."""
    from pypdfium2 import raw

    images: list[Box] = []
    rules: list[Box] = []
    # Graphics that were placed as a whole stay one box.
    for shape in islice(page.get_objects(max_depth=1), _SHAPES):
        if shape.type in (raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_FORM, raw.FPDF_PAGEOBJ_SHADING):
            if len(images) < _IMAGES:
                images.append(shape.get_bounds())
        elif shape.type == raw.FPDF_PAGEOBJ_PATH:
            rules.append(shape.get_bounds())
    width, height = page.get_size()
    shown = [box for box in _merged(images) if _is_picture(box, width * height)]
    return PageGraphics(shown, _ruled(rules))


def _is_picture(box: Box, page_area: float) -> bool:
    width, height = box[2] - box[0], box[3] - box[1]
    return min(width, height) >= _ORNAMENT and width * height < _BACKGROUND * page_area


def _merged(boxes: Sequence[Box]) -> list[Box]:
    """Join boxes that touch: one picture may be stored in strips or tiles."""
    merged: list[Box] = []
    for found in sorted(boxes, key=lambda box: -box[3]):
        box = found
        for other in [other for other in merged if _touch(box, other)]:
            merged.remove(other)
            box = (min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3]))
        merged.append(box)
    return merged


def _touch(one: Box, other: Box) -> bool:
    return one[0] <= other[2] + 1 and other[0] <= one[2] + 1 and one[1] <= other[3] + 1 and other[1] <= one[3] + 1


def _ruled(shapes: Sequence[Box]) -> list[Box]:
    """The tables ruled by at least three horizontal lines of one width."""
    by_edges: dict[tuple[int, int], list[Box]] = defaultdict(list)
    for left, bottom, right, top in shapes:
        if top - bottom <= _THIN and right - left >= _ORNAMENT:
            by_edges[round(left / 4), round(right / 4)].append((left, bottom, right, top))
    runs = [lines for lines in by_edges.values() if len({round(line[1]) for line in lines}) >= _RULES]
    return [
        (lines[0][0], min(line[1] for line in lines), lines[0][2], max(line[3] for line in lines)) for lines in runs
    ]


def find_pictures(
    text: str, blocks: Sequence[Block], pieces: Sequence[TextPiece], sight: PageGraphics
) -> list[Picture]:
    """The visuals of a page in text order; a captioned one is at its caption."""
    captioned = list(_captioned(text, blocks))
    found = [*captioned, *_tables(blocks, captioned)]
    captions = [(picture.kind, piece) for picture in captioned if (piece := _piece_of(picture.caption, pieces))]
    for kind, boxes in (("table", sight.tables), ("image", sight.images)):
        wanted = ("table",) if kind == "table" else ("figure", "table")
        for box in boxes:
            explained = any(of in wanted and _is_near(box, piece) for of, piece in captions)
            if not explained and not (kind == "table" and any(picture.kind == "table" for picture in found)):
                found.append(Picture("table" if kind == "table" else "image", "", _place(box, text, pieces)))
    return sorted(found, key=lambda picture: picture.at)


def _captioned(text: str, blocks: Sequence[Block]) -> Iterator[Picture]:
    for block in blocks:
        start, end = block.span
        if block.kind == "text" and (caption := CAPTION.match(text, start, end)):
            words = " ".join(text[start:end].split())
            yield Picture("table" if caption["table"] else "figure", words[:_LONGEST_CAPTION], start)


def _tables(blocks: Sequence[Block], captioned: Sequence[Picture]) -> Iterator[Picture]:
    """The tables in the text without a caption."""
    captions = {picture.at for picture in captioned if picture.kind == "table"}
    for number, block in enumerate(blocks):
        beside = {other.span.start for other in blocks[max(number - 1, 0) : number + 2]}
        if block.kind == "table" and not captions & beside:
            yield Picture("table", "", block.span.start)


def _piece_of(caption: str, pieces: Sequence[TextPiece]) -> TextPiece | None:
    return next((piece for piece in pieces if caption.startswith(piece.text)), None)


def _is_near(box: Box, piece: TextPiece) -> bool:
    left, bottom, right, top = box
    beside = piece.left < right and left < piece.right
    return beside and (bottom - _NEAR < piece.top <= bottom + _NEAR or top - _NEAR <= piece.bottom < top + _NEAR)


def _place(box: Box, text: str, pieces: Sequence[TextPiece]) -> int:
    """The place of a picture in the text: the line above it, else the start."""
    above = [piece for piece in pieces if piece.bottom >= box[3] - 1 and piece.left < box[2] and box[0] < piece.right]
    nearest = min(above, key=lambda piece: piece.bottom, default=None)
    return max(text.find(nearest.text), 0) if nearest else 0
