"""The SQLite file of a concept graph: opened, read, and written in whole transactions."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from threading import RLock

from studium.core.domain.errors import BadInput, StorageFailed

_SCHEMA = 1


class GraphFile:
    """One connection to the file, which the threads of this program take turns with."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.lock = RLock()
        with self._told_plainly():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def rows(self, query: str, *given: str) -> list[sqlite3.Row]:
        """What a query finds."""
        with self.lock, self._told_plainly():
            return self._connection.execute(query, given).fetchall()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all that happens in the block, or nothing."""
        with self.lock, self._told_plainly():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def noted(self, key: str) -> int | None:
        """A number that the file keeps about itself."""
        rows = self.rows("SELECT value FROM graph WHERE key = ?", key)
        return int(rows[0][0]) if rows else None

    def outside_version(self) -> int:
        """A number that is another one after another program has written."""
        return int(self.rows("PRAGMA data_version")[0][0])

    def close(self) -> None:
        """Let go of the file."""
        with self.lock:
            self._connection.close()

    def _prepare(self) -> None:
        schema = files(__package__).joinpath("schema.sql").read_text(encoding="utf-8")
        with self._told_plainly():
            self._connection.row_factory = sqlite3.Row
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            self._connection.executescript(f"BEGIN IMMEDIATE; {schema} COMMIT;")
        if (found := self.noted("schema")) != _SCHEMA:
            told = f"The concept graph at {self._path} has schema {found}; this Studium knows {_SCHEMA}."
            raise BadInput(told, remedy="Use the Studium that made it, or another place for the graph.")

    @contextmanager
    def _told_plainly(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StorageFailed(f"The concept graph at {self._path} cannot be used: {error}.") from error
