"""A report on a song: its difficulty, how much of it is known, and what to learn first; and its Anki package."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, field
from heapq import heappop, heappush
from pathlib import Path
from typing import Any

from studium.core.domain.finding import Finding
from studium.vocabulary.anki_deck import Annotate, Speak, WordDeck, word_cards, write_word_package
from studium.vocabulary.domain import Lyrics, SavedSong, VocabularyItem, WordToken
from studium.vocabulary.lexicon import SongLexicon


@dataclass(frozen=True)
class Coverage:
    """How many of a song's content words are known, counting every occurrence and counting distinct words."""

    running: int
    running_known: int
    distinct: int
    distinct_known: int
    unknown: tuple[str, ...]
    """The words still to learn, most frequent first."""

    @property
    def share(self) -> float:
        """The known share of all occurrences, from 0 to 1; 1 for a song without words."""
        return self.running_known / self.running if self.running else 1.0

    def __str__(self) -> str:
        # Rounded down: 100 % only if every word is known.
        return f"you know {int(self.share * 100)} % of this song ({self.distinct_known} of {self.distinct} words)"


def coverage(words: Sequence[WordToken], known: AbstractSet[str]) -> Coverage:
    """Count the known among a song's content words."""
    content = [word for word in words if word.is_content]
    sung = Counter(word.lemma for word in content)
    known_lemmas = {word.lemma for word in content if is_known(word, known)}
    unknown = [lemma for lemma, _ in sung.most_common() if lemma not in known_lemmas]
    return Coverage(
        running=sung.total(),
        running_known=sum(sung[lemma] for lemma in known_lemmas),
        distinct=len(sung),
        distinct_known=len(known_lemmas),
        unknown=tuple(unknown),
    )


def is_known(word: WordToken, known: AbstractSet[str]) -> bool:
    """Tell whether a learner knows a word, in its dictionary spelling or in kana."""
    return word.lemma in known or word.lemma_reading in known


OTHER_LEVEL = "other"
"""The level of words that have neither a level nor a frequency."""

# To follow a song, a learner has to know this share of its words.
_ENOUGH = 0.8
# The least Zipf frequency (log10 of occurrences per billion words) for N1, N2, … N5, for words on no list.
_ZIPF_OF_LEVELS = (2.5, 3.7, 4.3, 4.9, 5.5)
_LEVELS = (5, 4, 3, 2, 1)
_HARDEST = 6


@dataclass(frozen=True)
class Difficulty:
    """The level needed for most of a song, a score from 0 (easy) to 100, and the share of each level."""

    level: str | None
    """`N5` … `N1`; `None` if no word has a level, or too many are beyond N1."""
    score: float
    shares: dict[str, float]


def difficulty(items: Sequence[VocabularyItem]) -> Difficulty:
    """Rate a song by its words, each counted as often as it occurs."""
    sung: Counter[int | None] = Counter()
    for item in items:
        sung[_level(item)] += item.count
    total = sung.total() or 1
    shares = {_name(level): sung[level] / total for level in (*_LEVELS, None) if sung[level]}
    hardness = sum(count * (_HARDEST - (level or 0) - 1) for level, count in sung.items()) / total
    is_levelled = any(item.jlpt for item in items)
    return Difficulty(
        level=_sufficient_level(sung, total) if is_levelled else None,
        score=round(100 * hardness / (_HARDEST - 1), 1),
        shares=shares,
    )


def _level(item: VocabularyItem) -> int | None:
    if item.jlpt is not None or item.frequency is None:
        return item.jlpt
    return bisect_right(_ZIPF_OF_LEVELS, item.frequency) or None


def _sufficient_level(sung: Counter[int | None], total: int) -> str | None:
    followed = 0
    for level in _LEVELS:
        followed += sung[level]
        if followed >= _ENOUGH * total:
            return _name(level)
    return None


def _name(level: int | None) -> str:
    return OTHER_LEVEL if level is None else f"N{level}"


# Lines with more unknown words than this do not influence the order.
_WITHIN_REACH = 8

_Rank = tuple[int, float, int, float, int]


@dataclass(frozen=True)
class UnlockStep:
    """A word to learn next, how many lines it unlocks, and how many lines are readable after it."""

    word: str
    reading: str
    unlocks: int
    readable: int
    lines: int


