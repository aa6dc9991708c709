"""The concept graph in one SQLite file: no server, and an exact search."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from sqlite3 import Connection
from threading import RLock
from typing import Literal, TypeVar

import numpy as np
import orjson

from studium.concepts.domain import Concept, Content, GraphCommit, Person, Quote, Relation, Support
from studium.concepts.graph_store import validation
from studium.concepts.graph_store.validation import Vector
from studium.core.database.sqlite_files import damage_reported, damaged, is_damage, prepare_sqlite_file
from studium.core.domain.errors import BadInput, StorageFailed
from studium.core.domain.value import Value
from studium.core.files import keep_private

SAVE_PERSON = """
INSERT INTO person VALUES (:uuid, :name, :occupation, :summary, :summary_short)
ON CONFLICT (uuid) DO UPDATE SET name = excluded.name,
  occupation = excluded.occupation, summary = excluded.summary, summary_short = excluded.summary_short
"""

SAVE_CONTENT = """
INSERT INTO content VALUES (:uuid, :name, :title, :author,
  :summary, :summary_short, :category, :status, :processed_date)
ON CONFLICT (uuid) DO UPDATE SET name = excluded.name, title = excluded.title,
  author = excluded.author, summary = excluded.summary,
  summary_short = excluded.summary_short, category = excluded.category, status = excluded.status,
  processed_date = COALESCE(excluded.processed_date, processed_date)
"""

SAVE_AUTHORED_BY = """
INSERT INTO authored_by (content, person) VALUES (?, ?)
ON CONFLICT (content) DO UPDATE SET person = excluded.person
"""

# A quote is as old as it was when it was first kept.
SAVE_QUOTE = """
INSERT INTO quote (uuid, text, section, page_reference, note, line, created_at, embedding)
VALUES (:uuid, :text, :section, :page_reference, :note, :line, COALESCE(:created_at, :now), :embedding)
ON CONFLICT (uuid) DO UPDATE SET text = excluded.text, section = excluded.section,
  page_reference = excluded.page_reference, note = excluded.note, line = excluded.line,
  embedding = COALESCE(excluded.embedding, embedding)
"""

SAVE_QUOTED_IN = """
INSERT INTO quoted_in (quote, content, position) VALUES (?, ?, ?)
ON CONFLICT (quote) DO UPDATE SET content = excluded.content, position = excluded.position
"""

SAVE_CONCEPT = """
INSERT INTO concept (uuid, name, title, concept, analysis, summary, summary_short, source, embedding)
VALUES (:uuid, :name, :title, :concept, :analysis, :summary, :summary_short, :source, :embedding)
ON CONFLICT (uuid) DO UPDATE SET name = excluded.name, title = excluded.title, concept = excluded.concept,
  analysis = excluded.analysis, summary = excluded.summary, summary_short = excluded.summary_short,
  source = excluded.source, embedding = COALESCE(excluded.embedding, embedding)
