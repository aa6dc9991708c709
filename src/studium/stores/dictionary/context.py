"""Which sense of a word a line of a song means: by its part of speech, its particle and the words beside it."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from studium.domain.word import SungWord
from studium.stores.dictionary import glossing
from studium.stores.dictionary.headword import Headword, Sense
from studium.stores.dictionary.preferences import preferred_gloss
from studium.stores.dictionary.ranking import agreement, skeleton
from studium.stores.dictionary.usefulness import rarity, usefulness

_RUN = re.compile(r"[一-鿿々〆ヶ]+|[ァ-ヺー]{2,}")
_PARTICLES = "をがにでへとはもの"
_LONGEST = 6
# What a noun means hardly depends on the words beside it.
_NEED_COMPANY = frozenset({"verb", "i-adjective", "na-adjective", "adverb"})
_TELLING_SENSES = 2
_PREFERRED = 12.0


@dataclass(frozen=True)
class Neighbour:
    """A noun that stands in the same line, where it stands, and what it may mean."""

    start: int
    end: int
    meanings: frozenset[str]


@dataclass(frozen=True)
class Meaning:
    """A sense that a word may have in its line, how well it fits, and how it is said shortly."""

    score: float
    headword: Headword
    sense: int
    english: str


def neighbours(line: str, headwords: Callable[[str], Sequence[Headword]]) -> tuple[Neighbour, ...]:
    """The words of a line that are written in kanji or katakana, the longest first, found by the dictionary alone."""
    found: list[Neighbour] = []
    for run in _RUN.finditer(line):
        start = run.start()
        while start < run.end():
            end = min(run.end(), start + _LONGEST)
            while end > start and not headwords(line[start:end]):
                end -= 1
            if end > start:
                found.append(Neighbour(start, end, _meanings(headwords(line[start:end]))))
            start = max(end, start + 1)
    return tuple(found)


def choose(
    word: SungWord, line: str, candidates: Iterable[tuple[float, Headword]], around: tuple[Neighbour, ...]
) -> Meaning | None:
    """The sense that fits best; of equals, the one the dictionary names first."""
    start = line.find(word.surface)
    end = start + len(word.surface)
    beside = _beside(start, end, line, around) if start >= 0 and word.part_of_speech in _NEED_COMPANY else {}
    particle = line[start - 1] if start > 0 else ""
    preferred = preferred_gloss(word, line)
    best: Meaning | None = None
    for fit, headword in candidates:
        for number, sense in enumerate(headword.senses):
            if not _applies(sense, word):
                continue
            wanted = [gloss for gloss in sense.glosses if glossing.key(gloss) == preferred]
            score = fit + _likelihood(sense, number, word) + _transitivity(sense, particle) + _company(sense, beside)
            score += _PREFERRED if wanted else 0
            if best is None or score > best.score:
                best = Meaning(score, headword, number, glossing.short((*wanted, *sense.glosses)))
    return best


def _likelihood(sense: Sense, number: int, word: SungWord) -> float:
    in_kana = not skeleton(word.lemma)
    spelling = 0.8 if in_kana and "kana" in sense.marks else 0.0
    return 5 * agreement(frozenset(sense.kinds), word.part_of_speech) - 0.6 * min(number, 6) - rarity(sense) + spelling


def _transitivity(sense: Sense, particle: str) -> float:
    """`を` before a verb asks for one that takes an object, `が` for one that does not."""
    takes, takes_not = "transitive" in sense.marks, "intransitive" in sense.marks
    if particle == "を":
        return 1.5 * (takes - takes_not)
    if particle == "が":
        return 1.0 * (takes_not - takes)
    return 0.0


def _company(sense: Sense, beside: dict[frozenset[str], float]) -> float:
    """How far a sense speaks of the words beside it, as `to put up (an umbrella)` does of 傘."""
    told = glossing.telling_words(" ".join((*sense.glosses, sense.note)))
    return max((weight for meanings, weight in beside.items() if meanings & told), default=0.0)


def _beside(start: int, end: int, line: str, around: tuple[Neighbour, ...]) -> dict[frozenset[str], float]:
    """What the other words mean, and how much each tells: most the one a particle ties to the word."""
    weights: dict[frozenset[str], float] = {}
    for other in around:
        if other.start < end and other.end > start:
            continue
        between = line[other.end : start] if other.end <= start else line[end : other.start]
        tied = not between or (len(between) == 1 and between in _PARTICLES)
        weights[other.meanings] = max(weights.get(other.meanings, 0), 3.0 if tied else 0.6)
    return weights


def _applies(sense: Sense, word: SungWord) -> bool:
    return not sense.belongs_to or word.lemma in sense.belongs_to or word.lemma_reading in sense.belongs_to


def _meanings(words: Sequence[Headword]) -> frozenset[str]:
    likeliest = max(words, key=usefulness)
    senses = likeliest.senses[:_TELLING_SENSES]
    return frozenset().union(*(glossing.telling_words(glossing.key(g)) for sense in senses for g in sense.glosses))
