"""The concept graph in Neo4j 5, with its own vector indexes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from studium.concepts.domain import Concept, Content, GraphCommit, Person, Quote, Relation, RelationType, Support
from studium.concepts.graph_store import cypher, validation
from studium.concepts.graph_store.validation import Vector
from studium.core.domain.errors import BadSettings, ServiceDown, StorageFailed
from studium.core.domain.value import Value
from studium.core.extras import needs_extra

if TYPE_CHECKING:
    from neo4j import Driver, ManagedTransaction


_START = "Start Neo4j, and check the address, user and password; or keep concepts in SQLite."
_CORRECT = "Correct the user and the password of Neo4j."
_LET_IN = {
    "CredentialsExpired": "Neo4j wants a password of your own first: open its browser page, log in, and set one.",
    "AuthenticationRateLimit": "Wait a few seconds, then give the right password.",
}


@dataclass(frozen=True, kw_only=True)
class Neo4jAddress:
    """The address of a Neo4j server and the login; without a user, no password is sent."""

    uri: str = "bolt://localhost:7687"
    user: str = ""
    password: str = ""
    database: str = "neo4j"
    timeout: float = 10


class Neo4jServer:
    """A pool of connections to one database; temporary failures are retried."""

    def __init__(self, address: Neo4jAddress) -> None:
        self._address = address
        self._driver = _driver(address)
        try:
            with self._told_plainly():
                self._driver.verify_connectivity()
        except BaseException:
            self._driver.close()
            raise

    def ask(self, query: str, **given: Any) -> list[dict[str, Any]]:
        """The rows that a query gives."""
        with self._told_plainly():
            answer = self._driver.execute_query(query, given, database_=self._address.database)
            return [row.data() for row in answer.records]

    def write(self, work: "Callable[[ManagedTransaction], None]") -> None:
        """Do the work in one transaction, all or nothing."""
        with (
            self._told_plainly(),
            self._driver.session(
                database=self._address.database, bookmark_manager=self._driver.execute_query_bookmark_manager
            ) as session,
        ):
            session.execute_write(work)

    def close(self) -> None:
        """Close all connections."""
        self._driver.close()

    @contextmanager
    def _told_plainly(self) -> Iterator[None]:
        """Turn the server's errors into our own, which name the server."""
        from neo4j.exceptions import DriverError, Neo4jError

        place = f"Neo4j at {self._address.uri}"
        try:
            yield
        except DriverError as error:
            raise ServiceDown(f"{place} does not answer: {error}", remedy=_START) from error
        except Neo4jError as error:
            group, _, reason = (error.code or "").rpartition(".")
            if group == "Neo.ClientError.Security":
                told = f"{place} refuses the user {self._address.user!r} or the password ({reason})."
                raise ServiceDown(told, remedy=_LET_IN.get(reason, _CORRECT)) from error
            if error.is_retryable():
                raise ServiceDown(f"{place} could not finish: {error.message}", remedy=_START) from error
            raise StorageFailed(f"{place} refused: {error.message}") from error


def _driver(address: Neo4jAddress) -> "Driver":
    with needs_extra("neo4j", "Keeping concepts in Neo4j"):
        import neo4j
        from neo4j.exceptions import ConfigurationError
    try:
        return neo4j.GraphDatabase.driver(
            address.uri,
            auth=(address.user, address.password) if address.user else None,
            connection_timeout=address.timeout,
            connection_acquisition_timeout=address.timeout,
            max_transaction_retry_time=address.timeout,
            # The server warns about labels that no node has yet.
            notifications_min_severity="OFF",
        )
    except (ConfigurationError, ValueError) as error:
        raise BadSettings(f"{address.uri!r} is not the address of a Neo4j server: {error}") from error


Stored = TypeVar("Stored", bound=Value)
Row = dict[str, Any]
_BATCH = 500
_DIMENSIONS = 1024
_CANDIDATES = 200


