"""A song as a reader: every line with its words, each with the kana over its kanji, and what can be learnt of it."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from studium.domain.word import LyricLine, Lyrics, SungWord, VocabularyItem
from studium.languages.japanese.kana import has_kanji, hiragana, japanese_signs
from studium.running.vocabulary.learning import Voice
from studium.workflows.vocabulary.songlexicon import SongLexicon
from studium.workflows.vocabulary.study.coverage import Coverage, coverage
from studium.workflows.vocabulary.study.difficulty import Difficulty, difficulty
from studium.workflows.vocabulary.study.unlocking import Unlocking, unlock_order

MOST_SIGNS = 12_000
"""So much of a text is read; it is more than a sitting, and takes a second or two."""


@dataclass(frozen=True)
class Stretch:
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
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True)
class SongReader:
    """A song that can be read: its lines, its words in the order of their use, and how often each is sung."""

    lines: tuple[ReaderLine, ...]
    items: dict[str, VocabularyItem]
    words: tuple[SungWord, ...]
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

    def unlocking(self, known: AbstractSet[str]) -> list[Unlocking]:
        """The unknown words, those first that make the most lines readable."""
        frequency = {item.kanji: item.frequency for item in self.items.values() if item.frequency is not None}
        return unlock_order(self.words, known, frequency)

    def lines_with(self, key: str) -> list[LyricLine]:
        """Where a word is sung."""
        return [each.line for each in self.lines if any(stretch.word == key for stretch in each.stretches)]


def word_key(written: str, reading: str) -> str:
    """How a word of a song is named: `歩く[あるく]`."""
    return f"{written}[{reading}]"


def cut(lyrics: Lyrics) -> Lyrics:
    """As many whole lines as are read; the first one at least in part."""
    kept: list[LyricLine] = []
    room = MOST_SIGNS
    for line in lyrics.lines:
        kept.append(replace(line, text=line.text[:room]))
        room -= len(line.text) + 1
        if room <= 0:
            break
    return replace(lyrics, lines=tuple(kept))


def read_song(lyrics: Lyrics, lexicon: SongLexicon, voice: Voice) -> SongReader:
    """Read a song by the dictionary."""
    items = {word_key(item.kanji, item.reading): item for item in lexicon.items_in(lyrics)}
    words = lexicon.words_in(lyrics)
    is_translated = bool(items) and not any(word_key(word.lemma, word.lemma_reading) in items for word in words)
    if is_translated:
        words = _translated(words, items)
    by_line: dict[int, list[SungWord]] = {}
    for word in words:
        by_line.setdefault(word.line, []).append(word)
    sung = (line.number for line in lyrics.lines if line.is_sung)
    places = {number: place for place, number in enumerate(sung, start=1)}
    lines = tuple(
        ReaderLine(line, tuple(_stretches(line.text, by_line.get(places.get(line.number, 0), []), voice)))
        for line in lyrics.lines
    )
    return SongReader(lines, items, tuple(words), is_translated, _may_be_chinese(lyrics.text, voice))


def _translated(words: Sequence[SungWord], items: dict[str, VocabularyItem]) -> list[SungWord]:
    """The words of a song in English as the words they are translated by."""
    by_english = {item.english: item for item in items.values()}
    return [
        replace(word, lemma=item.kanji, lemma_reading=item.reading)
        for word in words
        if (item := by_english.get(word.lemma)) and word.is_content
    ]


def _stretches(line: str, words: Sequence[SungWord], voice: Voice) -> Iterator[Stretch]:
    at = 0
    for word in words:
        # Looked for, not counted: a word may stand in the line in another width or case than it was read in.
        place = line.find(word.surface, at)
        if place < 0 or not word.surface:
            continue
        if place > at:
            yield Stretch(((line[at:place], ""),))
        yield _word(word, voice)
        at = place + len(word.surface)
    if at < len(line):
        yield Stretch(((line[at:], ""),))


def _word(word: SungWord, voice: Voice) -> Stretch:
    key = word_key(word.lemma, word.lemma_reading) if word.is_content else ""
    if voice.readings is None or not has_kanji(word.surface) or word.part_of_speech == "symbol":
        return Stretch(((word.surface, ""),), key)
    is_sure = hiragana(word.lemma_reading) in voice.readings(word.lemma, word.lemma_reading)
    return Stretch(voice.ruby(word.surface, word.reading), key, is_sure)


def _may_be_chinese(text: str, voice: Voice) -> bool:
    has_kana = any("\u3041" <= sign <= "\u30ff" for sign in text)
    return voice.language == "ja" and japanese_signs(text) > 0 and not has_kana
