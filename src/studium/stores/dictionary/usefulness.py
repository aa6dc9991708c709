"""How useful a word is to a learner, and how far down in its entry a meaning stands."""

from studium.stores.dictionary.headword import Headword, Sense

_UNKNOWN_FREQUENCY = 2.0
_COST = {
    "archaic": 6.0,
    "obscure": 5.0,
    "dialect": 5.0,
    "name": 5.0,
    "vulgar": 4.0,
    "historical": 3.0,
    "derogatory": 3.0,
    "slang": 3.0,
    "childish": 2.5,
    "proverb": 2.0,
    "dated": 2.0,
    "jocular": 2.0,
    "humble": 1.5,
    "honorific": 1.5,
    "short": 1.0,
    "idiom": 0.5,
}
_OF_A_FIELD = 1.5


def usefulness(word: Headword) -> float:
    """From 0 (hardly ever met) to about 12 (met on every page)."""
    priority = max((form.priority for form in (*word.written, *word.read)), default=0)
    frequency = word.frequency or _UNKNOWN_FREQUENCY
    return 0.4 * priority + 0.6 * (word.jlpt or 0) + 0.8 * (frequency - _UNKNOWN_FREQUENCY)


def rarity(sense: Sense) -> float:
    """How much speaks against a sense before its context is known: out of use, rude, or of one trade only."""
    return sum(_COST.get(mark, 0) for mark in sense.marks) + (_OF_A_FIELD if sense.fields else 0)
