"""The words to learn in lyrics: of the language being learned, or translated from English."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from studium.vocabulary.domain import Dictionary, DictionaryEntry, Lyrics, Part, VocabularyItem, WordToken


class Lexicon(Protocol):
    """The words of one language, for learners of it."""

    def items_in(self, lyrics: Lyrics) -> Sequence[VocabularyItem]:
        """Return every word worth learning, most useful first."""
        ...


@dataclass(frozen=True)
class CollectedWord:
    """A word where it occurs first, its line, and how often it occurs."""

    word: WordToken
    line: str
    line_number: int
    count: int


def collect_words(words: Iterable[WordToken], lyrics: Lyrics) -> list[CollectedWord]:
    """Return the distinct content words of a song, in order of first occurrence."""
    sung = [line for line in lyrics.lines if line.is_sung]
    first: dict[tuple[str, str], WordToken] = {}
    counts: dict[tuple[str, str], int] = {}
    for word in words:
        if word.is_content:
            key = (word.lemma, word.lemma_reading)
            first.setdefault(key, word)
            counts[key] = counts.get(key, 0) + 1
    return [
        CollectedWord(word, sung[word.line - 1].text, sung[word.line - 1].number, counts[key])
        for key, word in first.items()
        if word.line <= len(sung)
    ]


def sung_text(lyrics: Lyrics) -> str:
    """Join the sung lines; the line numbers of word tokens refer to this text."""
    return "\n".join(line.text.replace("\n", " ") for line in lyrics.lines if line.is_sung)


USEFUL_FREQUENCY = 4.8
"""The Zipf frequency of words that are common, but not known to everybody."""
UNKNOWN_FREQUENCY = 2.5
"""The assumed Zipf frequency of words that are on no list."""


def learning_value(item: VocabularyItem) -> float:
    """Score a word: higher if it is frequent in the song and elsewhere, lower if it is trivial."""
    frequency = UNKNOWN_FREQUENCY if item.frequency is None else item.frequency
    listed = 0.5 if item.jlpt else 0.0
    return math.log2(1 + item.count) + listed - abs(frequency - USEFUL_FREQUENCY)


def most_useful_first(items: list[VocabularyItem]) -> list[VocabularyItem]:
    """Sort words by learning value, then by their place in the song."""
    return sorted(items, key=lambda item: (-learning_value(item), item.line_number or 0))


Analyse = Callable[[str], Sequence[WordToken]]
_CACHED_SONGS = 32


@dataclass(frozen=True)
class Language:
    """How to handle one language: find words, recognise it, and transcribe and accent a word."""

    words: Analyse
    is_written_in: Callable[[str], bool]
    romaji: Callable[[str, str], str]
    parts: Callable[[str, str], tuple[Part, ...]]
    accent: Callable[[str, str], int | None]


class SongLexicon:
    """Finds the words of songs, and looks them up."""

    def __init__(self, language: Language, dictionary: Dictionary, english: Analyse) -> None:
        self._language, self._dictionary, self._english = language, dictionary, english
        # The agent, the extraction and the verification each ask for the same song.
        self._items = lru_cache(maxsize=_CACHED_SONGS)(self._find_items)

    def items_in(self, lyrics: Lyrics) -> Sequence[VocabularyItem]:
        """Return every word worth learning, most useful first."""
        return self._items(lyrics)

    def words_in(self, lyrics: Lyrics) -> Sequence[WordToken]:
        """Return every word of the lyrics, in order."""
        text = sung_text(lyrics)
        return self._language.words(text) if self._language.is_written_in(text) else self._english(text)

    def _find_items(self, lyrics: Lyrics) -> tuple[VocabularyItem, ...]:
        is_english = not self._language.is_written_in(sung_text(lyrics))
        make = self._translated if is_english else self._looked_up
        items: dict[tuple[str, str], VocabularyItem] = {}
        for each in collect_words(self.words_in(lyrics), lyrics):
            item = make(each)
            if item:
                items.setdefault((item.kanji, item.reading), item)
        return tuple(most_useful_first(list(items.values())))

    def _looked_up(self, each: CollectedWord) -> VocabularyItem | None:
        word = each.word
        gloss = self._dictionary.gloss(word, each.line)
        if gloss is None:
            return None
        entries = self._dictionary.look_up(word.lemma, word.lemma_reading, word.part_of_speech)
        known = entries[0] if entries else DictionaryEntry(gloss.entry, "", "", "other", ())
        entry = replace(
            known,
            written=word.lemma,
            reading=word.lemma_reading,
            part_of_speech=word.part_of_speech,
            glosses=gloss.meanings,
        )
        return self._item(each, entry, gloss.english)

    def _translated(self, each: CollectedWord) -> VocabularyItem | None:
        entries = self._dictionary.reverse(each.word.lemma, each.word.part_of_speech)
        return self._item(each, entries[0], each.word.lemma) if entries else None

    def _item(self, each: CollectedWord, entry: DictionaryEntry, english: str) -> VocabularyItem:
        written, reading = entry.written, entry.reading
        return VocabularyItem(
            kanji=written,
            romaji=self._language.romaji(written, reading),
            english=english,
            parts=self._language.parts(written, reading),
            reading=reading,
            sung=each.word.surface,
            part_of_speech=entry.part_of_speech,
            meanings=entry.glosses,
            jlpt=entry.jlpt,
            frequency=entry.frequency,
            pitch=self._language.accent(written, reading),
            line=each.line,
            line_number=each.line_number,
            count=each.count,
        )
