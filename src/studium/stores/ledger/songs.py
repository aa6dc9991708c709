"""Songs in the ledger: the words that were made of each, and where the lyrics came from."""

from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, select

from studium.domain.word import KeptSong
from studium.stores.ledger import tables
from studium.stores.ledger.statements import insert_or_replace

_SONG = select(tables.songs).where(tables.songs.c.key == bindparam("key"))
_ALL = select(tables.songs).order_by(tables.songs.c.song, tables.songs.c.artist, tables.songs.c.key)


def keep(connection: Connection, key: str, kept: KeptSong, now: datetime) -> None:
    """Keep a song's words in place of those kept before."""
    row = {"key": key, **kept.model_dump(mode="json"), "kept_at": now}
    connection.execute(insert_or_replace(connection.dialect.name, tables.songs), row)


def recall(connection: Connection, key: str) -> KeptSong | None:
    """The words of a song, if they were made before."""
    row = connection.execute(_SONG, {"key": key}).mappings().first()
    return KeptSong.model_validate({name: row[name] for name in KeptSong.model_fields}) if row else None


def every(connection: Connection) -> list[KeptSong]:
    """Every song that is kept, by title."""
    rows = connection.execute(_ALL).mappings()
    return [KeptSong.model_validate({name: row[name] for name in KeptSong.model_fields}) for row in rows]


def forget_all(connection: Connection) -> int:
    """Forget every song; says how many there were."""
    return connection.execute(delete(tables.songs)).rowcount
