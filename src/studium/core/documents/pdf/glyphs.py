"""Mend the text of a line: spaces that are not written, accents beside their letters, ligatures without a name."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

from studium.core.documents.pdf.pdfium import CharacterBoxes

SPACES = re.compile(r"(?<=\S) +(?=\S)")
# In heights of a line: the least room between words; and its share of the room between other words of the line.
_SPACE = 0.15
_OTHER_SPACES = 0.75
# Scripts from here on have other rules for the room between letters.
_OTHER_SCRIPTS = "\u0590"
_MAY_END = frozenset(",;:.!?)]}”’»")
_MAY_BEGIN = frozenset("([{“‘„«")
# Accents that TeX writes as characters of their own, and how Unicode writes them behind a letter.
_COMBINING = {
    "`": "\u0300",
    "\u00b4": "\u0301",
    "\u02c6": "\u0302",
    "\u02dc": "\u0303",
    "\u00af": "\u0304",
    "\u02d8": "\u0306",
    "\u02d9": "\u0307",
    "\u00a8": "\u0308",
    "\u02da": "\u030a",
    "\u02dd": "\u030b",
    "\u02c7": "\u030c",
    "\u00b8": "\u0327",
}
ACCENTS = "".join(_COMBINING)
_ACCENT = re.compile(f"[{ACCENTS}]")
# Where the ligatures are in the two encodings of TeX's fonts; pdfium gives these numbers if a font names no characters.
_LIGATURES = {
    "\x0b": "ff",
    "\x0c": "fi",
    "\x0e": "ffi",
    "\x0f": "ffl",
    "\x1b": "ff",
    "\x1c": "fi",
    "\x1d": "fl",
    "\x1e": "ffi",
    "\x1f": "ffl",
}
_LIGATURE = re.compile(r"(?<=[a-z])[\x0b\x0c\x0e\x0f\x1b-\x1f]|[\x0b\x0c\x0e\x0f\x1b-\x1f](?=[a-z])")
_DOTLESS = str.maketrans("\u0131\u0237", "ij")


def lost_spaces(text: str, start: int, size: float, boxes: CharacterBoxes) -> list[int]:
    """The places in a line before which a space is missing, judged by the other gaps of the line."""
    edges = boxes.edges_of(start, len(text))
    gaps = [after[0] - before[1] for before, after in pairwise(edges)]
    wide = _SPACE * size
    places = [at for at, gap in enumerate(gaps, 1) if gap > wide and _may_part(text[at - 1], text[at])]
    if not places:
        return []
    between_words = [edges[end][0] - edges[begin - 1][1] for begin, end in map(re.Match.span, SPACES.finditer(text))]
    usual = sorted(gaps)[len(gaps) // 2]
    wide = max(wide + max(usual, 0), _OTHER_SPACES * min(between_words, default=0))
    return [at for at in places if gaps[at - 1] > wide]


def _may_part(before: str, after: str) -> bool:
    """Whether one word may end and another start between two characters."""
    return (
        before < _OTHER_SCRIPTS
        and (before.isalnum() or before in _MAY_END)
        and after < _OTHER_SCRIPTS
        and (after.isalnum() or after in _MAY_BEGIN)
    )


def put_spaces(text: str, places: Sequence[int]) -> str:
    """The text with a space at each of the places."""
    return " ".join(text[begin:end] for begin, end in pairwise([0, *places, len(text)]))


def spell_ligatures(text: str) -> str:
    """The text with the letters of ligatures that are written as control characters."""
    return _LIGATURE.sub(lambda ligature: _LIGATURES[ligature[0]], text)


def has_ligature(text: str) -> bool:
    """Whether a text has a ligature that is written as a control character."""
    return _LIGATURE.search(text) is not None


def has_accent(text: str) -> bool:
    """Whether a text has an accent beside its letter, which may be over it on the page."""
    return _ACCENT.search(text) is not None


def without_accents_at_end(text: str) -> str:
    """The text up to its last character that is no accent: pdfium writes an accent behind its line now and then."""
    return text.rstrip(f"{ACCENTS} ") or text


def put_accents_on_letters(text: str, start: int, boxes: CharacterBoxes) -> str:
    """The text with each accent on the letter that it is drawn over, if there is such a letter in Unicode."""
    edges = boxes.edges_of(start, len(text))
    letters = list(text)
    for accent in _ACCENT.finditer(text):
        at = accent.start()
        middle = (edges[at][0] + edges[at][1]) / 2
        for place, (left, right) in enumerate(edges):
            if left < middle < right and text[place].isalpha() and place != at:
                bare = text[place].translate(_DOTLESS)
                composed = unicodedata.normalize("NFC", bare + _COMBINING[accent[0]])
                if len(composed) == 1:
                    letters[place], letters[at] = composed, ""
                break
    return re.sub(" {2,}", " ", "".join(letters)).strip()
