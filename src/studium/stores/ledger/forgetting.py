"""Taking out of the ledger for good what is no longer wanted: runs with all that hangs on them, sinks, songs."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from sqlalchemy import Connection, delete, update

from studium.stores.ledger import tables
from studium.stores.ledger.statements import in_chunks

# What hangs on a run, each before what it hangs on.
_OF_A_RUN = (
    tables.findings,
    tables.decisions,
    tables.items,
    tables.reviews,
    tables.calls,
    tables.spending,
    tables.changes,
)


@dataclass(frozen=True)
class Forgetting:
    """What of a ledger can be forgotten; each method is one transaction, and a second time changes nothing."""

    writing: Callable[[], AbstractContextManager[Connection]]

    def runs(self, runs: Sequence[str]) -> None:
        """Forget runs with their decisions, reviews, calls and changes; an order that made one stays, without it."""
        with self.writing() as connection:
            for some in in_chunks(runs):
                for table in _OF_A_RUN:
                    connection.execute(delete(table).where(table.c.run.in_(some)))
                connection.execute(update(tables.orders).where(tables.orders.c.run.in_(some)).values(run=None))
                connection.execute(delete(tables.runs).where(tables.runs.c.id.in_(some)))

    def sinks(self, sinks: Sequence[str]) -> None:
        """Forget what was published in sinks, and which files were seen for them."""
        with self.writing() as connection:
            for some in in_chunks(sinks):
                for table in (tables.bases, tables.seen):
                    connection.execute(delete(table).where(table.c.sink.in_(some)))

    def song(self, song: str, artist: str) -> None:
        """Forget the words of one song, however they were asked for."""
        songs = tables.songs.c
        with self.writing() as connection:
            connection.execute(delete(tables.songs).where(songs.song == song, songs.artist == artist))
