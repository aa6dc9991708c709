"""All that a graph tells about its concepts, asked for in a few calls."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from studium.domain.concept import Concept, ConceptGraph, Content, Relation
from studium.workflows.concepts.notes.composing import Known, Passage


@dataclass(frozen=True)
class Telling:
    """The concepts by id, and what each rests on and relates to."""

    concepts: dict[str, Concept]
    titles: dict[str, str]
    relations: dict[str, list[Relation]]
    passages: dict[str, list[Passage]]

    @classmethod
    def of(cls, graph: ConceptGraph) -> "Telling":
        """Ask a graph for everything that notes tell."""
        concepts = {concept.uuid: concept for concept in graph.concepts()}
        relations: dict[str, list[Relation]] = defaultdict(list)
        for relation in graph.relations():
            relations[relation.source].append(relation)
        return cls(concepts, {uuid: concept.title for uuid, concept in concepts.items()}, relations, _passages(graph))

    def with_relatives(self, uuids: Sequence[str] | None) -> list[str]:
        """These concepts and those they relate to, as far as the graph has them, in its order; `None` is all."""
        if uuids is None:
            return list(self.concepts)
        named = set(uuids)
        near = {relation.target for uuid in named for relation in self.relations.get(uuid, ())} | named
        return [uuid for uuid in self.concepts if uuid in near]

    def known(self, uuid: str) -> Known:
        """All that the note of a concept tells."""
        return Known(self.concepts[uuid], self.passages.get(uuid, ()), self.relations.get(uuid, ()))

    def books_of(self, uuid: str) -> list[str]:
        """The titles of the books that a concept comes from."""
        return list(dict.fromkeys(passage.book.title for passage in self.passages.get(uuid, ())))


def _passages(graph: ConceptGraph) -> dict[str, list[Passage]]:
    """What each concept rests on, in the order of the books."""
    carried: dict[str, list[str]] = defaultdict(list)
    for support in graph.supports():
        carried[support.quote].append(support.concept)
    passages: dict[str, list[Passage]] = defaultdict(list)
    for book in graph.books():
        named = _with_author(graph, book)
        for quote in graph.quotes_of(book.uuid):
            for concept in carried.get(quote.uuid, ()):
                passages[concept].append(Passage(quote, named))
    return passages


def _with_author(graph: ConceptGraph, book: Content) -> Content:
    if book.author or not (author := graph.author_of(book.uuid)):
        return book
    return book.model_copy(update={"author": author.name})