def unlock_order(
    words: Sequence[WordToken], known: AbstractSet[str], frequency: Mapping[str, float] | None = None
) -> list[UnlockStep]:
    """Sort the unknown content words greedily: next is always the one that unlocks the most lines."""
    content = [word for word in words if word.is_content]
    readings = {word.lemma: word.lemma_reading for word in reversed(content)}
    song = _UnlockState(content, known, frequency or {})
    total = len(song.missing)
    readable = sum(not lemmas for lemmas in song.missing.values())
    order = []
    for lemma, unlocks in song.learning_order():
        readable += unlocks
        order.append(UnlockStep(lemma, readings[lemma], unlocks, readable, total))
    return order


@dataclass
class _UnlockState:
    """The unknown words of each line, while words are learned one after the other."""

    content: Sequence[WordToken]
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

    def learning_order(self) -> list[tuple[str, int]]:
        """Return every unknown word, in order, with the number of lines it unlocks."""
        ranks = {lemma: self._rank(lemma) for lemma in self._lines_of}
        queue: list[tuple[_Rank, str]] = []
        for lemma, rank in ranks.items():
            heappush(queue, (rank, lemma))
        turns = []
        while queue:
            rank, lemma = heappop(queue)
            # The queue holds a word once for every rank it ever had; only its current rank counts.
            if ranks.get(lemma) != rank:
                continue
            del ranks[lemma]
            turns.append((lemma, -rank[0]))
            for other in self._learn(lemma):
                ranks[other] = self._rank(other)
                heappush(queue, (ranks[other], other))
        return turns

    def _learn(self, lemma: str) -> set[str]:
        """Mark a word as known, and return the words whose rank changes."""
        touched: set[str] = set()
        for line in self._lines_of[lemma]:
            self.missing[line].discard(lemma)
            if len(self.missing[line]) <= _WITHIN_REACH:
                touched |= self.missing[line]
        return touched

    def _rank(self, lemma: str) -> _Rank:
        """Rank a word, smallest first: lines unlocked, shares of lines, occurrences, frequency, place in the song."""
        waits = [len(self.missing[line]) for line in self._lines_of[lemma]]
        return (
            -waits.count(1),
            -round(sum(1 / wait for wait in waits if wait <= _WITHIN_REACH), 9),
            -self._count[lemma],
            -self.frequency.get(lemma, 0.0),
            self._first[lemma],
        )


DECK_NAME = "Studium::Songs"

Ruby = Callable[[str, str], tuple[tuple[str, str], ...]]
"""Splits a word into characters, each with the kana above it."""
Readings = Callable[[str, str], tuple[str, ...]]
"""Returns every reading that the dictionary has for a word, in hiragana."""


@dataclass(frozen=True)
class SongReport:
    """A song's words and difficulty; with lyrics, also how much is known and what unlocks the most lines."""

    song: SavedSong
    difficulty: Difficulty
    coverage: Coverage | None = None
    unlocking: tuple[UnlockStep, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return self.song.model_dump(mode="json", exclude={"lyrics"}) | {
            "difficulty": asdict(self.difficulty),
            "coverage": asdict(self.coverage) | {"share": self.coverage.share} if self.coverage else None,
            "unlocking": [asdict(each) for each in self.unlocking],
        }


@dataclass(frozen=True)
class Pronunciation:
    """How to write readings above the words of a language, and how to speak them."""

    language: str
    annotate: Annotate = lambda written, _reading: written
    speak: Speak = lambda _item: b""
    ruby: Ruby = lambda written, _reading: ((written, ""),)
    readings: Readings | None = None
    """The dictionary's readings of a word; `None` if words are read as they are written."""


def build_report(song: SavedSong, lexicon: SongLexicon, lyrics: Lyrics | None, known: set[str] | None) -> SongReport:
    """Build the report on a song; `known` are the words that the learner knows."""
    if lyrics is None:
        return SongReport(song, difficulty(song.vocabulary))
    words = lexicon.words_in(lyrics)
    all_items = lexicon.items_in(lyrics)
    frequency = {item.kanji: item.frequency for item in all_items if item.frequency is not None}
    known_words = known or set()
    return SongReport(
        song,
        difficulty(all_items),
        coverage(words, known_words) if known is not None else None,
        tuple(unlock_order(words, known_words, frequency)),
    )


def write_song_package(
    target: Path, song: SavedSong, lexicon: SongLexicon, lyrics: Lyrics | None, pronunciation: Pronunciation
) -> list[Finding]:
    """Write a song's words as an Anki package, with readings, sounds and lines."""
    sung = lyrics or Lyrics(())
    cards = word_cards(song.vocabulary, lexicon.words_in(sung), sung, pronunciation.annotate, pronunciation.speak)
    name = f"{song.song} – {song.artist}" if song.artist else song.song
    return write_word_package(target, cards, WordDeck(DECK_NAME, name, pronunciation.language))
