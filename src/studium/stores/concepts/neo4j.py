"""The concept graph in Neo4j 5, with its own vector indexes."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from studium.core.domain.errors import BadSettings
from studium.core.domain.value import Value
from studium.domain.concept import Approved, Concept, Content, Person, Quote, Relation, RelationType, Support
from studium.stores.concepts import checking, cypher, finding
from studium.stores.concepts.checking import Vector
from studium.stores.concepts.neo4jserver import Neo4jAddress, Neo4jServer

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

Kept = TypeVar("Kept", bound=Value)
Row = dict[str, Any]
_BATCH = 500
_DIMENSIONS = 1024
_CANDIDATES = 200


class Neo4jConceptGraph:
    """Keeps the graph on a server, which many may use at once."""

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
        """Keep a book with its author and quotes, or bring what is kept up to date; a vector not given stays."""
        checking.refuse_without_id([book, *quotes, *([author] if author else [])])
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
        """The book with this title, and by this author if one is named; whatever the case of the letters."""
        return finding.book(self.books(), title, author)

    def books(self) -> Sequence[Content]:
        """Every book, by title."""
        return self._all(Content, cypher.BOOKS)

    def author_of(self, book: str) -> Person | None:
        """Who wrote a book, if that is known."""
        return self._one(Person, cypher.AUTHOR_OF, book)

    def find_author(self, name: str) -> Person | None:
        """The person with this name, whatever the case of the letters."""
        return finding.person(self._all(Person, cypher.PEOPLE), name)

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
        """How a concept relates to others, or all relations; each stands in both directions."""
        return self._all(Relation, cypher.RELATIONS_OF if of else cypher.RELATIONS, of)

    def supports(self, of: str | None = None) -> Sequence[Support]:
        """Which quotes carry a concept, or all of them."""
        return self._all(Support, cypher.SUPPORTS_OF if of else cypher.SUPPORTS, of)

    def commit(self, approved: Approved) -> None:
        """Keep all of it or nothing, with each relation in both directions; a second time changes nothing."""
        checking.refuse_without_id(approved.concepts)
        embeddings = self._embeddings(approved.concepts, approved.vectors)
        concepts = [{"uuid": one.uuid, "properties": one.model_dump()} for one in approved.concepts]
        relations = checking.both_ways(approved.relations)
        dropped = checking.both_ways(approved.dropped_relations)

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
        """Nothing: the server does not tell when others have written."""
        return None

    def counts(self) -> dict[str, int]:
        """How many nodes there are by label, and how many links by type; `RELATIONS` are those between concepts."""
        return self._server.ask(cypher.COUNTS)[0]

    def close(self) -> None:
        """Let go of the server."""
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
        checked = checking.checked_vectors(vectors, self._dimensions)
        kept = (item.uuid for item in items if item.uuid in checked)
        return [{"uuid": uuid, "embedding": checked[uuid].tolist()} for uuid in kept]

    def _search(
        self, kind: type[Kept], index: str, vector: Vector, limit: int, threshold: float
    ) -> list[tuple[Kept, float]]:
        """Neo4j's score is (1 + cosine) / 2: what goes in and what comes out is the cosine."""
        if limit < 1:
            return []
        query = checking.checked_vector(vector, self._dimensions).tolist()
        candidates = max(_CANDIDATES, 4 * limit)
        given = {"index": index, "vector": query, "limit": limit, "candidates": candidates}
        rows = self._server.ask(cypher.SEARCH, **given, threshold=(1 + threshold) / 2)
        return [(_kept(kind, row["node"]), 2 * row["score"] - 1) for row in rows]

    def _one(self, kind: type[Kept], query: str, uuid: str) -> Kept | None:
        return next(iter(self._all(kind, query, uuid)), None)

    def _all(self, kind: type[Kept], query: str, uuid: str | None = None) -> list[Kept]:
        return [_kept(kind, row["node"]) for row in self._server.ask(query, uuid=uuid)]


def _kept(kind: type[Kept], node: Mapping[str, Any]) -> Kept:
    """What a node holds of ours; it may hold more, put there by others."""
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


def _refuse_unknown(transaction: "ManagedTransaction", approved: Approved) -> None:
    """Raise, and so undo everything, if the proposal names a concept, quote or book that is not there."""
    for kind, named in checking.named(approved).items():
        known = transaction.run(cypher.KNOWN[kind], uuids=list(named))
        checking.refuse_missing(kind, named, {row["uuid"] for row in known})
