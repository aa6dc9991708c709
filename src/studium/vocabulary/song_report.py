"""What a learner makes of a song: how hard it is, how much of it is known, what to learn first, and cards for Anki."""

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
    """How many of a song's content words are known: of all that are sung, and of the different ones."""

    running: int
    running_known: int
    distinct: int
    distinct_known: int
    unknown: tuple[str, ...]
    """The words still to learn, the most sung first."""

    @property
    def share(self) -> float:
        """The known part of what is sung, from 0 to 1; a song without words hides nothing."""
        return self.running_known / self.running if self.running else 1.0

    @property
    def distinct_share(self) -> float:
        """The known part of the different words, from 0 to 1."""
        return self.distinct_known / self.distinct if self.distinct else 1.0

    def __str__(self) -> str:
        # Rounded down: only who knows every word knows 100 %.
        return f"you know {int(self.share * 100)} % of this song ({self.distinct_known} of {self.distinct} words)"


def coverage(words: Sequence[WordToken], known: AbstractSet[str]) -> Coverage:
    """Count a song's content words against the words that a learner knows."""
    content = [word for word in words if word.is_content]
    sung = Counter(word.lemma for word in content)
    familiar = {word.lemma for word in content if is_known(word, known)}
    unknown = [lemma for lemma, _ in sung.most_common() if lemma not in familiar]
    return Coverage(
        running=sung.total(),
        running_known=sum(sung[lemma] for lemma in familiar),
        distinct=len(sung),
        distinct_known=len(familiar),
        unknown=tuple(unknown),
    )


def is_known(word: WordToken, known: AbstractSet[str]) -> bool:
    """Whether a learner knows a word, as it is written in dictionaries or, as beginners have it, in kana only."""
    return word.lemma in known or word.lemma_reading in known


OTHER_LEVEL = "other"
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
    return OTHER_LEVEL if level is None else f"N{level}"


# A line that waits for more words than this is too far off to say which of them comes first.
_WITHIN_REACH = 8

_Rank = tuple[int, float, int, float, int]


@dataclass(frozen=True)
class UnlockStep:
    """A word to learn next, how many lines it unlocks, and how many of the song's lines are readable by then."""

    word: str
    reading: str
    unlocks: int
    readable: int
    lines: int


def unlock_order(
    words: Sequence[WordToken], known: AbstractSet[str], frequency: Mapping[str, float] | None = None
) -> list[UnlockStep]:
    """The unknown content words; each comes next that unlocks the most lines by then."""
    content = [word for word in words if word.is_content]
    readings = {word.lemma: word.lemma_reading for word in reversed(content)}
    song = _UnlockState(content, known, frequency or {})
    total = len(song.missing)
    readable = sum(not lemmas for lemmas in song.missing.values())
    order = []
    for lemma, unlocks in song.learned_in_turn():
        readable += unlocks
        order.append(UnlockStep(lemma, readings[lemma], unlocks, readable, total))
    return order


@dataclass
class _UnlockState:
    """Which unknown words each line waits for, and the words in the order of what they would unlock now."""

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


DECK_NAME = "Studium::Songs"

Ruby = Callable[[str, str], tuple[tuple[str, str], ...]]
"""A word and its reading, sign by sign: what is written, and the kana over it."""
Readings = Callable[[str, str], tuple[str, ...]]
"""Every reading that a dictionary has for a word, in hiragana; the one asked for is among them if it has that."""


@dataclass(frozen=True)
class SongReport:
    """A song's words; with its lyrics at hand also how hard it is, how much is known, and what unlocks most lines."""

    song: SavedSong
    difficulty: Difficulty
    coverage: Coverage | None = None
    unlocking: tuple[UnlockStep, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """All of it, for programs."""
        return self.song.model_dump(mode="json", exclude={"lyrics"}) | {
            "difficulty": asdict(self.difficulty),
            "coverage": asdict(self.coverage) | {"share": self.coverage.share} if self.coverage else None,
            "unlocking": [asdict(each) for each in self.unlocking],
        }


@dataclass(frozen=True)
class Pronunciation:
    """How a language's readings are set over its words, and how it sounds."""

    language: str
    annotate: Annotate = lambda written, _reading: written
    speak: Speak = lambda _item: b""
    ruby: Ruby = lambda written, _reading: ((written, ""),)
    readings: Readings | None = None
    """How a dictionary reads a word; without it, words are read as they are written."""


def build_report(song: SavedSong, lexicon: SongLexicon, lyrics: Lyrics | None, known: set[str] | None) -> SongReport:
    """What is to be said about a song beside its words."""
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
    target: Path, song: SavedSong, lexicon: SongLexicon, lyrics: Lyrics | None, voice: Pronunciation
) -> list[Finding]:
    """Write a song's words as an Anki package, with their readings, their sound and their line."""
    sung = lyrics or Lyrics(())
    cards = word_cards(song.vocabulary, lexicon.words_in(sung), sung, voice.annotate, voice.speak)
    name = f"{song.song} – {song.artist}" if song.artist else song.song
    return write_word_package(target, cards, WordDeck(DECK_NAME, name, voice.language))
