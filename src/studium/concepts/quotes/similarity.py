"""Compares two quotes: the same words, one shorter or longer, or one with typos corrected."""

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import IntEnum
from functools import cached_property
from typing import Literal
from unicodedata import normalize

from studium.concepts.domain import Quote
from studium.concepts.quotes.markers import split_page_reference
from studium.core.text.normal_form import strip_accents
from studium.core.text.stop_words import negations
from studium.core.text.tokens import split_words

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
# What is removed from a text, in this order, each with the characters without which there is nothing to find.
_ADDED = tuple(
    (signs, re.compile(pattern, re.MULTILINE), instead)
    for signs, pattern, instead in (
        (("[",), r"!?\[\[(?:[^\[\]|]{0,500}+\|)?([^\[\]|]{0,500}+)\]\]|!?\[([^\[\]]+)\]\([^()\s]*\)", r"\1\2"),
        (("[", "<", "&"), r"\[\^?\d+\]|<[^<>]{1,80}>|&nbsp;", " "),
        (tuple("\\*~=_>`"), r"\\(?=[^\w\s])|[*`]+|~~|==|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)|^[ \t]*(?:>[ \t]*)+", ""),
        (("-",), r"(?<=[^\W\d_])-\s*(?=[^\W\d_])", ""),
        (("-",), r"(?<!\s)\s+-+\s+|-{2,}", " — "),
        (("..", ". ."), r"(?<!\s)\s*[(\[]?(?:\.\s?){2,}\.+[)\]]?\s*", "... "),
        (("'", '"'), r"\"|(?<!\w)'|'(?!\w)", ""),
    )
)
_RANGE = re.compile(r"(?<=\d)\s*[–—]\s*(?=\d)")
_LOOSE = re.compile(r" (?=[,.;:!?)\]])|(?<=[(\[]) ")
_AROUND = " .,;:!?¡¿…()[]{}*_-—/|~=#•。、"
_ENDING_PLACE = re.compile(r"\d")
_ENDING = 16
_NUMBER = re.compile(r"(?<!\d)\d{1,9}(?!\d)|(?<![ivxlcdm])[ivxlcdm]++$")
_WIDEST = 400


@dataclass(frozen=True)
class PageRange:
    """A range in a book, in pages or in locations."""

    unit: str
    first: str
    last: str

    def overlaps(self, other: "PageRange") -> bool:
        """Whether the two have a page or a location in common."""
        if not (self.first.isdigit() and self.last.isdigit() and other.first.isdigit() and other.last.isdigit()):
            return self.first == other.first
        return int(self.first) <= int(other.last) and int(other.first) <= int(self.last)


class NormalizedQuote:
    """A quote's normalised words and its page."""

    def __init__(self, quote: Quote) -> None:
        text, found = quote.text, ""
        if _ENDING_PLACE.search(text[-_ENDING:]):
            placed = split_page_reference(text)
            text, found = placed.text or text, placed.place
        self.shown = normalize_quote(text) or " ".join(text.split())
        self.words = tuple(split_words(self.shown.casefold())) or (self.shown,)
        self.line = f" {' '.join(self.words)} "
        self.place = parse_page_range(quote.page_reference or found)
        self.section = " ".join(quote.section.casefold().split())

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Its distinct words."""
        return frozenset(self.words)

    @cached_property
    def counts(self) -> Counter[str]:
        """How often it has each of its words."""
        return Counter(self.words)

    @cached_property
    def trigrams(self) -> frozenset[tuple[str, str, str]]:
        """All runs of three words."""
        return frozenset(zip(self.words, self.words[1:], self.words[2:], strict=False))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers it names."""
        return frozenset(word for word in self.words if any(map(str.isdigit, word)))


def normalize_quote(text: str) -> str:
    """A quote without what a file or a device adds: forms of marks, emphasis, line breaks, hyphens, marks around it."""
    if not text.isascii():
        text = normalize("NFKC", _RANGE.sub("-", text)).translate(_FOLDED)
    for signs, pattern, instead in _ADDED:
        if any(sign in text for sign in signs):
            text = pattern.sub(instead, text)
    return _LOOSE.sub("", " ".join(text.split())).strip(_AROUND)


