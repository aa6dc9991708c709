"""How much a thing in a note resembles a known card."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log
from typing import NamedTuple

from studium.cards.field_diff import word_counts
from studium.workflows.cards.identity.keys import plain_text
from studium.workflows.cards.identity.pairing import Pair

Sides = tuple[str, str]
"""The front and the back of a card; a back that is not known is empty."""

_TELLING = 8  # so many words say all there is to say about whether two sides are the same
_RAREST = 8
_COMMON = 50  # a word that so many cards have leads to none of them
_LIKELIEST = 10  # so many cards are compared with a source
_LONG = 600  # characters of a side that are looked at
_FRAME = 0.2
# What questions are made of: it says nothing about what is asked.
_QUESTION_WORDS = (
    "a an and are as at by can define describe difference do does explain for from give has have how if in is it list "
    "main mean name of on or state that the their this to used was what when where which who why will with you "
    "где для из как какая какие какой когда что чем это на от по почему такое "
    "de der die das des est et la le les que quel quelle qui un una une wie wo"
)


class _Side(NamedTuple):
    words: frozenset[str]
    weight: float


class Resemblance:
    """Compares sources with known cards by their words: the more cards use a word, the less it weighs."""

    def __init__(self, sources: Sequence[Sides], known: Sequence[Sides]) -> None:
        self._weights = _weights(front for front, _ in known)
        self._sources, self._known = _Read(sources, self._weights), _Read(known, self._weights)

    def of(self, source: int, card: int) -> float:
        """How alike they are, from 0 to 1; a side that either lacks does not count, a short side counts little."""
        total = whole = 0.0
        for here, there in zip(self._sources[source], self._known[card], strict=True):
            if here.words and there.words:
                says = min(max(len(here.words), len(there.words)), _TELLING)
                shared = sum(self._weights.get(word, 1.0) for word in here.words & there.words)
                total += says * 2 * shared / (here.weight + there.weight)
                whole += says
        return total / whole if whole else 0.0

    def candidates(self, sources: Sequence[int], cards: Sequence[int]) -> Iterator[Pair]:
        """The pairs that are worth comparing: they share words that are rare among these cards."""
        places: tuple[dict[str, list[int]], ...] = (defaultdict(list), defaultdict(list))
        for card in cards:
            for side, having in zip(self._known[card], places, strict=True):
                for word in side.words:
                    having[word].append(card)
        for source in sources:
            sharing: Counter[int] = Counter()
            for side, having in zip(self._sources[source], places, strict=True):
                found = sorted((having[word] for word in side.words if word in having), key=len)
                for each in found[:_RAREST]:
                    if len(each) <= _COMMON:
                        sharing.update(each)
            yield from ((source, card) for card, _ in sharing.most_common(_LIKELIEST))


class _Read(dict[int, tuple[_Side, _Side]]):
    """The words of each card's sides, read when they are asked for."""

    def __init__(self, texts: Sequence[Sides], weights: Mapping[str, float]) -> None:
        super().__init__()
        self._texts, self._weights = texts, weights

    def __missing__(self, at: int) -> tuple[_Side, _Side]:
        front, back = (frozenset(word_counts(plain_text(side[:_LONG]))) for side in self._texts[at])
        self[at] = self._weighed(front), self._weighed(back)
        return self[at]

    def _weighed(self, words: frozenset[str]) -> _Side:
        return _Side(words, sum(self._weights.get(word, 1.0) for word in words))


def _weights(fronts: Iterable[str]) -> dict[str, float]:
    uses: Counter[str] = Counter()
    for front in fronts:
        uses.update(word_counts(front).keys())
    weights = {word: 1 / (1 + log(count)) for word, count in uses.items()}
    return weights | {word: _FRAME * weights.get(word, 1.0) for word in _QUESTION_WORDS.split()}