class Neo4jConceptGraph:
    """Stores the graph on a server, which many may use at once."""

    def __init__(self, address: Neo4jAddress, *, dimensions: int = _DIMENSIONS) -> None:
        self._dimensions = dimensions
        self._server = Neo4jServer(address)
        try:
            self._prepare()
        except BaseException:
            self._server.close()
            raise

    def save_book(
        self, book: Content, author: Person | None, quotes: Sequence[Quote], vectors: Mapping[str, Vector]
    ) -> None:
        """Save or update a book with its author and quotes; vectors that are not given stay."""
        validation.refuse_without_id([book, *quotes, *([author] if author else [])])
        embeddings = self._embeddings(quotes, vectors)
        rows = _quote_rows(quotes)

        def work(transaction: "ManagedTransaction") -> None:
            # A book that is saved again without the date keeps the date.
            properties = book.model_dump(exclude_none=True)
            transaction.run(cypher.SAVE_CONTENT, uuid=book.uuid, properties=properties).consume()
            if author:
                person = author.model_dump()
                transaction.run(cypher.SAVE_PERSON, book=book.uuid, uuid=author.uuid, properties=person).consume()
            _in_batches(transaction, cypher.SAVE_QUOTES, rows, book=book.uuid)
            _in_batches(transaction, cypher.EMBED["Quote"], embeddings)

        self._server.write(work)

    def remove_quotes(self, quotes: Sequence[str]) -> None:
        """Drop quotes, and with them what they support."""
        self._server.ask(cypher.REMOVE_QUOTES, uuids=list(quotes))

    def remove_book(self, uuid: str) -> None:
        """Drop a book with its quotes, and its author if no other book is theirs; concepts stay."""

        def work(transaction: "ManagedTransaction") -> None:
            for statement in cypher.REMOVE_BOOK:
                transaction.run(statement, uuid=uuid).consume()

        self._server.write(work)

    def book(self, uuid: str) -> Content | None:
        """The book with this id."""
        return self._one(Content, cypher.BOOK, uuid)

    def find_book(self, title: str, author: str = "") -> Content | None:
        """The book with this title, and by this author if one is named; case is ignored."""
        return validation.find_book(self.books(), title, author)

    def books(self) -> Sequence[Content]:
        """Every book, by title."""
        return self._all(Content, cypher.BOOKS)

    def author_of(self, book: str) -> Person | None:
        """Who wrote a book, if that is known."""
        return self._one(Person, cypher.AUTHOR_OF, book)

    def find_author(self, name: str) -> Person | None:
        """The person with this name; case is ignored."""
        return validation.find_person(self._all(Person, cypher.PEOPLE), name)

    def quotes_of(self, book: str) -> Sequence[Quote]:
        """The quotes of a book, in the order in which they were given."""
        return self._all(Quote, cypher.QUOTES_OF, book)

    def vectors_of(self, uuids: Sequence[str]) -> dict[str, Vector]:
        """The vectors of quotes and concepts, for those that have one."""
        rows = self._server.ask(cypher.VECTORS_OF, uuids=list(uuids))
        return {row["uuid"]: np.array(row["vector"], dtype="<f4") for row in rows}

    def search_quotes(
        self, vector: Vector, *, limit: int = 50, threshold: float = 0.7
    ) -> Sequence[tuple[Quote, float]]:
        """The quotes most similar to a vector, the most similar first."""
        return self._search(Quote, "quote_embeddings_index", vector, limit, threshold)

    def search_concepts(
        self, vector: Vector, *, limit: int = 50, threshold: float = 0.7
    ) -> Sequence[tuple[Concept, float]]:
        """The concepts most similar to a vector, the most similar first."""
        return self._search(Concept, "concept_embeddings_index", vector, limit, threshold)

    def concept(self, uuid: str) -> Concept | None:
        """The concept with this id."""
        return self._one(Concept, cypher.CONCEPT, uuid)

    def concepts(self) -> Sequence[Concept]:
        """Every concept, by title."""
        return self._all(Concept, cypher.CONCEPTS)

    def relations(self, of: str | None = None) -> Sequence[Relation]:
        """How a concept relates to others, or all relations; each is stored in both directions."""
        return self._all(Relation, cypher.RELATIONS_OF if of else cypher.RELATIONS, of)

    def supports(self, of: str | None = None) -> Sequence[Support]:
        """The supporting quotes of a concept, or all of them."""
        return self._all(Support, cypher.SUPPORTS_OF if of else cypher.SUPPORTS, of)

    def commit(self, approved: GraphCommit) -> None:
        """Apply all of it or nothing, with each relation in both directions; repeating it changes nothing."""
        validation.refuse_without_id(approved.concepts)
        embeddings = self._embeddings(approved.concepts, approved.vectors)
        concepts = [{"uuid": one.uuid, "properties": one.model_dump()} for one in approved.concepts]
        relations = validation.with_inverses(approved.relations)
        dropped = validation.with_inverses(approved.dropped_relations)

        def work(transaction: "ManagedTransaction") -> None:
            transaction.run(cypher.REMOVE_CONCEPTS, uuids=list(approved.removed)).consume()
            _by_type(transaction, cypher.DROP_RELATIONS, dropped)
            _in_batches(transaction, cypher.DROP_SUPPORTS, [one.model_dump() for one in approved.dropped_supports])
            _in_batches(transaction, cypher.SAVE_CONCEPTS, concepts)
            _in_batches(transaction, cypher.EMBED["Concept"], embeddings)
            _refuse_unknown(transaction, approved)
            _by_type(transaction, cypher.SAVE_RELATIONS, relations)
            _in_batches(transaction, cypher.SAVE_SUPPORTS, [one.model_dump() for one in approved.supports])
            transaction.run(cypher.PROCESSED, book=approved.book, date=approved.processed_date).consume()

        self._server.write(work)

    def version(self) -> int | None:
        """None: the server does not say when others have written."""
        return None

    def counts(self) -> dict[str, int]:
        """How many nodes there are by label, and how many links by type; `RELATIONS` are those between concepts."""
        return self._server.ask(cypher.COUNTS)[0]

    def close(self) -> None:
        """Close the connection."""
        self._server.close()

    def _prepare(self) -> None:
        for statement in cypher.SCHEMA:
            self._server.ask(statement)
        for statement in cypher.VECTOR_INDEXES:
            self._server.ask(statement, dimensions=self._dimensions)
        self._server.ask("CALL db.awaitIndexes(300)")
        for row in self._server.ask(cypher.DIMENSIONS):
            if row["dimensions"] != self._dimensions:
                told = f"The vector indexes on Neo4j have {row['dimensions']} dimensions; we need {self._dimensions}."
                raise BadSettings(told, remedy="Use the embedder that this graph was made with, or another database.")

    def _embeddings(self, items: Sequence[Quote | Concept], vectors: Mapping[str, Vector]) -> list[Row]:
        checked = validation.checked_vectors(vectors, self._dimensions)
        kept = (item.uuid for item in items if item.uuid in checked)
        return [{"uuid": uuid, "embedding": checked[uuid].tolist()} for uuid in kept]

    def _search(
        self, kind: type[Stored], index: str, vector: Vector, limit: int, threshold: float
    ) -> list[tuple[Stored, float]]:
        """Converts between the cosine, which callers use, and Neo4j's score, (1 + cosine) / 2."""
        if limit < 1:
            return []
        query = validation.checked_vector(vector, self._dimensions).tolist()
        candidates = max(_CANDIDATES, 4 * limit)
        given = {"index": index, "vector": query, "limit": limit, "candidates": candidates}
        rows = self._server.ask(cypher.SEARCH, **given, threshold=(1 + threshold) / 2)
        return [(_kept(kind, row["node"]), 2 * row["score"] - 1) for row in rows]

    def _one(self, kind: type[Stored], query: str, uuid: str) -> Stored | None:
        return next(iter(self._all(kind, query, uuid)), None)

    def _all(self, kind: type[Stored], query: str, uuid: str | None = None) -> list[Stored]:
        return [_kept(kind, row["node"]) for row in self._server.ask(query, uuid=uuid)]


