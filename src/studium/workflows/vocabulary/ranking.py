"""Which words of a song are worth learning first."""

import math

from studium.domain.word import VocabularyItem

USEFUL = 4.8
"""The frequency (Zipf scale) of words that are common enough to meet again, and not known to everybody."""
UNKNOWN = 2.5
"""How frequent a word is taken to be that no list has."""


def usefulness(item: VocabularyItem) -> float:
    """How much is gained by learning a word: it is sung often, met often elsewhere, and no mere grammar."""
    frequency = UNKNOWN if item.frequency is None else item.frequency
    listed = 0.5 if item.jlpt else 0.0
    return math.log2(1 + item.count) + listed - abs(frequency - USEFUL)


def most_useful_first(items: list[VocabularyItem]) -> list[VocabularyItem]:
    """The words in the order in which to learn them; of equals, the one that is sung first."""
    return sorted(items, key=lambda item: (-usefulness(item), item.line_number or 0))