def parse_page_range(reference: str) -> PageRange | None:
    """The place that a page reference names: `12`, `12-13`, `xii`, `loc. 1234-1240`."""
    numbers = _NUMBER.findall(reference.casefold().removeprefix("loc.").strip())
    if not numbers:
        return None
    unit = "loc" if reference.casefold().startswith("loc") else "page"
    last = numbers[-1]
    if numbers[0].isdigit() and last.isdigit() and not 0 <= int(last) - int(numbers[0]) <= _WIDEST:
        last = numbers[0]
    return PageRange(unit, numbers[0], last)


RelativePlace = Literal["page", "section", "unknown", "elsewhere"]

# How much of the longer quote the shorter must be, and how many words it must have, to be a part of it and not another.
_SHARE_OF_PART = {"page": 0.0, "section": 0.0, "unknown": 0.6, "elsewhere": 0.9}
_WORDS_OF_PART = {"page": 2, "section": 3, "unknown": 3, "elsewhere": 3}
_LETTERS_PROVE = 4


class Typo(IntEnum):
    """Whether one word can be a typo for another."""

    NONE = 0
    POSSIBLE = 1
    EVIDENT = 2


Block = tuple[tuple[str, ...], tuple[str, ...]]
"""Words of one quote, and what the other has instead."""

_SHARE_OF_MENDED = {"page": 0.5, "section": 0.75, "unknown": 0.75, "elsewhere": 0.85}
# How many words beside a typo must be the same.
_FEWEST_BESIDE = {Typo.POSSIBLE: 6, Typo.EVIDENT: 3}
_FEWEST_AT_PLACE = {Typo.POSSIBLE: 4, Typo.EVIDENT: 1}
_CORE = 0.75
_SWAPPED = 2
_OVERLAP = 0.6
_FEWEST_SHARED = 5
_SHARED = 0.5
_LONG_QUOTE = 24
_SHARED_THREES = 0.55
_LITTLE_WORD = 3
_LONGEST_SLIP = 200
# Quotes of some thousand words are below it, unless they repeat themselves.
_MOST_COMPARISONS = 200_000
_LONG_WORD = 6
_ALIKE = 0.75
_NEARLY_EQUAL = 0.87
# The language of a quote need not be known: a negation of one language is not a frequent word of another.
_NEGATIONS = frozenset().union(*(negations(language) for language in ("en", "es", "de", "fr", "it", "pt", "ru")))


def relative_place(one: NormalizedQuote, other: NormalizedQuote) -> RelativePlace:
    """Whether two quotes may be at the same place of the book, as far as is known."""
    if one.place and other.place and one.place.unit == other.place.unit:
        return "page" if one.place.overlaps(other.place) else "elsewhere"
    return "section" if one.section and one.section == other.section else "unknown"


def quote_similarity(one: NormalizedQuote, other: NormalizedQuote, *, later: bool = False) -> float:
    """How likely two wordings are the same quote: 1 for the same words, 0 for different quotes.

    `later` says that one was read later than the other, and not beside it: then a word at the same place may have been
    replaced by quite another.
    """
    if one.words == other.words:
        return 1.0
    short, long = sorted((one, other), key=lambda each: len(each.words))
    if not _have_much_in_common(short, long):
        return 0.0
    place = relative_place(one, other)
    if _is_part(short, long):
        share = len(short.words) / len(long.words)
        enough = share >= _SHARE_OF_PART[place] and len(short.words) >= _WORDS_OF_PART[place]
        return _graded(share, place) if enough else 0.0
    return max(_shifted(short, long, place), _corrected(short, long, place, later=later))


def _have_much_in_common(short: NormalizedQuote, long: NormalizedQuote) -> bool:
    """A quick check before the exact one. Long texts of one language always share words, but not in the same order."""
    if len(short.words) > _LONG_QUOTE:
        return len(short.trigrams & long.trigrams) >= _SHARED_THREES * len(short.trigrams)
    return len(short.vocabulary & long.vocabulary) >= _SHARED * len(short.vocabulary)


def _graded(share: float, place: RelativePlace) -> float:
    return 0.5 + 0.4 * share + (0.05 if place == "page" else 0)


def _is_part(short: NormalizedQuote, long: NormalizedQuote) -> bool:
    """A device may cut a quote in the middle of a word; a few letters prove nothing."""
    if len(short.words) >= _LETTERS_PROVE:
        return short.line[1:-1] in long.line
    return short.line in long.line