def _kept(kind: type[Stored], node: Mapping[str, Any]) -> Stored:
    """Our properties of a node; other programs may have added more."""
    return kind.model_validate({name: node[name] for name in kind.model_fields if node.get(name) is not None})


def _quote_rows(quotes: Sequence[Quote]) -> list[Row]:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return [
        {
            "uuid": quote.uuid,
            "properties": quote.model_dump(exclude={"created_at"}),
            "created_at": quote.created_at or now,
            "position": position,
        }
        for position, quote in enumerate(quotes)
    ]


def _in_batches(transaction: "ManagedTransaction", query: str, rows: Sequence[Row], **given: Any) -> None:
    for start in range(0, len(rows), _BATCH):
        transaction.run(query, rows=rows[start : start + _BATCH], **given).consume()


def _by_type(
    transaction: "ManagedTransaction", queries: Mapping[RelationType, str], relations: Iterable[Relation]
) -> None:
    by_type = attrgetter("type")
    for type_, some in groupby(sorted(relations, key=by_type), key=by_type):
        _in_batches(transaction, queries[type_], [one.model_dump() for one in some])


def _refuse_unknown(transaction: "ManagedTransaction", approved: GraphCommit) -> None:
    """Raise, and so undo everything, if the proposal names a concept, quote or book that is not there."""
    for kind, named in validation.referenced_ids(approved).items():
        known = transaction.run(cypher.KNOWN[kind], uuids=list(named))
        validation.refuse_missing(kind, named, {row["uuid"] for row in known})
