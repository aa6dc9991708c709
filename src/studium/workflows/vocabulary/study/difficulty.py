"""How hard a song's words are, by the levels of the Japanese-Language Proficiency Test and by how common they are."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from studium.domain.word import VocabularyItem

OTHER = "other"
"""Where words stand that neither a level nor a frequency is known of."""

# A learner of a level follows a song when he knows this share of what is sung.
_ENOUGH = 0.8
# The Zipf frequency (log10 of occurrences in a thousand million) from which on a word is met at N1, N2, … N5:
# a word on no list is placed by how common it is.
_ZIPF_OF_LEVELS = (2.5, 3.7, 4.3, 4.9, 5.5)
_LEVELS = (5, 4, 3, 2, 1)
_HARDEST = 6


@dataclass(frozen=True)
class Difficulty:
    """The level whose words suffice for most of a song, a score from 0 (easy) to 100, and the share of each level."""

    level: str | None
    """`N5` … `N1`; none if no word has a level, or if too many are beyond N1."""
    score: float
    shares: dict[str, float]


def difficulty(items: Sequence[VocabularyItem]) -> Difficulty:
    """Weigh a song's words, each as often as it is sung."""
    sung: Counter[int | None] = Counter()
    for item in items:
        sung[_level(item)] += item.count
    total = sung.total() or 1
    shares = {_name(level): sung[level] / total for level in (*_LEVELS, None) if sung[level]}
    hardness = sum(count * (_HARDEST - (level or 0) - 1) for level, count in sung.items()) / total
    is_levelled = any(item.jlpt for item in items)
    return Difficulty(
        level=_enough(sung, total) if is_levelled else None,
        score=round(100 * hardness / (_HARDEST - 1), 1),
        shares=shares,
    )


def _level(item: VocabularyItem) -> int | None:
    if item.jlpt is not None or item.frequency is None:
        return item.jlpt
    return bisect_right(_ZIPF_OF_LEVELS, item.frequency) or None


def _enough(sung: Counter[int | None], total: int) -> str | None:
    followed = 0
    for level in _LEVELS:
        followed += sung[level]
        if followed >= _ENOUGH * total:
            return _name(level)
    return None


def _name(level: int | None) -> str:
    return OTHER if level is None else f"N{level}"
