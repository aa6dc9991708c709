"""The documents of a run cut into chunks, and the chunks that prove each answer: what retrieval is scored by."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Self

from studium.core.documents.registry import read_document
from studium.core.domain.document import Document, Passage
from studium.core.domain.finding import Evidence
from studium.core.domain.value import Value
from studium.core.text.locate import locate
from studium.questions.domain import QAPair


class Chunk(Value):
    """A paragraph, list, table or code block of a document; long paragraphs are cut between sentences.

    `start` and `end` are characters of the document's text, as Studium reads it; `None` where the document could not
    be opened again, and the chunk is the quote alone. The id is a hash of the text.
    """

    id: str
    document: str
    text: str
    start: int | None = None
    end: int | None = None
    heading: str = ""
    kind: str = "text"
    line: int | None = None
    page: int | None = None


@dataclass(frozen=True)
class ChunkedCorpus:
    """The chunks of the documents that could be opened; `missing` are the others."""

    documents: dict[str, Document] = field(default_factory=dict)
    missing: tuple[str, ...] = ()

    @classmethod
    def read(cls, paths: Iterable[str]) -> Self:
        """Open these documents again."""
        found, missing = {}, []
        for path in dict.fromkeys(paths):
            document = read_document(Path(path)).document
            if document is None:
                missing.append(path)
            else:
                found[path] = document
        return cls(found, tuple(missing))

    def chunks(self) -> Iterable[Chunk]:
        """Every chunk of every document, in order."""
        for path, passages in self._passages.items():
            for passage in passages:
                yield _chunk(path, passage)

    def contexts(self, pair: QAPair) -> tuple[Chunk, ...]:
        """The chunks that hold the evidence of a pair, each once; the bare quote where its document has changed."""
        found = [chunk for evidence in pair.evidence for chunk in self._around(pair.source_document, evidence)]
        return tuple(dict.fromkeys(found))

    @cached_property
    def _passages(self) -> dict[str, tuple[Passage, ...]]:
        return {path: document.passages() for path, document in self.documents.items()}

    def _around(self, path: str, evidence: Evidence) -> list[Chunk]:
        if passages := self._passages_with(path, evidence):
            return [_chunk(path, passage) for passage in passages]
        where = evidence.where
        return [Chunk(id=evidence.passage, document=path, text=evidence.quote, line=where.line, page=where.page)]

    def _passages_with(self, path: str, evidence: Evidence) -> tuple[Passage, ...]:
        """The passage that the evidence names, if it still holds the quote; else wherever the quote is now."""
        if path not in self.documents:
            return ()
        named = [each for each in self._passages[path] if each.id == evidence.passage]
        holding = [each for each in named if locate(each.text, evidence.quote)]
        line = evidence.where.line or 0
        nearest = min(holding, key=lambda each: abs((each.where.line or 0) - line), default=None)
        return (nearest,) if nearest else self.documents[path].passages_around(evidence.quote)


def _chunk(path: str, passage: Passage) -> Chunk:
    return Chunk(
        id=passage.id,
        document=path,
        text=passage.text,
        start=passage.start,
        end=passage.end,
        heading=passage.heading,
        kind=passage.kind,
        line=passage.where.line,
        page=passage.where.page,
    )
