"""The fonts of a page: which pieces are in letters of one width, and which are bold."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from studium.core.documents.pdf.pdfium import CharacterBoxes

# `Nimbus Mon` and the `tt` of TeX's fonts (cmtt10, t1xtt, SFTT1000) are typewriters; Monotype is a maker of others.
_MONOSPACED = re.compile(
    r"mono(?!type)|nimbusmon|courier|typewriter|consol|menlo|monaco|lettergothic|terminal|sourcecode|tt\d*(?:[-_]|$)",
    re.IGNORECASE,
)
# The fonts of Times and Helvetica that TeX calls medium and demi are bold.
_BOLD = re.compile(r"bold|black|heavy|demi|medi(?:ital)?$|cmbx|sfbx|cmssbx|bx\d", re.IGNORECASE)
_SUBSET = 7  # `ABCDEF+` before the name of a font of which only some characters are in the file

# Words on one line, as the layout has them.
_Piece = tuple[str, float, float, float, float, int]


@dataclass(frozen=True)
class PageFonts:
    """The font names of a page's pieces by their first character; which are in letters of one width, which bold."""

    names: Mapping[int, str] = field(default_factory=dict)
    monospaced: frozenset[int] = frozenset()
    bold: frozenset[int] = frozenset()

    def are_code(self, row: Sequence[_Piece]) -> bool:
        """Whether all of a row is in letters of one width."""
        return row[0][5] in self.monospaced and all(piece[5] in self.monospaced for piece in row)

    def are_bold(self, row: Sequence[_Piece]) -> bool:
        """Whether all of a row is bold."""
        return row[0][5] in self.bold and all(piece[5] in self.bold for piece in row)


def read_fonts(pieces: Sequence[_Piece], boxes: CharacterBoxes) -> PageFonts:
    """Read the fonts of a page's pieces."""
    starts = [piece[5] for piece in pieces]
    fonts = boxes.fonts_of(starts)
    styled: dict[str, list[int]] = {"monospaced": [], "bold": []}
    for (text, _, _, _, _, start), name in zip(pieces, fonts, strict=True):
        if style := _style(name):
            middle = len(text) // 2 + (text[len(text) // 2] == " ")
            if all(_style(other) == style for other in boxes.fonts_of((start + middle, start + len(text) - 1))):
                styled[style].append(start)
    names = dict(zip(starts, fonts, strict=True))
    return PageFonts(names, frozenset(styled["monospaced"]), frozenset(styled["bold"]))


@lru_cache(maxsize=256)
def _style(name: str) -> str:
    """`monospaced`, `bold` or nothing."""
    own = name[_SUBSET:] if name[_SUBSET - 1 : _SUBSET] == "+" else name
    return "monospaced" if _MONOSPACED.search(own) else "bold" if _BOLD.search(own) else ""