def _shifted(short: NormalizedQuote, long: NormalizedQuote, place: RelativePlace) -> float:
    """One begins inside the other, at the same place: a highlight that was moved."""
    if place != "page" or _comparisons(short.counts, long.counts) > _MOST_COMPARISONS:
        return 0.0
    shared = SequenceMatcher(None, short.words, long.words, autojunk=False).find_longest_match()
    enough = max(_FEWEST_SHARED, _OVERLAP * len(short.words))
    runs_out = shared.a == 0 and shared.b + shared.size == len(long.words)
    runs_in = shared.b == 0 and shared.a + shared.size == len(short.words)
    return _graded(shared.size / len(long.words), place) if shared.size >= enough and (runs_out or runs_in) else 0.0


def _corrected(short: NormalizedQuote, long: NormalizedQuote, place: RelativePlace, *, later: bool) -> float:
    """They differ by typos and a few added words; if later and at the same place, also by a few replaced words."""
    if short.numbers != long.numbers:
        return 0.0
    same, blocks = _differences(short, long)
    if not blocks:
        return 0.0
    slips = [_slip(before, after) for before, after in blocks]
    if min(slips) is not Typo.NONE:
        only_one_has = sum(len(before) + len(after) for before, after in blocks if not (before and after))
        share = 1 - only_one_has / len(long.words)
        fewest = (_FEWEST_AT_PLACE if place == "page" else _FEWEST_BESIDE)[min(slips)]
        enough = same >= fewest and share >= _SHARE_OF_MENDED[place]
    else:
        share = same / len(long.words)
        swapped = later and place == "page" and all(_is_swap(before, after) for before, after in blocks)
        enough = swapped and same >= _FEWEST_BESIDE[Typo.POSSIBLE] and same >= _CORE * len(short.words)
    return _graded(share, place) if enough else 0.0


def _differences(short: NormalizedQuote, long: NormalizedQuote) -> tuple[int, list[Block]]:
    """How many words both have in one order, and what stands between them; nothing if that is too much to compare."""
    one, other, around = short.words, long.words, 0
    if _comparisons(short.counts, long.counts) > _MOST_COMPARISONS:
        start = _common_start(one, other)
        end = _common_start(one[start:][::-1], other[start:][::-1])
        one, other, around = one[start : len(one) - end], other[start : len(other) - end], start + end
        if _comparisons(Counter(one), Counter(other)) > _MOST_COMPARISONS:
            return 0, []
    changes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    same = sum(end - start for kind, start, end, *_ in changes if kind == "equal")
    return around + same, [(one[a:b], other[c:d]) for kind, a, b, c, d in changes if kind != "equal"]


def _common_start(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many words both begin with."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _comparisons(one: Counter[str], other: Counter[str]) -> int:
    """How many pairs of the same word there are, which is what it takes to compare two texts."""
    return sum(count * other[word] for word, count in one.items())


def _slip(before: tuple[str, ...], after: tuple[str, ...]) -> Typo:
    """Whether these words could be a typo for those; a `not` more or less is not a typo."""
    if _negations(before) != _negations(after):
        return Typo.NONE
    one, other = _bare("".join(before)), _bare("".join(after))
    if not one or not other:
        return Typo.EVIDENT if len(one + other) <= _LITTLE_WORD else Typo.POSSIBLE
    if sorted(one) == sorted(other):
        return Typo.EVIDENT
    length = min(len(one), len(other))
    if length < _LITTLE_WORD or one[0] != other[0] or max(len(one), len(other)) > _LONGEST_SLIP:
        return Typo.NONE
    alike = SequenceMatcher(None, one, other, autojunk=False).ratio()
    if length >= _LONG_WORD and alike >= _NEARLY_EQUAL:
        return Typo.EVIDENT
    return Typo.POSSIBLE if alike >= _ALIKE else Typo.NONE


def _is_swap(before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Whether a word or two were replaced."""
    return max(len(before), len(after)) <= _SWAPPED and _negations(before) == _negations(after)


def _negations(words: tuple[str, ...]) -> int:
    return sum(word in _NEGATIONS or word.endswith("n't") for word in words)


def _bare(word: str) -> str:
    return strip_accents(word) or word
