"""What a learner makes of a song: how hard it is, how much of it is known, what to learn first, and cards for Anki."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from studium.core.domain.finding import Finding
from studium.domain.word import KeptSong, Lyrics
from studium.vocabulary.anki_deck import WordDeck, write_word_package
from studium.workflows.vocabulary.songlexicon import SongLexicon
from studium.workflows.vocabulary.study.coverage import Coverage, coverage
from studium.workflows.vocabulary.study.deck import Speak, word_cards
from studium.workflows.vocabulary.study.difficulty import Difficulty, difficulty
from studium.workflows.vocabulary.study.furigana import Annotate
from studium.workflows.vocabulary.study.unlocking import Unlocking, unlock_order

DECK = "Studium::Songs"

Ruby = Callable[[str, str], tuple[tuple[str, str], ...]]
"""A word and its reading, sign by sign: what is written, and the kana over it."""
Readings = Callable[[str, str], tuple[str, ...]]
"""Every reading that a dictionary has for a word, in hiragana; the one asked for is among them if it has that."""


@dataclass(frozen=True)
class Learnt:
    """A song's words; with its lyrics at hand also how hard it is, how much is known, and what unlocks most lines."""

    song: KeptSong
    difficulty: Difficulty
    coverage: Coverage | None = None
    unlocking: tuple[Unlocking, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """All of it, for programs."""
        return self.song.model_dump(mode="json", exclude={"lyrics"}) | {
            "difficulty": asdict(self.difficulty),
            "coverage": asdict(self.coverage) | {"share": self.coverage.share} if self.coverage else None,
            "unlocking": [asdict(each) for each in self.unlocking],
        }


@dataclass(frozen=True)
class Voice:
    """How a language's readings are set over its words, and how it sounds."""

    language: str
    annotate: Annotate = lambda written, _reading: written
    speak: Speak = lambda _item: b""
    ruby: Ruby = lambda written, _reading: ((written, ""),)
    readings: Readings | None = None
    """How a dictionary reads a word; without it, words are read as they are written."""


def learnt(song: KeptSong, lexicon: SongLexicon, lyrics: Lyrics | None, known: set[str] | None) -> Learnt:
    """What is to be said about a song beside its words."""
    if lyrics is None:
        return Learnt(song, difficulty(song.vocabulary))
    words = lexicon.words_in(lyrics)
    all_items = lexicon.items_in(lyrics)
    frequency = {item.kanji: item.frequency for item in all_items if item.frequency is not None}
    known_words = known or set()
    return Learnt(
        song,
        difficulty(all_items),
        coverage(words, known_words) if known is not None else None,
        tuple(unlock_order(words, known_words, frequency)),
    )


def write_song(
    target: Path, song: KeptSong, lexicon: SongLexicon, lyrics: Lyrics | None, voice: Voice
) -> list[Finding]:
    """Write a song's words as an Anki package, with their readings, their sound and their line."""
    sung = lyrics or Lyrics(())
    cards = word_cards(song.vocabulary, lexicon.words_in(sung), sung, voice.annotate, voice.speak)
    name = f"{song.song} – {song.artist}" if song.artist else song.song
    return write_word_package(target, cards, WordDeck(DECK, name, voice.language))
