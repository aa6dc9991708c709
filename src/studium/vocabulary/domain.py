"""The types of vocabulary: words, songs, lyrics and dictionary entries."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

from pydantic import Field

from studium.core.domain.value import Value

PartOfSpeech = Literal[
    "noun",
    "verb",
    "i-adjective",
    "na-adjective",
    "adverb",
    "pronoun",
    "expression",
    "interjection",
    "conjunction",
    "prefix",
    "suffix",
    "counter",
    "number",
    "name",
    "particle",
    "auxiliary",
    "symbol",
    "other",
]


class Part(Value):
    """A character of a word, or several that are read as one, and its reading in this word."""

    kanji: str
    romaji: tuple[str, ...]


class VocabularyItem(Value):
    """A word to learn: its dictionary form, reading, meaning, and the line it occurs in."""

    kanji: str
    romaji: str
    english: str
    parts: tuple[Part, ...] = ()
    reading: str = ""
    sung: str = ""
    part_of_speech: PartOfSpeech = "other"
    meanings: tuple[str, ...] = ()
    jlpt: int | None = Field(default=None, ge=1, le=5)
    frequency: float | None = None
    pitch: int | None = Field(default=None, ge=0)
    line: str = ""
    line_number: int | None = None
    count: int = 1


class VocabularyResponse(Value):
    """The words of a song."""

    vocabulary: tuple[VocabularyItem, ...]


MAX_NAME = 300
"""How many characters a title or an artist may have."""
MAX_LYRICS = 1_000_000
SongTitle = Annotated[str, Field(min_length=1, max_length=MAX_NAME)]
ArtistName = Annotated[str, Field(max_length=MAX_NAME)]
LyricsText = Annotated[str, Field(max_length=MAX_LYRICS)]
WordCount = Annotated[int, Field(ge=1, le=400)] | Literal["all"]


class SongRequest(Value):
    """A request for `count` words of a song, or all of them; the lyrics are optional."""

    song: SongTitle = Field(description="The title.")
    artist: ArtistName = ""
    lyrics: LyricsText | None = Field(default=None, description="The lyrics, if you have them.")
    count: WordCount = 5


class SavedSong(Value):
    """A saved song: its words, and its lyrics only if the user wants them saved."""

    song: str
    artist: str
    source: str
    vocabulary: tuple[VocabularyItem, ...]
    lyrics: str | None = None


@dataclass(frozen=True)
class WordToken:
    """A word of a text: as written there and in its dictionary form, both with their readings."""

    surface: str
    lemma: str
    reading: str
    lemma_reading: str
    part_of_speech: PartOfSpeech
    is_content: bool
    start: int = 0
    line: int = 1


@dataclass(frozen=True)
class LyricLine:
    """A line of lyrics and its time in seconds; headings, credits and chords are not sung."""

    text: str
    number: int
    time: float | None = None
    is_sung: bool = True

    @property
    def clock(self) -> str:
        """Its time as minutes and seconds (`1:05`); empty if unknown."""
        return "" if self.time is None else f"{int(self.time // 60)}:{int(self.time % 60):02}"


@dataclass(frozen=True)
class Lyrics:
    """The lines of a song, with its title, artist and source."""

    lines: tuple[LyricLine, ...]
    title: str = ""
    artist: str = ""
    source: str = ""

    @property
    def text(self) -> str:
        """The sung lines."""
        return "\n".join(line.text for line in self.lines if line.is_sung)


FindLyrics = Callable[[str, str], Awaitable[Lyrics]]
"""Finds the lyrics of a song by an artist; raises `NotFound` or `ServiceDown`."""


@dataclass(frozen=True)
class Gloss:
    """What a word means in its line: the best translation, all those of the same sense, and the entry."""

    english: str
    meanings: tuple[str, ...]
    entry: str
    sense: int = 0


@dataclass(frozen=True)
class DictionaryEntry:
    """A dictionary entry: spelling, reading, part of speech, meanings, level and frequency."""

    id: str
    written: str
    reading: str
    part_of_speech: PartOfSpeech
    glosses: tuple[str, ...]
    jlpt: int | None = None
    frequency: float | None = None


class Dictionary(Protocol):
    """A dictionary between one language and English."""

    def look_up(
        self, lemma: str, reading: str | None = None, pos: PartOfSpeech | None = None
    ) -> Sequence[DictionaryEntry]:
        """Return the entries of a word, most likely first."""
        ...

    def gloss(self, word: WordToken, line: str) -> Gloss | None:
        """Return what a word means in its line, or `None` if the dictionary does not have it."""
        ...

    def reverse(self, english: str, pos: PartOfSpeech | None = None) -> Sequence[DictionaryEntry]:
        """Return the translations of an English word, most useful to a learner first."""
        ...

    def kanji_readings(self, kanji: str) -> Sequence[str]:
        """Return the readings of a kanji as in KANJIDIC2 (`ガク`, `まな.ぶ`); empty for other characters."""
        ...
