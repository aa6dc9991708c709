"""Exports and imports a whole graph as JSON Lines: nodes, relations and vectors."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from pydantic import ValidationError

from studium.concepts.domain import Concept, ConceptGraph, Content, GraphCommit, Person, Quote, Relation, Support
from studium.concepts.graph_store.validation import Vector
from studium.core.domain.errors import BadInput
from studium.core.files import atomic_write
from studium.core.json_files import UnreadableJson, load_json

ExportLine = dict[str, Any]


@dataclass
class _Book:
    content: Content
    author: Person | None
    quotes: list[Quote] = field(default_factory=list)


@dataclass
class _Whole:
    """The content of a file."""

    books: dict[str, _Book] = field(default_factory=dict)
    concepts: list[Concept] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    supports: list[Support] = field(default_factory=list)
    vectors: dict[str, Vector] = field(default_factory=dict)

    def take(self, line: ExportLine) -> None:
        """Add the content of one line."""
        match line:
            case {"Content": content, "Person": person}:
                book = Content.model_validate(content)
                self.books[book.uuid] = _Book(book, Person.model_validate(person) if person else None)
            case {"Quote": quote, "QUOTED_IN": book, "embedding": embedding}:
                self.books[book].quotes.append(Quote.model_validate(quote))
                self._take_vector(quote["uuid"], embedding)
            case {"Concept": concept, "embedding": embedding}:
                self.concepts.append(Concept.model_validate(concept))
                self._take_vector(concept["uuid"], embedding)
            case {"relation": relation}:
                self.relations.append(Relation.model_validate(relation))
            case {"SUPPORTS": support}:
                self.supports.append(Support.model_validate(support))
            case _:
                raise ValueError("nothing that a graph has")

    def _take_vector(self, uuid: str, embedding: str | None) -> None:
        if embedding:
            self.vectors[uuid] = np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4")


def export_graph(graph: ConceptGraph, target: Path) -> int:
    """Write the graph to a file, completely or not at all; returns the number of lines."""
    with atomic_write(target) as part, part.open("wb") as file:
        return sum(1 for line in _lines(graph) if file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)))


def import_graph(graph: ConceptGraph, source: Path) -> None:
    """Add a file to the graph: nothing if a line is bad, else book by book, then all concepts at once."""
    whole = _read(source)
    for book in whole.books.values():
        vectors = {one.uuid: whole.vectors[one.uuid] for one in book.quotes if one.uuid in whole.vectors}
        graph.save_book(book.content, book.author, book.quotes, vectors)
    graph.commit(
        GraphCommit(
            concepts=tuple(whole.concepts),
            vectors={one.uuid: whole.vectors[one.uuid] for one in whole.concepts if one.uuid in whole.vectors},
            relations=tuple(whole.relations),
            supports=tuple(whole.supports),
        )
    )


def _lines(graph: ConceptGraph) -> Iterator[ExportLine]:
    """Books with their authors and quotes first, then concepts, then their relations and supports."""
    for book in graph.books():
        author = graph.author_of(book.uuid)
        yield {"Content": book.model_dump(), "Person": author and author.model_dump()}
        for line in _embedded("Quote", graph, graph.quotes_of(book.uuid)):
            yield line | {"QUOTED_IN": book.uuid}
    yield from _embedded("Concept", graph, graph.concepts())
    for relation in graph.relations():
        yield {"relation": relation.model_dump()}
    for support in graph.supports():
        yield {"SUPPORTS": support.model_dump()}


def _embedded(label: str, graph: ConceptGraph, items: Sequence[Quote | Concept]) -> Iterator[ExportLine]:
    vectors: Mapping[str, Vector] = graph.vectors_of([item.uuid for item in items])
    for item in items:
        vector = vectors.get(item.uuid)
        embedding = None if vector is None else base64.b64encode(vector.tobytes()).decode()
        yield {label: item.model_dump(), "embedding": embedding}


def _read(source: Path) -> _Whole:
    whole = _Whole()
    try:
        with source.open("rb") as file:
            for number, line in enumerate(file, 1):
                _take(whole, line, f"{source}:{number}")
    except OSError as error:
        raise BadInput(f"{source} cannot be read: {error.strerror}.") from error
    return whole


def _take(whole: _Whole, line: bytes, where: str) -> None:
    try:
        whole.take(load_json(line))
    except (UnreadableJson, ValidationError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{where} is not a line of an exported concept graph.") from error
