"""Which words to learn first: those that make the most lines understandable.

A line is unlocked when all its content words are known. For

    1  夜 の 空        2  夜 の 星        3  空 を 見る

and a learner who knows 空, 夜 comes first (it unlocks line 1, and half of line 2), then 星 and 見る.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from heapq import heappop, heappush

from studium.domain.word import SungWord
from studium.workflows.vocabulary.study.coverage import is_known

# A line that waits for more words than this is too far off to say which of them comes first.
_WITHIN_REACH = 8

_Rank = tuple[int, float, int, float, int]


@dataclass(frozen=True)
class Unlocking:
    """A word to learn next, how many lines it unlocks, and how many of the song's lines are readable by then."""

    word: str
    reading: str
    unlocks: int
    readable: int
    lines: int


def unlock_order(
    words: Sequence[SungWord], known: AbstractSet[str], frequency: Mapping[str, float] | None = None
) -> list[Unlocking]:
    """The unknown content words; each comes next that unlocks the most lines by then."""
    content = [word for word in words if word.is_content]
    readings = {word.lemma: word.lemma_reading for word in reversed(content)}
    song = _Song(content, known, frequency or {})
    total = len(song.missing)
    readable = sum(not lemmas for lemmas in song.missing.values())
    order = []
    for lemma, unlocks in song.learned_in_turn():
        readable += unlocks
        order.append(Unlocking(lemma, readings[lemma], unlocks, readable, total))
    return order


@dataclass
class _Song:
    """Which unknown words each line waits for, and the words in the order of what they would unlock now."""

    content: Sequence[SungWord]
    known: AbstractSet[str]
    frequency: Mapping[str, float]
    missing: dict[int, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._lines_of: dict[str, set[int]] = {}
        for word in self.content:
            waiting = self.missing.setdefault(word.line, set())
            if not is_known(word, self.known):
                waiting.add(word.lemma)
                self._lines_of.setdefault(word.lemma, set()).add(word.line)
        self._count = Counter(word.lemma for word in self.content)
        self._first = {lemma: place for place, lemma in enumerate(self._lines_of)}

    def learned_in_turn(self) -> list[tuple[str, int]]:
        """Every unknown word with the number of lines it unlocks when its turn comes."""
        ranks = {lemma: self._rank(lemma) for lemma in self._lines_of}
        queue: list[tuple[_Rank, str]] = []
        for lemma, rank in ranks.items():
            heappush(queue, (rank, lemma))
        turns = []
        while queue:
            rank, lemma = heappop(queue)
            # A word stands in the queue once for every rank it ever had; only the present one counts.
            if ranks.get(lemma) != rank:
                continue
            del ranks[lemma]
            turns.append((lemma, -rank[0]))
            for other in self._learn(lemma):
                ranks[other] = self._rank(other)
                heappush(queue, (ranks[other], other))
        return turns

    def _learn(self, lemma: str) -> set[str]:
        """Take a word as known, and say which words are worth more now."""
        touched: set[str] = set()
        for line in self._lines_of[lemma]:
            self.missing[line].discard(lemma)
            if len(self.missing[line]) <= _WITHIN_REACH:
                touched |= self.missing[line]
        return touched

    def _rank(self, lemma: str) -> _Rank:
        """The smaller the sooner: lines unlocked at once, shares of lines, times sung, frequency, place in the song."""
        waits = [len(self.missing[line]) for line in self._lines_of[lemma]]
        return (
            -waits.count(1),
            -round(sum(1 / wait for wait in waits if wait <= _WITHIN_REACH), 9),
            -self._count[lemma],
            -self.frequency.get(lemma, 0.0),
            self._first[lemma],
        )
