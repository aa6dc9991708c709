"""What can be asked of the graph of concepts: searched, shown, counted, looked over, drawn, moved."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from studium.core.config import Settings
    from studium.domain.concept import Concept, Content, Person, Quote, Relation, RelationType, Support
    from studium.workflows.concepts.overview.atlas import Atlas
    from studium.workflows.concepts.overview.auditing import Audit


@dataclass(frozen=True)
class Shown:
    """A concept with all that belongs to it."""

    concept: "Concept"
    relations: "Sequence[tuple[Relation, str]]"
    supports: "Sequence[tuple[Support, Quote, Content]]"

    def as_json(self) -> dict[str, Any]:
        """The concept for a program: how it relates to others, and the quotes that carry it."""
        relations = [relation.model_dump(mode="json") | {"title": title} for relation, title in self.relations]
        supports = [
            support.model_dump(mode="json") | {"text": quote.text, "page": quote.page_reference, "book": book.title}
            for support, quote, book in self.supports
        ]
        return self.concept.model_dump(mode="json") | {"relations": relations, "supports": supports}


@dataclass(frozen=True)
class Standing:
    """What the graph holds."""

    counts: dict[str, int]
    books: "Sequence[tuple[Content, Person | None, int]]"

    def as_json(self) -> dict[str, Any]:
        """What the graph holds, for a program."""
        books = [book.model_dump(mode="json") | {"quotes": count} for book, _, count in self.books]
        return {"counts": self.counts, "books": books}


async def search(settings: "Settings", text: str, limit: int, *, quotes: bool) -> list[tuple[str, str, float]]:
    """Concepts or quotes by what they say, as (title, text, similarity)."""
    from studium.bootstrap.concepts import concept_graph
    from studium.bootstrap.house import open_house
    from studium.running.concepts.searching import search_concepts, search_quotes

    async with open_house(settings) as house:
        with concept_graph(settings) as graph:
            found = search_quotes if quotes else search_concepts
            return found(graph, house.understanding, text, limit)


def show(settings: "Settings", name: str) -> Shown:
    """A concept with all that belongs to it."""
    from studium.bootstrap.concepts import concept_graph
    from studium.running.concepts.naming import concept_named

    with concept_graph(settings) as graph:
        concept = concept_named(graph, name)
        titles = {each.uuid: each.title for each in graph.concepts()}
        quotes = {quote.uuid: (quote, book) for book in graph.books() for quote in graph.quotes_of(book.uuid)}
        return Shown(
            concept,
            [(relation, titles[relation.target]) for relation in graph.relations(concept.uuid)],
            [(support, *quotes[support.quote]) for support in graph.supports(concept.uuid) if support.quote in quotes],
        )


def stats(settings: "Settings") -> Standing:
    """What the graph holds."""
    from studium.bootstrap.concepts import concept_graph

    with concept_graph(settings) as graph:
        books = [(book, graph.author_of(book.uuid), len(graph.quotes_of(book.uuid))) for book in graph.books()]
        return Standing(graph.counts(), books)


async def audited(settings: "Settings") -> "Audit":
    """The graph, looked over."""
    from studium.bootstrap.concepts import concept_graph
    from studium.bootstrap.house import open_house
    from studium.running.concepts.searching import looked_over

    async with open_house(settings) as house:
        with concept_graph(settings) as graph:
            return looked_over(graph, house.understanding)


def draw(
    settings: "Settings",
    *,
    around: str | None = None,
    depth: int = 1,
    book: str | None = None,
    types: "Sequence[RelationType]" = (),
) -> "Atlas":
    """A map of the graph, or of the neighbourhood of a concept, or of a book: concepts with places, and relations."""
    from studium.bootstrap.concepts import concept_graph
    from studium.running.concepts.naming import book_named, concept_named
    from studium.workflows.concepts.overview.atlas import atlas

    with concept_graph(settings) as graph:
        center = concept_named(graph, around).uuid if around else None
        of = book_named(graph, book).uuid if book else None
        return atlas(graph, around=center, depth=depth, book=of, types=types)


def export(settings: "Settings", file: Path) -> int:
    """Write the whole graph to a file, with its vectors; says how many lines that are."""
    from studium.bootstrap.concepts import concept_graph
    from studium.stores.concepts.transfer import export_graph

    with concept_graph(settings) as graph:
        return export_graph(graph, file)


def import_from(settings: "Settings", file: Path) -> dict[str, int]:
    """Add a graph from a file to the one that is kept; says how much there is now."""
    from studium.bootstrap.concepts import concept_graph
    from studium.stores.concepts.transfer import import_graph

    with concept_graph(settings) as graph:
        import_graph(graph, file)
        return graph.counts()
