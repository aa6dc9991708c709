"""Songs to read: one that was just brought, or one that is kept, each opened as a reader."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from studium.core.domain.document import content_id
from studium.core.domain.errors import BadInput, MissingPart, NotFound
from studium.vocabulary.domain import LyricLine, Lyrics, SavedSong

if TYPE_CHECKING:
    from studium.core.app import App
    from studium.core.database import Database
    from studium.vocabulary.song_reader import SongReader

_MOST_BYTES = 8_000_000


@dataclass(frozen=True)
class OpenSong:
    """A song that is open: as it is kept, and as a reader."""

    id: str
    kept: SavedSong
    reader: "SongReader"
    is_cut: bool = False
    """Whether the text went on after what is read."""
    is_whole: bool = True
    """Whether all lines are at hand, and not only those in which the words stand."""
    remarks: tuple[str, ...] = ()
    """What was found about the file that it came from."""


@dataclass(frozen=True)
class SongDetails:
    """What a song is called, and whether its lyrics shall be kept with its words."""

    title: str = ""
    artist: str = ""
    keep_lyrics: bool = False


def open_uploaded_song(app: "App", path: Path, cover: SongDetails) -> OpenSong:
    """Read the lyrics in a file, and keep the words."""
    from studium.vocabulary.lyrics.files import read_lyrics
    from studium.vocabulary.setup import build_pronunciation, lexicon
    from studium.vocabulary.song_reader import read_song, truncate_lyrics
    from studium.vocabulary.song_repository import SongRepository

    reading = read_lyrics(path, max_bytes=_MOST_BYTES)
    if reading.lyrics is None:
        said = " ".join(finding.message for finding in reading.findings)
        raise BadInput(said, remedy="Bring the lyrics as text, or paste them.")
    lyrics = truncate_lyrics(reading.lyrics)
    reader = read_song(lyrics, lexicon(app), build_pronunciation(app.settings))
    if not reader.items:
        raise NotFound(
            "No word to learn was found in this text.", remedy="Give lyrics in the language you learn, or in English."
        )
    kept = SavedSong(
        song=cover.title or lyrics.title or path.stem,
        artist=cover.artist or lyrics.artist,
        source="brought",
        vocabulary=tuple(reader.items.values()),
        lyrics=_as_lrc(lyrics) if cover.keep_lyrics or app.settings.vocabulary.keep_lyrics else None,
    )
    SongRepository(app.database.transactions).save(song_id(kept), kept)
    remarks = tuple(finding.message for finding in reading.findings)
    return OpenSong(song_id(kept), kept, reader, len(lyrics.lines) < len(reading.lyrics.lines), remarks=remarks)


def open_saved_song(app: "App", song: str) -> OpenSong:
    """Open a song that is kept: all of it if its lyrics are, else the lines in which its words stand."""
    from studium.vocabulary.setup import build_pronunciation, lexicon
    from studium.vocabulary.song_reader import read_song, truncate_lyrics

    kept = find_saved_song(app.database, song)
    reader = read_song(truncate_lyrics(saved_lyrics(kept)), lexicon(app), build_pronunciation(app.settings))
    return OpenSong(song, kept, reader, is_whole=kept.lyrics is not None)


def preload_dictionary(app: "App") -> None:
    """Load what reading a song takes, so that the first one need not wait for it; not if the dictionary is missing."""
    from studium.vocabulary.setup import lexicon
    from studium.vocabulary.use_cases import is_dictionary_ready

    if is_dictionary_ready(app.settings):
        with suppress(MissingPart):
            lexicon(app).words_in(Lyrics((LyricLine("夜空", 1),)))


def saved_songs(database: "Database") -> dict[str, SavedSong]:
    """Every song that is kept, by its id."""
    from studium.vocabulary.song_repository import SongRepository

    return {song_id(kept): kept for kept in SongRepository(database.transactions).all()}


def find_saved_song(database: "Database", song: str) -> SavedSong:
    """The kept song of this id."""
    from studium.vocabulary.song_repository import SongRepository

    if found := SongRepository(database.transactions).get(song) or saved_songs(database).get(song):
        return found
    raise NotFound("This song is not kept any more.", remedy="Bring its lyrics again.")


def song_id(kept: SavedSong) -> str:
    """What a song is found by: its title, its artist and its words."""
    words = sorted(f"{item.kanji} {item.reading}" for item in kept.vocabulary)
    return content_id("\n".join((kept.song.casefold(), kept.artist.casefold(), *words)))


def saved_lyrics(kept: SavedSong) -> Lyrics:
    """The lyrics if they are kept, else the lines in which the words stand."""
    from studium.vocabulary.lyrics.text import parse_lyrics

    if kept.lyrics is not None:
        return parse_lyrics(kept.lyrics)
    lines = {item.line_number: item.line for item in kept.vocabulary if item.line and item.line_number}
    return Lyrics(tuple(LyricLine(text, number) for number, text in sorted(lines.items())), kept.song, kept.artist)


def _as_lrc(lyrics: Lyrics) -> str:
    """The lines with their times, one a line, as they are read again."""
    return "\n".join(_stamp(line.time) + line.text for line in lyrics.lines)


def _stamp(time: float | None) -> str:
    return "" if time is None else f"[{int(time // 60):02}:{time % 60:05.2f}]"
