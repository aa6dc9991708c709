"""Words: what a song says, as a learner meets it: the word, how it is read, what it means, and where it was sung."""

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
    """A sign of a word, or several that are read as one, and how it is read there."""

    kanji: str
    romaji: tuple[str, ...]


class VocabularyItem(Value):
    """A word to learn: in its dictionary form, with its reading and meaning, and the line it was sung in."""

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


class SongRequest(Value):
    """A song whose words are wanted: so many, or all; with its lyrics, if they are at hand."""

    song: str = Field(min_length=1, max_length=300, description="The title.")
    artist: str = Field(default="", max_length=300)
    lyrics: str | None = Field(default=None, max_length=1_000_000, description="The lyrics, if they are at hand.")
    count: Annotated[int, Field(ge=1, le=400)] | Literal["all"] = 5


class SavedSong(Value):
    """A song's words as they are kept; the lyrics only where the user wants that."""

    song: str
    artist: str
    source: str
    vocabulary: tuple[VocabularyItem, ...]
    lyrics: str | None = None


@dataclass(frozen=True)
class WordToken:
    """A word where it stands in a text: as it is written there, and its dictionary form; both with their readings."""

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
    """A line of a song, when it is sung (in seconds), and whether it is sung at all: a heading or a credit is not."""

    text: str
    number: int
    time: float | None = None
    is_sung: bool = True


@dataclass(frozen=True)
class Lyrics:
    """The lines of a song, and what is known about it."""

    lines: tuple[LyricLine, ...]
    title: str = ""
    artist: str = ""
    source: str = ""

    @property
    def text(self) -> str:
        """All that is sung, line by line."""
        return "\n".join(line.text for line in self.lines if line.is_sung)


FindLyrics = Callable[[str, str], Awaitable[Lyrics]]
"""Finds the lyrics of a song by an artist; raises `NotFound` or `ServiceDown`."""


@dataclass(frozen=True)
class Gloss:
    """What a word means: the meaning that fits best, all of its sense's words, and where the dictionary says so."""

    english: str
    meanings: tuple[str, ...]
    entry: str
    sense: int = 0


@dataclass(frozen=True)
class DictionaryEntry:
    """A word in a dictionary: how it is written and read, what kind of word it is, and how common."""

    id: str
    written: str
    reading: str
    part_of_speech: PartOfSpeech
    glosses: tuple[str, ...]
    jlpt: int | None = None
    frequency: float | None = None


class Dictionary(Protocol):
    """Says what words mean, in one language, and which words of it mean something in English."""

    def look_up(
        self, lemma: str, reading: str | None = None, pos: PartOfSpeech | None = None
    ) -> Sequence[DictionaryEntry]:
        """The entries of a word, the likeliest first."""
        ...

    def gloss(self, word: WordToken, line: str) -> Gloss | None:
        """What a word means in its line; `None` if the dictionary does not have it."""
        ...

    def reverse(self, english: str, pos: PartOfSpeech | None = None) -> Sequence[DictionaryEntry]:
        """The words that mean this, the most useful to a learner first."""
        ...

    def kanji_readings(self, sign: str) -> Sequence[str]:
        """How a sign can be read, as KANJIDIC2 writes it (`ガク`, `まな.ぶ`); none for what is no kanji."""
        ...
