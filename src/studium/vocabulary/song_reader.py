"""A song as a reader: every line with its words, each with the kana over its kanji, and what can be learnt of it."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from studium.vocabulary.domain import LyricLine, Lyrics, VocabularyItem, WordToken
from studium.vocabulary.japanese.kana import count_japanese_characters, has_kanji, hiragana
from studium.vocabulary.lexicon import SongLexicon
from studium.vocabulary.song_report import (
    Coverage,
    Difficulty,
    Pronunciation,
    UnlockStep,
    coverage,
    difficulty,
    unlock_order,
)

MAX_CHARACTERS = 12_000
"""So much of a text is read; it is more than a sitting, and takes a second or two."""


@dataclass(frozen=True)
class ReaderSpan:
    """A word in its line, sign by sign with its kana, or what lies between two words."""

    signs: tuple[tuple[str, str], ...]
    word: str = ""
    """Which word it is (`歩く[あるく]`), if it is one to learn."""
    is_sure: bool = True
    """Whether the dictionary reads it so."""


@dataclass(frozen=True)
class ReaderLine:
    """A line with its words."""

    line: LyricLine
    stretches: tuple[ReaderSpan, ...]


@dataclass(frozen=True)
class SongReader:
    """A song that can be read: its lines, its words in the order of their use, and how often each is sung."""

    lines: tuple[ReaderLine, ...]
    items: dict[str, VocabularyItem]
    words: tuple[WordToken, ...]
    is_translated: bool
    """Whether the song is in another language, and the words are translations of its own."""
    may_be_chinese: bool
    """Whether there are kanji, and no kana among them."""

    @property
    def difficulty(self) -> Difficulty:
        """How hard its words are."""
        return difficulty(list(self.items.values()))

    def coverage(self, known: AbstractSet[str]) -> Coverage:
        """How much of it is known."""
        return coverage(self.words, known)

    def unlocking(self, known: AbstractSet[str]) -> list[UnlockStep]:
        """The unknown words, those first that make the most lines readable."""
        frequency = {item.kanji: item.frequency for item in self.items.values() if item.frequency is not None}
        return unlock_order(self.words, known, frequency)

    def lines_with(self, key: str) -> list[LyricLine]:
        """Where a word is sung."""
        return [each.line for each in self.lines if any(stretch.word == key for stretch in each.stretches)]


def word_key(written: str, reading: str) -> str:
    """How a word of a song is named: `歩く[あるく]`."""
    return f"{written}[{reading}]"


def truncate_lyrics(lyrics: Lyrics) -> Lyrics:
    """As many whole lines as are read; the first one at least in part."""
    kept: list[LyricLine] = []
    room = MAX_CHARACTERS
    for line in lyrics.lines:
        kept.append(replace(line, text=line.text[:room]))
        room -= len(line.text) + 1
        if room <= 0:
            break
    return replace(lyrics, lines=tuple(kept))


def read_song(lyrics: Lyrics, lexicon: SongLexicon, voice: Pronunciation) -> SongReader:
    """Read a song by the dictionary."""
    items = {word_key(item.kanji, item.reading): item for item in lexicon.items_in(lyrics)}
    words = lexicon.words_in(lyrics)
    is_translated = bool(items) and not any(word_key(word.lemma, word.lemma_reading) in items for word in words)
    if is_translated:
        words = _translated(words, items)
    by_line: dict[int, list[WordToken]] = {}
    for word in words:
        by_line.setdefault(word.line, []).append(word)
    sung = (line.number for line in lyrics.lines if line.is_sung)
    places = {number: place for place, number in enumerate(sung, start=1)}
    lines = tuple(
        ReaderLine(line, tuple(_stretches(line.text, by_line.get(places.get(line.number, 0), []), voice)))
        for line in lyrics.lines
    )
    return SongReader(lines, items, tuple(words), is_translated, _may_be_chinese(lyrics.text, voice))


def _translated(words: Sequence[WordToken], items: dict[str, VocabularyItem]) -> list[WordToken]:
    """The words of a song in English as the words they are translated by."""
    by_english = {item.english: item for item in items.values()}
    return [
        replace(word, lemma=item.kanji, lemma_reading=item.reading)
        for word in words
        if (item := by_english.get(word.lemma)) and word.is_content
    ]


def _stretches(line: str, words: Sequence[WordToken], voice: Pronunciation) -> Iterator[ReaderSpan]:
    at = 0
    for word in words:
        # Looked for, not counted: a word may stand in the line in another width or case than it was read in.
        place = line.find(word.surface, at)
        if place < 0 or not word.surface:
            continue
        if place > at:
            yield ReaderSpan(((line[at:place], ""),))
        yield _word(word, voice)
        at = place + len(word.surface)
    if at < len(line):
        yield ReaderSpan(((line[at:], ""),))


def _word(word: WordToken, voice: Pronunciation) -> ReaderSpan:
    key = word_key(word.lemma, word.lemma_reading) if word.is_content else ""
    if voice.readings is None or not has_kanji(word.surface) or word.part_of_speech == "symbol":
        return ReaderSpan(((word.surface, ""),), key)
    is_sure = hiragana(word.lemma_reading) in voice.readings(word.lemma, word.lemma_reading)
    return ReaderSpan(voice.ruby(word.surface, word.reading), key, is_sure)


def _may_be_chinese(text: str, voice: Pronunciation) -> bool:
    has_kana = any("\u3041" <= sign <= "\u30ff" for sign in text)
    return voice.language == "ja" and count_japanese_characters(text) > 0 and not has_kana
