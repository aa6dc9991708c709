"""How a quote is worded, whatever file it was read from: the form in which two readings of it can be compared."""

import re
from dataclasses import dataclass
from functools import cached_property
from unicodedata import normalize

from studium.domain.concept import Quote
from studium.readers.quotes.places import split_place

_DOUBLE = "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u300c\u300d\u300e\u300f\u2033"
_SINGLE = "\u2018\u2019\u201a\u201b\u00b4\u2032"
_FOLDED = str.maketrans(
    dict.fromkeys(_DOUBLE, '"')
    | dict.fromkeys(_SINGLE, "'")
    | dict.fromkeys("\u2010\u2011\u2012\u2212", "-")
    | dict.fromkeys("\u2013\u2014\u2015", " — ")
    | {"œ": "oe", "Œ": "Oe", "æ": "ae", "Æ": "Ae"}
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
)
# What is taken out of a text, by the signs without which there is nothing to look for; in this order.
_ADDED = tuple(
    (signs, re.compile(pattern, re.MULTILINE), instead)
    for signs, pattern, instead in (
        (("[",), r"!?\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]|!?\[([^\[\]]+)\]\([^()\s]*\)", r"\1\2"),
        (("[", "<", "&"), r"\[\^?\d+\]|<[^<>]{1,80}>|&nbsp;", " "),
        (tuple("\\*~=_>`"), r"\\(?=[^\w\s])|[*`]+|~~|==|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)|^[ \t]*(?:>[ \t]*)+", ""),
        (("-",), r"(?<=[^\W\d_])-\s*(?=[^\W\d_])", ""),
        (("-",), r"\s+-+\s+|-{2,}", " — "),
        (("..", ". ."), r"\s*[(\[]?(?:\.\s?){2,}\.+[)\]]?\s*", "... "),
        (("'", '"'), r"\"|(?<!\w)'|'(?!\w)", ""),
    )
)
_RANGE = re.compile(r"(?<=\d)\s*[–—]\s*(?=\d)")
_LOOSE = re.compile(r" (?=[,.;:!?)\]])|(?<=[(\[]) ")
_AROUND = " .,;:!?¡¿…()[]{}*_-—/|~=#•。、"
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+(?:'[^\W_]+)*")
_ENDING_PLACE = re.compile(r"\d")
_ENDING = 16
_NUMBER = re.compile(r"\d+|[ivxlcdm]+$")
_WIDEST = 400


@dataclass(frozen=True)
class Place:
    """From where to where in a book, counted in pages or in locations."""

    unit: str
    first: str
    last: str

    def meets(self, other: "Place") -> bool:
        """Whether the two have a page or a location in common."""
        if not (self.first.isdigit() and self.last.isdigit() and other.first.isdigit() and other.last.isdigit()):
            return self.first == other.first
        return int(self.first) <= int(other.last) and int(other.first) <= int(self.last)


class Wording:
    """The words of a quote, and where it stands."""

    def __init__(self, quote: Quote) -> None:
        text, found = quote.text, ""
        if _ENDING_PLACE.search(text[-_ENDING:]):
            placed = split_place(text)
            text, found = placed.text or text, placed.place
        self.shown = plain(text) or " ".join(text.split())
        self.words = tuple(_WORD.findall(self.shown.casefold())) or (self.shown,)
        self.line = f" {' '.join(self.words)} "
        self.place = place(quote.page_reference or found)
        self.section = " ".join(quote.section.casefold().split())

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Its different words."""
        return frozenset(self.words)

    @cached_property
    def threes(self) -> frozenset[tuple[str, str, str]]:
        """All that stands in it three words in a row."""
        return frozenset(zip(self.words, self.words[1:], self.words[2:], strict=False))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers it names."""
        return frozenset(word for word in self.words if any(map(str.isdigit, word)))


def plain(text: str) -> str:
    """A quote without what a file or a device adds: forms of marks, emphasis, line breaks, hyphens, marks around it."""
    if not text.isascii():
        text = normalize("NFKC", _RANGE.sub("-", text)).translate(_FOLDED)
    for signs, pattern, instead in _ADDED:
        if any(sign in text for sign in signs):
            text = pattern.sub(instead, text)
    return _LOOSE.sub("", " ".join(text.split())).strip(_AROUND)


def place(reference: str) -> Place | None:
    """The place that a page reference names: `12`, `12-13`, `xii`, `loc. 1234-1240`."""
    numbers = _NUMBER.findall(reference.casefold().removeprefix("loc.").strip())
    if not numbers:
        return None
    unit = "loc" if reference.casefold().startswith("loc") else "page"
    last = numbers[-1]
    if numbers[0].isdigit() and last.isdigit() and not 0 <= int(last) - int(numbers[0]) <= _WIDEST:
        last = numbers[0]
    return Place(unit, numbers[0], last)
