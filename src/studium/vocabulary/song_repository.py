"""Songs in the database: the words that were made of each, and where the lyrics came from."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import RowMapping, bindparam, delete, select

from studium.core.database import tables
from studium.core.database.engine import Transactions, insert_or_replace
from studium.vocabulary.domain import SavedSong

_SONG = select(tables.songs).where(tables.songs.c.key == bindparam("key"))
_ALL = select(tables.songs).order_by(tables.songs.c.song, tables.songs.c.artist, tables.songs.c.key)


@dataclass(frozen=True)
class SongRepository:
    """The songs that are kept; each method is one transaction.

    songs = SongRepository(database.transactions)
    """

    db: Transactions

    def save(self, key: str, song: SavedSong) -> None:
        """Keep a song's words in place of those kept before."""
        row: dict[str, Any] = {"key": key, **song.model_dump(mode="json"), "kept_at": self.db.clock()}
        with self.db.writing() as connection:
            connection.execute(insert_or_replace(connection.dialect.name, tables.songs), row)

    def get(self, key: str) -> SavedSong | None:
        """The words of a song, if they were made before."""
        with self.db.reading() as connection:
            row = connection.execute(_SONG, {"key": key}).mappings().first()
        return _song(row) if row else None

    def all(self) -> list[SavedSong]:
        """Every song that is kept, by title."""
        with self.db.reading() as connection:
            return [_song(row) for row in connection.execute(_ALL).mappings()]

    def delete(self, title: str, artist: str) -> None:
        """Delete the words of one song, however they were asked for; a second time changes nothing."""
        songs = tables.songs.c
        with self.db.writing() as connection:
            connection.execute(delete(tables.songs).where(songs.song == title, songs.artist == artist))

    def delete_all(self) -> int:
        """Delete every song; says how many there were."""
        with self.db.writing() as connection:
            return connection.execute(delete(tables.songs)).rowcount


def _song(row: RowMapping) -> SavedSong:
    return SavedSong.model_validate({name: row[name] for name in SavedSong.model_fields})
