"""The graph of concepts for whoever asks again and again: kept open, and read once between two changes."""

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
    from studium.concepts.dependencies import Embed
    from studium.concepts.domain import Concept, ConceptGraph, Content, RelationType
    from studium.concepts.graph_analysis.audit import Audit
    from studium.concepts.graph_analysis.graph_view import GraphSnapshot, GraphView
    from studium.core.app import App
    from studium.core.config import Settings

_MOST_MAPS = 32


@dataclass(frozen=True)
class BookCounts:
    """A book, with how many quotes it has and how many concepts they carry."""

    book: "Content"
    quotes: int
    concepts: int


@dataclass(frozen=True, order=True)
class GraphViewFilter:
    """Which part of the graph a map shows: what is near a concept, what is of a book, what some relations bind."""

    around: str | None = None
    depth: int = 1
    book: str | None = None
    types: "tuple[RelationType, ...]" = ()


class ConceptGraphCache:
    """Answers from what was read last, until another program has written; safe to ask from threads."""

    def __init__(self, settings: "Settings") -> None:
        self._settings = settings
        self._lock = RLock()
        self._graph: ConceptGraph | None = None
        self._version: int | None = None
        self._whole: GraphSnapshot | None = None
        # Drawing takes long, and nobody who asks for anything else is to wait for it.
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
        """Let go of the graph."""
        with self._lock:
            if self._graph:
                self._graph.close()
            self._graph = None

    def whole(self) -> "GraphSnapshot":
        """All of the graph but its vectors."""
        from studium.concepts.graph_analysis.graph_view import read_snapshot

        with self._lock:
            version = self.graph.version()
            if self._whole is None or version is None or version != self._version:
                self._version, self._whole = version, read_snapshot(self.graph)
            return self._whole

    def map(self, region: GraphViewFilter) -> bytes:
        """A map as `Atlas` writes it in JSON; one that was drawn is not drawn again."""
        with self._drawing:
            whole = self.whole()
            if whole is not self._drawn:
                self._drawn, self._maps = whole, {}
            if region not in self._maps:
                while len(self._maps) >= _MOST_MAPS:
                    del self._maps[next(iter(self._maps))]
                self._maps[region] = _drawn(whole, region) if region != GraphViewFilter() else self._kept(whole)
            return self._maps[region]

    def _kept(self, whole: "GraphSnapshot") -> bytes:
        """The map of all, kept in a file for the next start; when it must be drawn anew, the last one is begun from."""
        from studium.core.domain.errors import StorageFailed
        from studium.core.files import atomic_write

        file = self._settings.home / "maps" / f"{_fingerprint(whole)}.json"
        if _read(file):
            return file.read_bytes()
        older = list(file.parent.glob("*.json"))
        drawn = _drawn(whole, GraphViewFilter(), next(filter(None, map(_read, older)), None))
        # Where it cannot be kept it is shown all the same, and drawn anew at the next start.
        with suppress(StorageFailed, OSError):
            with atomic_write(file) as part:
                part.write_bytes(drawn)
            for old in older:
                if old != file:
                    old.unlink(missing_ok=True)
        return drawn

    def concepts(self, book: str | None = None) -> "list[Concept]":
        """Every concept by title, or those of a book."""
        whole = self.whole()
        if book is None:
            return list(whole.concepts.values())
        return [
            concept
            for uuid, concept in whole.concepts.items()
            if any(whole.book_of[quote].uuid == book for quote in whole.carrying[uuid] if quote in whole.book_of)
        ]

    def concept(self, name: str) -> ConceptDetails:
        """A concept (by id, by title, or by the beginning of one), with all that belongs to it."""
        from studium.concepts.search import pick_concept

        whole = self.whole()
        concept = whole.concepts.get(name) or pick_concept(list(whole.concepts.values()), name)
        relations = self.graph.relations(concept.uuid)
        supports = self.graph.supports(concept.uuid)
        return ConceptDetails(
            concept,
            [(each, whole.concepts[each.target].title) for each in relations if each.target in whole.concepts],
            [
                (each, whole.quotes[each.quote], whole.book_of[each.quote])
                for each in supports
                if each.quote in whole.quotes
            ],
        )

    def book(self, name: str) -> "Content":
        """The book that is meant: by id, by title, or by the beginning of one."""
        from studium.concepts.search import pick_book

        whole = self.whole()
        return whole.books.get(name) or pick_book(list(whole.books.values()), name)

    def books(self) -> list[BookCounts]:
        """Every book by title."""
        whole = self.whole()
        quotes = Counter(book.uuid for book in whole.book_of.values())
        concepts = Counter(book.uuid for uuid in whole.concepts for book in whole.books_of(uuid))
        return [BookCounts(book, quotes[uuid], concepts[uuid]) for uuid, book in whole.books.items()]

    def counts(self) -> dict[str, int]:
        """How many nodes there are by label, and how many links by type."""
        return self.graph.counts()

    def search(self, embed: "Embed", text: str, limit: int) -> "Sequence[tuple[Concept, float]]":
        """The concepts that say this, best first."""
        from studium.concepts.search import find_concepts

        return find_concepts(self.graph, embed, text, limit)

    def audit(self, embed: "Embed") -> "Audit":
        """The graph, looked over."""
        from studium.concepts.search import audit_concepts

        return audit_concepts(self.graph, embed)


def _drawn(whole: "GraphSnapshot", region: GraphViewFilter, last: "GraphView | None" = None) -> bytes:
    from studium.concepts.graph_analysis.graph_view import graph_view_of

    drawn = graph_view_of(
        whole, around=region.around, depth=region.depth, book=region.book, types=region.types, last=last
    )
    return drawn.model_dump_json().encode()


def _read(file: Path) -> "GraphView | None":
    """A map that was kept, if it can still be read."""
    from studium.concepts.graph_analysis.graph_view import GraphView

    try:
        return GraphView.model_validate_json(file.read_bytes())
    except (OSError, ValueError):
        return None


def _fingerprint(whole: "GraphSnapshot") -> str:
    """Names all that a map shows, and the version that drew it."""
    shown = blake2b(__version__.encode(), digest_size=16)
    for concept in whole.concepts.values():
        books = [(book.uuid, book.title) for book in whole.books_of(concept.uuid)]
        shown.update(repr((concept.model_dump_json(), books)).encode())
    for relation in whole.relations:
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