"""

SAVE_RELATION = """
INSERT INTO relation (source, target, type, reasoning, confidence)
VALUES (:source, :target, :type, :reasoning, :confidence)
ON CONFLICT (source, target, type) DO UPDATE SET reasoning = excluded.reasoning, confidence = excluded.confidence
"""

SAVE_SUPPORT = """
INSERT INTO supports (concept, quote, reasoning, confidence) VALUES (:concept, :quote, :reasoning, :confidence)
ON CONFLICT (concept, quote) DO UPDATE SET reasoning = excluded.reasoning, confidence = excluded.confidence
"""

REMOVE_CONCEPT = "DELETE FROM concept WHERE uuid = ?"
DROP_RELATION = "DELETE FROM relation WHERE source = :source AND target = :target AND type = :type"
DROP_SUPPORT = "DELETE FROM supports WHERE concept = :concept AND quote = :quote"
PROCESSED = "UPDATE content SET processed_date = NULLIF(COALESCE(?, processed_date), '') WHERE uuid = ?"

REMOVE_QUOTES_OF = "DELETE FROM quote WHERE uuid IN (SELECT quote FROM quoted_in WHERE content = ?)"
REMOVE_BOOK = "DELETE FROM content WHERE uuid = ?"
REMOVE_AUTHOR = "DELETE FROM person WHERE uuid = ? AND uuid NOT IN (SELECT person FROM authored_by)"

QUOTES_OF = """
SELECT quotes.* FROM quotes JOIN quoted_in ON quoted_in.quote = quotes.uuid
WHERE quoted_in.content = ? ORDER BY position, uuid
"""

RELATIONS = "SELECT * FROM relation ORDER BY source, target, type"
RELATIONS_OF = "SELECT * FROM relation WHERE source = ? ORDER BY target, type"
SUPPORTS = "SELECT * FROM supports ORDER BY concept, quote"
SUPPORTS_OF = "SELECT * FROM supports WHERE concept = ? ORDER BY quote"

VECTORS_OF = """
SELECT uuid, embedding FROM quote WHERE uuid IN (SELECT value FROM json_each(?1)) AND embedding IS NOT NULL
UNION ALL
SELECT uuid, embedding FROM concept WHERE uuid IN (SELECT value FROM json_each(?1)) AND embedding IS NOT NULL
"""

EMBEDDED = {
    "quote": "SELECT uuid, embedding FROM quote WHERE embedding IS NOT NULL",
    "concept": "SELECT uuid, embedding FROM concept WHERE embedding IS NOT NULL",
}

KNOWN = {
    "concept": "SELECT uuid FROM concept WHERE uuid IN (SELECT value FROM json_each(?))",
    "quote": "SELECT uuid FROM quote WHERE uuid IN (SELECT value FROM json_each(?))",
    "book": "SELECT uuid FROM content WHERE uuid IN (SELECT value FROM json_each(?))",
}

COUNTS = """
SELECT 'Content', COUNT(*) FROM content UNION ALL SELECT 'Quote', COUNT(*) FROM quote
UNION ALL SELECT 'Concept', COUNT(*) FROM concept UNION ALL SELECT 'Person', COUNT(*) FROM person
UNION ALL SELECT 'QUOTED_IN', COUNT(*) FROM quoted_in UNION ALL SELECT 'AUTHORED_BY', COUNT(*) FROM authored_by
UNION ALL SELECT 'SUPPORTS', COUNT(*) FROM supports UNION ALL SELECT 'RELATIONS', COUNT(*) FROM relation
"""


_SCHEMA = 1


class GraphFile:
    """One connection to the file, which the threads of this program share."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.lock = RLock()
        with self._told_plainly():
            prepare_sqlite_file(path, "concept graph")
            self._connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
            keep_private(path)
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def rows(self, query: str, *given: str) -> list[sqlite3.Row]:
        """The rows that a query finds."""
        with self.lock, self._told_plainly():
            return self._connection.execute(query, given).fetchall()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction for the block: all or nothing."""
        with self.lock, self._told_plainly():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def noted(self, key: str) -> int | None:
        """A number stored in the file about itself."""
        with self.reading():
            rows = self.rows("SELECT value FROM graph WHERE key = ?", key)
            return int(rows[0][0]) if rows else None

    def reading(self) -> AbstractContextManager[None]:
        """Report rows that cannot be understood in this block as damage."""
        return damage_reported(f"The concept graph at {self._path}")

    def outside_version(self) -> int:
        """A number that is another one after another program has written."""
        return int(self.rows("PRAGMA data_version")[0][0])

    def close(self) -> None:
        """Close the file."""
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
            raise BadInput(told, remedy="Use the Studium version that made it, or another location for the graph.")

    @contextmanager
    def _told_plainly(self) -> Iterator[None]:
        try:
            yield
        except UnicodeDecodeError as error:  # SQLite names a damaged schema in bytes that are not text
            raise damaged(f"The concept graph at {self._path}", error) from error
        except (sqlite3.Error, OSError) as error:
            if isinstance(error, sqlite3.Error) and is_damage(error):
                raise damaged(f"The concept graph at {self._path}", error) from error
            raise StorageFailed(f"The concept graph at {self._path} cannot be used: {error}.") from error


class VectorIndex:
    """Vectors by id, all compared with a query at once."""

    def __init__(self, uuids: Sequence[str], vectors: bytes) -> None:
        self._uuids = uuids
        rows = np.frombuffer(vectors, dtype="<f4").reshape(len(uuids), len(vectors) // 4 // max(1, len(uuids)))
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        # Stored by dimension, not by vector: the product runs twice as fast.
        self._columns = np.ascontiguousarray((rows / lengths).T)

    def search(self, vector: Vector, *, limit: int, threshold: float) -> list[tuple[str, float]]:
        """The ids with the greatest cosine, no smaller than the threshold; the greatest first, then by id."""
        if not self._uuids or limit < 1:
            return []
        cosines = (vector / np.linalg.norm(vector)) @ self._columns
        near = np.flatnonzero(cosines >= threshold)
        if len(near) > limit:
            # All that are as near as the last one stay for now, so that the ids can decide between them.
            last = np.partition(cosines[near], -limit)[-limit]
            near = near[cosines[near] >= last]
        found = [(self._uuids[place], min(1.0, max(-1.0, float(cosines[place])))) for place in near.tolist()]
        return sorted(found, key=lambda one: (-one[1], one[0]))[:limit]


Stored = TypeVar("Stored", bound=Value)
IndexName = Literal["quote", "concept"]


class SqliteConceptGraph:
    """Stores the graph in a file, which several threads and processes may use at once."""

    def __init__(self, path: Path) -> None:
        self._file = GraphFile(path)
        self._indexes: dict[IndexName, tuple[int, VectorIndex]] = {}

    def save_book(
        self, book: Content, author: Person | None, quotes: Sequence[Quote], vectors: Mapping[str, Vector]
    ) -> None:
        """Save or update a book with its author and quotes; vectors that are not given stay."""
        validation.refuse_without_id([book, *quotes, *([author] if author else [])])
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._writing() as connection:
            connection.execute(SAVE_CONTENT, book.model_dump())
            if author:
                connection.execute(SAVE_PERSON, author.model_dump())
                connection.execute(SAVE_AUTHORED_BY, (book.uuid, author.uuid))
            rows = self._with_embeddings(connection, quotes, vectors)
            connection.executemany(SAVE_QUOTE, (row | {"now": now} for row in rows))
            places = ((quote.uuid, book.uuid, place) for place, quote in enumerate(quotes))
            connection.executemany(SAVE_QUOTED_IN, places)

    def remove_quotes(self, quotes: Sequence[str]) -> None:
        """Drop quotes, and with them what they support."""
        with self._writing() as connection:
            connection.executemany("DELETE FROM quote WHERE uuid = ?", ((uuid,) for uuid in quotes))

    def remove_book(self, uuid: str) -> None:
        """Drop a book with its quotes, and its author if no other book is theirs; concepts stay."""
        with self._writing() as connection:
            author = self.author_of(uuid)
            connection.execute(REMOVE_QUOTES_OF, (uuid,))
            connection.execute(REMOVE_BOOK, (uuid,))
            if author:
                connection.execute(REMOVE_AUTHOR, (author.uuid,))

    def book(self, uuid: str) -> Content | None:
        """The book with this id."""
        return self._one(Content, "SELECT * FROM content WHERE uuid = ?", uuid)

    def find_book(self, title: str, author: str = "") -> Content | None:
        """The book with this title, and by this author if one is named; case is ignored."""
        return validation.find_book(self.books(), title, author)

    def books(self) -> Sequence[Content]:
        """Every book, by title."""
        return self._all(Content, "SELECT * FROM content ORDER BY title, uuid")

    def author_of(self, book: str) -> Person | None:
        """Who wrote a book, if that is known."""
        by_book = "SELECT * FROM person WHERE uuid = (SELECT person FROM authored_by WHERE content = ?)"
        return self._one(Person, by_book, book)

    def find_author(self, name: str) -> Person | None:
        """The person with this name; case is ignored."""
        return validation.find_person(self._all(Person, "SELECT * FROM person ORDER BY uuid"), name)

    def quotes_of(self, book: str) -> Sequence[Quote]:
        """The quotes of a book, in the order in which they were given."""
        return self._all(Quote, QUOTES_OF, book)

    def vectors_of(self, uuids: Sequence[str]) -> dict[str, Vector]:
        """The vectors of quotes and concepts, for those that have one."""
        with self._file.reading():
            rows = self._file.rows(VECTORS_OF, _listed(uuids))
            return {uuid: np.frombuffer(vector, dtype="<f4") for uuid, vector in rows}

    def search_quotes(
        self, vector: Vector, *, limit: int = 50, threshold: float = 0.7
    ) -> Sequence[tuple[Quote, float]]:
        """The quotes most similar to a vector, the most similar first."""
        among = "SELECT * FROM quotes WHERE uuid IN (SELECT value FROM json_each(?))"
        return self._found(Quote, among, self._search("quote", vector, limit, threshold))

    def search_concepts(
        self, vector: Vector, *, limit: int = 50, threshold: float = 0.7
    ) -> Sequence[tuple[Concept, float]]:
        """The concepts most similar to a vector, the most similar first."""
        among = "SELECT * FROM concepts WHERE uuid IN (SELECT value FROM json_each(?))"
        return self._found(Concept, among, self._search("concept", vector, limit, threshold))

    def concept(self, uuid: str) -> Concept | None:
        """The concept with this id."""
        return self._one(Concept, "SELECT * FROM concepts WHERE uuid = ?", uuid)

    def concepts(self) -> Sequence[Concept]:
        """Every concept, by title."""
        return self._all(Concept, "SELECT * FROM concepts ORDER BY title, uuid")

    def relations(self, of: str | None = None) -> Sequence[Relation]:
        """How a concept relates to others, or all relations; each is stored in both directions."""
        return self._all(Relation, RELATIONS_OF, of) if of else self._all(Relation, RELATIONS)

    def supports(self, of: str | None = None) -> Sequence[Support]:
        """The supporting quotes of a concept, or all of them."""
        return self._all(Support, SUPPORTS_OF, of) if of else self._all(Support, SUPPORTS)

    def commit(self, approved: GraphCommit) -> None:
        """Apply all of it or nothing, with each relation in both directions; repeating it changes nothing."""
        validation.refuse_without_id(approved.concepts)
        relations = validation.with_inverses(approved.relations)
        dropped = validation.with_inverses(approved.dropped_relations)
        with self._writing() as connection:
            connection.executemany(REMOVE_CONCEPT, ((uuid,) for uuid in approved.removed))
            connection.executemany(DROP_RELATION, (one.model_dump() for one in dropped))
            connection.executemany(DROP_SUPPORT, (one.model_dump() for one in approved.dropped_supports))
            rows = self._with_embeddings(connection, approved.concepts, approved.vectors)
            connection.executemany(SAVE_CONCEPT, rows)
            self._refuse_unknown(approved)
            connection.executemany(SAVE_RELATION, (one.model_dump() for one in relations))
            connection.executemany(SAVE_SUPPORT, (one.model_dump() for one in approved.supports))
            connection.execute(PROCESSED, (approved.processed_date, approved.book))

    def version(self) -> int | None:
        """A number that is another one after another program has written."""
        return self._file.outside_version()

    def counts(self) -> dict[str, int]:
        """How many nodes there are by label, and how many links by type; `RELATIONS` are those between concepts."""
        return {row[0]: row[1] for row in self._file.rows(COUNTS)}

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """One transaction; the vectors in memory are discarded after it."""
        with self._file.writing() as connection:
            try:
                yield connection
            finally:
                self._indexes.clear()

    def _with_embeddings(
        self, connection: Connection, items: Iterable[Quote | Concept], vectors: Mapping[str, Vector]
    ) -> list[dict[str, object]]:
        """Rows with their vectors; the first vector that was ever saved decides the length of all."""
        checked = validation.checked_vectors(vectors, self._file.noted("dimensions"))
        if checked:
            length = len(next(iter(checked.values())))
            connection.execute("INSERT OR IGNORE INTO graph VALUES ('dimensions', ?)", (length,))
        blobs = {uuid: vector.tobytes() for uuid, vector in checked.items()}
        return [item.model_dump() | {"embedding": blobs.get(item.uuid)} for item in items]

    def _refuse_unknown(self, approved: GraphCommit) -> None:
        """Raise if the proposal names a concept, quote or book that is not there."""
        for kind, named in validation.referenced_ids(approved).items():
            known = self._file.rows(KNOWN[kind], _listed(named))
            validation.refuse_missing(kind, named, {row[0] for row in known})

    def _search(self, index: IndexName, vector: Vector, limit: int, threshold: float) -> dict[str, float]:
        checked = validation.checked_vector(vector, self._file.noted("dimensions"))
        return dict(self._nearest(index).search(checked, limit=limit, threshold=threshold))

    def _nearest(self, index: IndexName) -> VectorIndex:
        """All vectors of an index in memory, reloaded after any write."""
        with self._file.lock, self._file.reading():
            version = self._file.outside_version()
            if index not in self._indexes or self._indexes[index][0] != version:
                rows = self._file.rows(EMBEDDED[index])
                self._indexes[index] = (
                    version,
                    VectorIndex([row[0] for row in rows], b"".join(row[1] for row in rows)),
                )
            return self._indexes[index][1]

    def _found(self, kind: type[Stored], query: str, scores: Mapping[str, float]) -> list[tuple[Stored, float]]:
        with self._file.reading():
            rows = {row["uuid"]: row for row in self._file.rows(query, _listed(scores))}
            return [(kind.model_validate(dict(rows[uuid])), score) for uuid, score in scores.items() if uuid in rows]

    def _one(self, kind: type[Stored], query: str, *given: str) -> Stored | None:
        return next(iter(self._all(kind, query, *given)), None)

    def _all(self, kind: type[Stored], query: str, *given: str) -> list[Stored]:
        with self._file.reading():
            return [kind.model_validate(dict(row)) for row in self._file.rows(query, *given)]


def _listed(uuids: Iterable[str]) -> str:
    return orjson.dumps(list(uuids)).decode()
