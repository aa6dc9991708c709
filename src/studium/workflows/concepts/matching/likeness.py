"""Whether two wordings are one quote: the same words, one cut shorter or longer, or one with its mistakes mended."""

import re
from difflib import SequenceMatcher
from enum import IntEnum
from typing import Literal
from unicodedata import combining, normalize

from studium.workflows.concepts.matching.wording import Wording

Where = Literal["page", "section", "unknown", "elsewhere"]

# How much of the longer quote the shorter must be, and how many words it must have, to be a part of it and not another.
_SHARE_OF_PART = {"page": 0.0, "section": 0.0, "unknown": 0.6, "elsewhere": 0.9}
_WORDS_OF_PART = {"page": 2, "section": 3, "unknown": 3, "elsewhere": 3}
_LETTERS_PROVE = 4


class Slip(IntEnum):
    """Whether one word can be a slip of the pen for another."""

    NONE = 0
    POSSIBLE = 1
    EVIDENT = 2


_SHARE_OF_MENDED = {"page": 0.5, "section": 0.75, "unknown": 0.75, "elsewhere": 0.85}
# How many words beside a slip must be the same.
_FEWEST_BESIDE = {Slip.POSSIBLE: 6, Slip.EVIDENT: 3}
_FEWEST_AT_PLACE = {Slip.POSSIBLE: 4, Slip.EVIDENT: 1}
_CORE = 0.75
_SWAPPED = 2
_OVERLAP = 0.6
_FEWEST_SHARED = 5
_SHARED = 0.5
_LONG_QUOTE = 24
_SHARED_THREES = 0.55
_LITTLE_WORD = 3
_LONG_WORD = 6
_ALIKE = 0.75
_NEARLY_EQUAL = 0.87
_NEGATION = re.compile(
    r"not|no|never|nor|none|cannot|without|\w+n't|nunca|jamás|ni|sin|tampoco|nicht|keine?|nie|ohne"
    r"|pas|jamais|sans|non|mai|senza|não|sem"
)


def where(one: Wording, other: Wording) -> Where:
    """Whether two quotes stand at one place of the book, as far as is known."""
    if one.place and other.place and one.place.unit == other.place.unit:
        return "page" if one.place.meets(other.place) else "elsewhere"
    return "section" if one.section and one.section == other.section else "unknown"


def likeness(one: Wording, other: Wording, *, later: bool = False) -> float:
    """How surely two wordings are one quote: 1 for the same words, 0 for two quotes.

    `later` says that one was read later than the other, and not beside it: then a word at the same place may have been
    replaced by quite another.
    """
    if one.words == other.words:
        return 1.0
    short, long = sorted((one, other), key=lambda each: len(each.words))
    if not _have_much_in_common(short, long):
        return 0.0
    place = where(one, other)
    if _is_part(short, long):
        share = len(short.words) / len(long.words)
        enough = share >= _SHARE_OF_PART[place] and len(short.words) >= _WORDS_OF_PART[place]
        return _graded(share, place) if enough else 0.0
    return max(_shifted(short, long, place), _mended(short, long, place, later=later))


def _have_much_in_common(short: Wording, long: Wording) -> bool:
    """A cheap look before the close one. Long texts of one language always share words, but not in the same order."""
    if len(short.words) > _LONG_QUOTE:
        return len(short.threes & long.threes) >= _SHARED_THREES * len(short.threes)
    return len(short.vocabulary & long.vocabulary) >= _SHARED * len(short.vocabulary)


def _graded(share: float, place: Where) -> float:
    return 0.5 + 0.4 * share + (0.05 if place == "page" else 0)


def _is_part(short: Wording, long: Wording) -> bool:
    """A device may cut a quote in the middle of a word; a few letters prove nothing."""
    if len(short.words) >= _LETTERS_PROVE:
        return short.line[1:-1] in long.line
    return short.line in long.line


def _shifted(short: Wording, long: Wording, place: Where) -> float:
    """One begins where the other goes on, at one place: a highlight that was moved."""
    if place != "page":
        return 0.0
    shared = SequenceMatcher(None, short.words, long.words, autojunk=False).find_longest_match()
    enough = max(_FEWEST_SHARED, _OVERLAP * len(short.words))
    runs_out = shared.a == 0 and shared.b + shared.size == len(long.words)
    runs_in = shared.b == 0 and shared.a + shared.size == len(short.words)
    return _graded(shared.size / len(long.words), place) if shared.size >= enough and (runs_out or runs_in) else 0.0


def _mended(short: Wording, long: Wording, place: Where, *, later: bool) -> float:
    """One is the other but for slips and a few words more; later and at one place, but for a few other words."""
    if short.numbers != long.numbers:
        return 0.0
    changes = SequenceMatcher(None, short.words, long.words, autojunk=False).get_opcodes()
    same = sum(end - start for kind, start, end, *_ in changes if kind == "equal")
    blocks = [(short.words[a:b], long.words[c:d]) for kind, a, b, c, d in changes if kind != "equal"]
    slips = [_slip(before, after) for before, after in blocks]
    if min(slips) is not Slip.NONE:
        only_one_has = sum(len(before) + len(after) for before, after in blocks if not (before and after))
        share = 1 - only_one_has / len(long.words)
        fewest = (_FEWEST_AT_PLACE if place == "page" else _FEWEST_BESIDE)[min(slips)]
        enough = same >= fewest and share >= _SHARE_OF_MENDED[place]
    else:
        share = same / len(long.words)
        swapped = later and place == "page" and all(_is_swap(before, after) for before, after in blocks)
        enough = swapped and same >= _FEWEST_BESIDE[Slip.POSSIBLE] and same >= _CORE * len(short.words)
    return _graded(share, place) if enough else 0.0


def _slip(before: tuple[str, ...], after: tuple[str, ...]) -> Slip:
    """Whether these words could be a slip for those; a `not` more or less is no slip."""
    if _negations(before) != _negations(after):
        return Slip.NONE
    one, other = _bare("".join(before)), _bare("".join(after))
    if not one or not other:
        return Slip.EVIDENT if len(one + other) <= _LITTLE_WORD else Slip.POSSIBLE
    if sorted(one) == sorted(other):
        return Slip.EVIDENT
    length = min(len(one), len(other))
    if length < _LITTLE_WORD or one[0] != other[0]:
        return Slip.NONE
    alike = SequenceMatcher(None, one, other, autojunk=False).ratio()
    if length >= _LONG_WORD and alike >= _NEARLY_EQUAL:
        return Slip.EVIDENT
    return Slip.POSSIBLE if alike >= _ALIKE else Slip.NONE


def _is_swap(before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Whether a word or two were put in the place of others."""
    return max(len(before), len(after)) <= _SWAPPED and _negations(before) == _negations(after)


def _negations(words: tuple[str, ...]) -> int:
    return sum(bool(_NEGATION.fullmatch(word)) for word in words)


def _bare(word: str) -> str:
    return "".join(letter for letter in normalize("NFD", word) if not combining(letter)) or word
