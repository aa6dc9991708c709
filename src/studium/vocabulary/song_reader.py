"""A song opened for reading: every line with its words, kana above the kanji, and the words to learn."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from studium.core.domain.errors import BadInput, MissingPart, NotFound
from studium.core.reader_process import outside_server
from studium.core.text.tokens import KANA, has_signs
from studium.vocabulary.domain import LyricLine, Lyrics, SavedSong, VocabularyItem, WordToken
from studium.vocabulary.japanese.kana import count_japanese_characters, has_kanji, hiragana
from studium.vocabulary.lexicon import SongLexicon
from studium.vocabulary.lyrics.files import read_lyrics
from studium.vocabulary.lyrics.parser import parse_lyrics
from studium.vocabulary.setup import build_lexicon, build_pronunciation, is_dictionary_ready, lexicon
from studium.vocabulary.song_report import (
    Coverage,
    Difficulty,
    Pronunciation,
    UnlockStep,
    coverage,
    difficulty,
    unlock_order,
)
from studium.vocabulary.song_repository import SongRepository, find_saved_song, song_id

if TYPE_CHECKING:
    from studium.core.app import App
    from studium.core.config import Settings

MAX_CHARACTERS = 12_000
"""How much of a text is read: more than one sitting, in a second or two."""
_MAX_BYTES = 8_000_000


@dataclass(frozen=True)
class ReaderSpan:
    """A word in its line, or the text between two words: characters, each with the kana above it."""

    signs: tuple[tuple[str, str], ...]
    word: str = ""
    """The key of the word (`歩く[あるく]`), if it is one to learn."""
    is_sure: bool = True
    """Whether the dictionary has this reading."""


@dataclass(frozen=True)
class ReaderLine:
    """A line and its spans."""

    line: LyricLine
    spans: tuple[ReaderSpan, ...]


@dataclass(frozen=True)
class SongReader:
    """The lines of a song, and its words in the order in which to learn them."""

    lines: tuple[ReaderLine, ...]
    items: dict[str, VocabularyItem]
    words: tuple[WordToken, ...]
    is_translated: bool
    """Whether the song is in English, and the items are translations of its words."""
    may_be_chinese: bool
    """Whether there are kanji but no kana."""

    @property
    def difficulty(self) -> Difficulty:
        """How difficult its words are."""
        return difficulty(list(self.items.values()))

    def coverage(self, known: AbstractSet[str]) -> Coverage:
        """How much of the song a learner knows."""
        return coverage(self.words, known)

    def unlock_order(self, known: AbstractSet[str]) -> list[UnlockStep]:
        """Sort the unknown words by how many lines each unlocks."""
        frequency = {item.kanji: item.frequency for item in self.items.values() if item.frequency is not None}
        return unlock_order(self.words, known, frequency)

    def lines_with(self, key: str) -> list[LyricLine]:
        """Return the lines that contain a word."""
        return [each.line for each in self.lines if any(span.word == key for span in each.spans)]


@dataclass(frozen=True)
class OpenSong:
    """A song that is open: as it is saved, and as a reader."""

    id: str
    saved: SavedSong
    reader: SongReader
    is_cut: bool = False
    """Whether the text was longer than what is read."""
    is_whole: bool = True
    """Whether all lines are available, not only the first line of each word."""
    remarks: tuple[str, ...] = ()
    """What was found about the file."""


@dataclass(frozen=True)
class SongDetails:
    """A song's title and artist, and whether to save its lyrics."""

    title: str = ""
    artist: str = ""
    keep_lyrics: bool = False


def open_uploaded_song(app: "App", path: Path, details: SongDetails) -> OpenSong:
    """Read the lyrics in a file, and save the words."""
    read = _read_file(app.settings, path)
    lyrics, reader = read.lyrics, read.reader
    saved = SavedSong(
        song=details.title or lyrics.title or path.stem,
        artist=details.artist or lyrics.artist,
        source="uploaded",
        vocabulary=tuple(reader.items.values()),
        lyrics=_as_lrc(lyrics) if details.keep_lyrics or app.settings.vocabulary.keep_lyrics else None,
    )
    SongRepository(app.database.transactions).save(song_id(saved), saved)
    return OpenSong(song_id(saved), saved, reader, read.is_cut, remarks=read.remarks)


@dataclass(frozen=True)
class _ReadFile:
    """The song in a file, as far as it is read."""

    lyrics: Lyrics
    reader: SongReader
    is_cut: bool
    remarks: tuple[str, ...]


@outside_server(lambda _settings, path: path.name)
def _read_file(settings: "Settings", path: Path) -> _ReadFile:
    reading = read_lyrics(path, max_bytes=_MAX_BYTES)
    if reading.lyrics is None:
        message = " ".join(finding.message for finding in reading.findings)
        raise BadInput(message, remedy="Upload the lyrics as a text file, or paste them.")
    lyrics = truncate_lyrics(reading.lyrics)
    reader = read_song(lyrics, build_lexicon(settings), build_pronunciation(settings))
    if not reader.items:
        raise NotFound(
            "No words to learn were found in this text.",
            remedy="Use lyrics in the language you are learning, or in English.",
        )
    is_cut = len(lyrics.lines) < len(reading.lyrics.lines)
    return _ReadFile(lyrics, reader, is_cut, tuple(finding.message for finding in reading.findings))


