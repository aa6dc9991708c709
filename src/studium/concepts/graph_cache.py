"""Keeps the concept graph open for the server, and reads it once between two changes."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from threading import Lock, RLock
from typing import TYPE_CHECKING

from studium import __version__
from studium.concepts.use_cases import ConceptDetails

if TYPE_CHECKING:
    from studium.concepts.audit import Audit
    from studium.concepts.dependencies import Embed
    from studium.concepts.domain import Concept, ConceptGraph, Content, RelationType
    from studium.concepts.graph_view import GraphSnapshot, GraphView
    from studium.core.app import App
    from studium.core.config import Settings

_MOST_MAPS = 32


@dataclass(frozen=True)
class BookCounts:
    """A book with the number of its quotes and concepts."""

    book: "Content"
    quotes: int
    concepts: int


@dataclass(frozen=True, order=True)
class GraphViewFilter:
    """Which part of the graph a map shows: around a concept, of a book, or of some relation types."""

    around: str | None = None
    depth: int = 1
    book: str | None = None
    types: "tuple[RelationType, ...]" = ()


class ConceptGraphCache:
    """Answers from the last snapshot until another program writes; thread-safe."""

    def __init__(self, settings: "Settings") -> None:
        self._settings = settings
        self._lock = RLock()
        self._graph: ConceptGraph | None = None
        self._version: int | None = None
        self._snapshot: GraphSnapshot | None = None
        # The layout takes long, so it has a lock of its own.
        self._drawing = Lock()
        self._drawn: GraphSnapshot | None = None
        self._maps: dict[GraphViewFilter, bytes] = {}

    @property
    def graph(self) -> "ConceptGraph":
        """The graph, open."""
        from studium.concepts.setup import open_concept_graph

        with self._lock:
            if self._graph is None:
                self._graph = open_concept_graph(self._settings)
            return self._graph

    def close(self) -> None:
        """Close the graph."""
        with self._lock:
            if self._graph:
                self._graph.close()
            self._graph = None

    def snapshot(self) -> "GraphSnapshot":
        """The graph without its vectors."""
        from studium.concepts.graph_view import read_snapshot

        with self._lock:
            version = self.graph.version()
            if self._snapshot is None or version is None or version != self._version:
                self._version, self._snapshot = version, read_snapshot(self.graph)
            return self._snapshot

    def graph_view(self, region: GraphViewFilter) -> bytes:
        """A `GraphView` as JSON, cached by filter."""
        with self._drawing:
            snapshot = self.snapshot()
            if snapshot is not self._drawn:
                self._drawn, self._maps = snapshot, {}
            if region not in self._maps:
                while len(self._maps) >= _MOST_MAPS:
                    del self._maps[next(iter(self._maps))]
                self._maps[region] = _drawn(snapshot, region) if region != GraphViewFilter() else self._kept(snapshot)
            return self._maps[region]

    def _kept(self, snapshot: "GraphSnapshot") -> bytes:
        """The map of the whole graph, cached in a file; a new layout starts from the previous one."""
        from studium.core.domain.errors import StorageFailed
        from studium.core.files import atomic_write

        file = self._settings.home / "maps" / f"{_fingerprint(snapshot)}.json"
        if _read(file):
            return file.read_bytes()
        older = list(file.parent.glob("*.json"))
        drawn = _drawn(snapshot, GraphViewFilter(), next(filter(None, map(_read, older)), None))
        # Without the cache file the map is laid out again at the next start.
        with suppress(StorageFailed, OSError):
            with atomic_write(file) as part:
                part.write_bytes(drawn)
            for old in older:
                if old != file:
                    old.unlink(missing_ok=True)
        return drawn

    def concepts(self, book: str | None = None) -> "list[Concept]":
        """Every concept by title, or those of a book."""
        snapshot = self.snapshot()
        if book is None:
            return list(snapshot.concepts.values())
        return [
            concept
            for uuid, concept in snapshot.concepts.items()
            if any(
                snapshot.book_of[quote].uuid == book for quote in snapshot.quotes_of[uuid] if quote in snapshot.book_of
            )
        ]

    def concept(self, name: str) -> ConceptDetails:
        """A concept by id or title, with its relations and quotes."""
        from studium.concepts.search import pick_concept

        snapshot = self.snapshot()
        concept = snapshot.concepts.get(name) or pick_concept(list(snapshot.concepts.values()), name)
        relations = self.graph.relations(concept.uuid)
        supports = self.graph.supports(concept.uuid)
        return ConceptDetails(
            concept,
            [(each, snapshot.concepts[each.target].title) for each in relations if each.target in snapshot.concepts],
            [
                (each, snapshot.quotes[each.quote], snapshot.book_of[each.quote])
                for each in supports
                if each.quote in snapshot.quotes
            ],
        )

    def book(self, name: str) -> "Content":
        """A book by id or title."""
        from studium.concepts.search import pick_book

        snapshot = self.snapshot()
        return snapshot.books.get(name) or pick_book(list(snapshot.books.values()), name)

    def books(self) -> list[BookCounts]:
        """Every book by title."""
        snapshot = self.snapshot()
        quotes = Counter(book.uuid for book in snapshot.book_of.values())
        concepts = Counter(book.uuid for uuid in snapshot.concepts for book in snapshot.books_of(uuid))
        return [BookCounts(book, quotes[uuid], concepts[uuid]) for uuid, book in snapshot.books.items()]

    def counts(self) -> dict[str, int]:
        """How many nodes there are by label, and how many links by type."""
        return self.graph.counts()

    def search(self, embed: "Embed", text: str, limit: int) -> "Sequence[tuple[Concept, float]]":
        """Concepts that match a text, best first."""
        from studium.concepts.search import find_concepts

        return find_concepts(self.graph, embed, text, limit)

    def audit(self, embed: "Embed") -> "Audit":
        """Audit the graph."""
        from studium.concepts.search import audit_concepts

        return audit_concepts(self.graph, embed)


def _drawn(snapshot: "GraphSnapshot", region: GraphViewFilter, last: "GraphView | None" = None) -> bytes:
    from studium.concepts.graph_view import graph_view_of

    drawn = graph_view_of(
        snapshot, around=region.around, depth=region.depth, book=region.book, types=region.types, last=last
    )
    return drawn.model_dump_json().encode()


def _read(file: Path) -> "GraphView | None":
    """Read a cached map, if possible."""
    from studium.concepts.graph_view import GraphView

    try:
        return GraphView.model_validate_json(file.read_bytes())
    except (OSError, ValueError):
        return None


def _fingerprint(snapshot: "GraphSnapshot") -> str:
    """A hash of everything a map shows, and of the version that made it."""
    shown = blake2b(__version__.encode(), digest_size=16)
    for concept in snapshot.concepts.values():
        books = [(book.uuid, book.title) for book in snapshot.books_of(concept.uuid)]
        shown.update(repr((concept.model_dump_json(), books)).encode())
    for relation in snapshot.relations:
        shown.update(relation.model_dump_json().encode())
    return shown.hexdigest()


def graph_cache(app: "App") -> ConceptGraphCache:
    """The graph of concepts, kept open for as long as the app is."""
    return app.once(_app_graph_cache)


def _app_graph_cache(app: "App") -> ConceptGraphCache:
    return ConceptGraphCache(app.settings)


def count_concepts(app: "App") -> int:
    """How many concepts the graph holds."""
    return graph_cache(app).counts()["Concept"]
