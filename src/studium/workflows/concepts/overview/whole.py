"""The whole graph, read once, for those who look at all of it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from studium.domain.concept import Concept, ConceptGraph, Content, Quote, Relation


@dataclass(frozen=True, kw_only=True)
class WholeGraph:
    """Books, quotes and concepts by id; `carrying` are the quotes of a concept, `book_of` is the book of a quote."""

    books: Mapping[str, Content]
    quotes: Mapping[str, Quote]
    book_of: Mapping[str, Content]
    concepts: Mapping[str, Concept]
    relations: Sequence[Relation]
    carrying: Mapping[str, Sequence[str]]

    def books_of(self, concept: str) -> list[Content]:
        """The books whose quotes carry a concept, by title."""
        books = {book.uuid: book for quote in self.carrying[concept] if (book := self.book_of.get(quote))}
        return sorted(books.values(), key=lambda book: (book.title, book.uuid))


def read_whole(graph: ConceptGraph) -> WholeGraph:
    """Read all of a graph but its vectors."""
    books = {book.uuid: book for book in graph.books()}
    quotes = {quote.uuid: (quote, book) for book in books.values() for quote in graph.quotes_of(book.uuid)}
    concepts = {concept.uuid: concept for concept in graph.concepts()}
    carrying = defaultdict[str, list[str]](list, {uuid: [] for uuid in concepts})
    for support in graph.supports():
        carrying[support.concept].append(support.quote)
    return WholeGraph(
        books=books,
        quotes={uuid: quote for uuid, (quote, _) in quotes.items()},
        book_of={uuid: book for uuid, (_, book) in quotes.items()},
        concepts=concepts,
        relations=graph.relations(),
        carrying=carrying,
    )