def open_saved_song(app: "App", id_: str) -> OpenSong:
    """Open a saved song: all of it if its lyrics are saved, else the first line of each word."""
    saved = find_saved_song(app.database, id_)
    return OpenSong(id_, saved, _read_saved(app.settings, saved), is_whole=saved.lyrics is not None)


@outside_server(lambda _settings, saved: f"“{saved.song}”")
def _read_saved(settings: "Settings", saved: SavedSong) -> SongReader:
    return read_song(truncate_lyrics(saved_lyrics(saved)), build_lexicon(settings), build_pronunciation(settings))


def saved_lyrics(saved: SavedSong) -> Lyrics:
    """Return a song's lyrics if they are saved, else the first line of each word."""
    if saved.lyrics is not None:
        return parse_lyrics(saved.lyrics)
    lines = {item.line_number: item.line for item in saved.vocabulary if item.line and item.line_number}
    return Lyrics(tuple(LyricLine(text, number) for number, text in sorted(lines.items())), saved.song, saved.artist)


def preload_dictionary(app: "App") -> None:
    """Load what reading a song needs, so that the first song opens quickly; do nothing without a dictionary."""
    if is_dictionary_ready(app.settings):
        with suppress(MissingPart):
            lexicon(app).words_in(Lyrics((LyricLine("夜空", 1),)))


def word_key(written: str, reading: str) -> str:
    """Name a word of a song: `歩く[あるく]`."""
    return f"{written}[{reading}]"


def truncate_lyrics(lyrics: Lyrics) -> Lyrics:
    """Cut lyrics after whole lines, at `MAX_CHARACTERS`; a first line that is longer is cut itself."""
    kept: list[LyricLine] = []
    left = MAX_CHARACTERS
    for line in lyrics.lines:
        kept.append(replace(line, text=line.text[:left]))
        left -= len(line.text) + 1
        if left <= 0:
            break
    return replace(lyrics, lines=tuple(kept))


def read_song(lyrics: Lyrics, song_lexicon: SongLexicon, pronunciation: Pronunciation) -> SongReader:
    """Split a song into words, and look them up."""
    items = {word_key(item.kanji, item.reading): item for item in song_lexicon.items_in(lyrics)}
    words = song_lexicon.words_in(lyrics)
    is_translated = bool(items) and not any(word_key(word.lemma, word.lemma_reading) in items for word in words)
    if is_translated:
        words = _translated(words, items)
    by_line: dict[int, list[WordToken]] = {}
    for word in words:
        by_line.setdefault(word.line, []).append(word)
    sung = (line.number for line in lyrics.lines if line.is_sung)
    places = {number: place for place, number in enumerate(sung, start=1)}
    lines = tuple(
        ReaderLine(line, tuple(_spans(line.text, by_line.get(places.get(line.number, 0), []), pronunciation)))
        for line in lyrics.lines
    )
    return SongReader(lines, items, tuple(words), is_translated, _may_be_chinese(lyrics.text, pronunciation))


def _translated(words: Sequence[WordToken], items: dict[str, VocabularyItem]) -> list[WordToken]:
    """Replace the lemmas of an English song by their translations."""
    by_english = {item.english: item for item in items.values()}
    return [
        replace(word, lemma=item.kanji, lemma_reading=item.reading)
        for word in words
        if (item := by_english.get(word.lemma)) and word.is_content
    ]


def _spans(line: str, words: Sequence[WordToken], pronunciation: Pronunciation) -> Iterator[ReaderSpan]:
    at = 0
    for word in words:
        # Searched for, because its width or case in the line may differ from the normalised text.
        place = line.find(word.surface, at)
        if place < 0 or not word.surface:
            continue
        if place > at:
            yield ReaderSpan(((line[at:place], ""),))
        yield _word_span(word, pronunciation)
        at = place + len(word.surface)
    if at < len(line):
        yield ReaderSpan(((line[at:], ""),))


def _word_span(word: WordToken, pronunciation: Pronunciation) -> ReaderSpan:
    key = word_key(word.lemma, word.lemma_reading) if word.is_content else ""
    if pronunciation.readings is None or not has_kanji(word.surface) or word.part_of_speech == "symbol":
        return ReaderSpan(((word.surface, ""),), key)
    is_sure = hiragana(word.lemma_reading) in pronunciation.readings(word.lemma, word.lemma_reading)
    return ReaderSpan(pronunciation.ruby(word.surface, word.reading), key, is_sure)


def _may_be_chinese(text: str, pronunciation: Pronunciation) -> bool:
    return pronunciation.language == "ja" and count_japanese_characters(text) > 0 and not has_signs(text, KANA)


def _as_lrc(lyrics: Lyrics) -> str:
    """Write the lines with their times, as `parse_lyrics` reads them."""
    return "\n".join(_timestamp(line.time) + line.text for line in lyrics.lines)


def _timestamp(time: float | None) -> str:
    return "" if time is None else f"[{int(time // 60):02}:{time % 60:05.2f}]"
