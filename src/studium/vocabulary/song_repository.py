"""Saved songs in the database: the words of each, and where its lyrics came from."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import RowMapping, bindparam, delete, select

from studium.core.database import tables
from studium.core.database.engine import Transactions, insert_or_replace
from studium.core.domain.document import content_id
from studium.core.domain.errors import NotFound
from studium.vocabulary.domain import SavedSong

if TYPE_CHECKING:
    from studium.core.database import Database

_SONG = select(tables.songs).where(tables.songs.c.key == bindparam("key"))
_ALL = select(tables.songs).order_by(tables.songs.c.song, tables.songs.c.artist, tables.songs.c.key)


@dataclass(frozen=True)
class SongRepository:
    """The saved songs; each method is one transaction.

    songs = SongRepository(database.transactions)
    """

    db: Transactions

    def save(self, key: str, song: SavedSong) -> None:
        """Save a song's words, replacing any saved under the same key."""
        row: dict[str, Any] = {"key": key, **song.model_dump(mode="json"), "kept_at": self.db.clock()}
        with self.db.writing() as connection:
            connection.execute(insert_or_replace(connection.dialect.name, tables.songs), row)

    def get(self, key: str) -> SavedSong | None:
        """Return the song saved under a key."""
        with self.db.reading() as connection:
            row = connection.execute(_SONG, {"key": key}).mappings().first()
        return _song(row) if row else None

    def all(self) -> list[SavedSong]:
        """Return every saved song, by title."""
        with self.db.reading() as connection:
            return [_song(row) for row in connection.execute(_ALL).mappings()]

    def delete(self, title: str, artist: str) -> None:
        """Delete a song under all its keys; deleting it twice changes nothing."""
        songs = tables.songs.c
        with self.db.writing() as connection:
            connection.execute(delete(tables.songs).where(songs.song == title, songs.artist == artist))

    def delete_all(self) -> int:
        """Delete every song, and return how many there were."""
        with self.db.writing() as connection:
            return connection.execute(delete(tables.songs)).rowcount


def saved_songs(database: "Database") -> dict[str, SavedSong]:
    """Return every saved song by its id."""
    return {song_id(song): song for song in SongRepository(database.transactions).all()}


def find_saved_song(database: "Database", id_: str) -> SavedSong:
    """Return the saved song with an id."""
    if found := SongRepository(database.transactions).get(id_) or saved_songs(database).get(id_):
        return found
    raise NotFound("This song is no longer saved.", remedy="Add its lyrics again.")


def song_id(song: SavedSong) -> str:
    """Identify a song by its title, its artist and its words."""
    words = sorted(f"{item.kanji} {item.reading}" for item in song.vocabulary)
    return content_id("\n".join((song.song.casefold(), song.artist.casefold(), *words)))


def _song(row: RowMapping) -> SavedSong:
    return SavedSong.model_validate({name: row[name] for name in SavedSong.model_fields})
