"""Books, quotes, concepts and relations; the graph that stores them; and their ids."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol
from unicodedata import normalize
from uuid import UUID, uuid5

from pydantic import Field

from studium.core.domain.value import Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class RelationType(StrEnum):
    """How one concept relates to another."""

    GENERALIZES = "GENERALIZES"
    SPECIFIC_OF = "SPECIFIC_OF"
    PART_OF = "PART_OF"
    HAS_PART = "HAS_PART"
    OPPOSES = "OPPOSES"
    SIMILAR_TO = "SIMILAR_TO"
    RELATES_TO = "RELATES_TO"
    SUPPORTS = "SUPPORTS"
    SUPPORTED_BY = "SUPPORTED_BY"

    @property
    def inverse(self) -> "RelationType":
        """How the other concept relates to the one; a symmetric relation is its own inverse."""
        return _INVERSES.get(self, self)


_PAIRS = (
    (RelationType.GENERALIZES, RelationType.SPECIFIC_OF),
    (RelationType.PART_OF, RelationType.HAS_PART),
    (RelationType.SUPPORTS, RelationType.SUPPORTED_BY),
)
_INVERSES = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}


class Quote(Value):
    """A passage a reader highlighted, with its place in the book and the reader's note."""

    uuid: str = ""
    text: str = Field(min_length=1)
    section: str = ""
    page_reference: str = ""
    note: str = ""
    line: int | None = None
    created_at: str | None = None


class Person(Value):
    """Who wrote a book."""

    uuid: str = ""
    name: str
    occupation: str = "Author"
    summary: str = ""
    summary_short: str = ""


class Content(Value):
    """A book, or any other quoted source."""

    uuid: str = ""
    name: str
    title: str
    author: str = ""
    summary: str = ""
    summary_short: str = ""
    category: str = "BOOK"
    status: str = ""
    processed_date: str | None = None


class Concept(Value):
    """One idea: its text, an analysis, and where it comes from."""

    uuid: str = ""
    name: str
    title: str
    concept: str = ""
    analysis: str = ""
    summary: str = ""
    summary_short: str = ""
    source: str = ""


class Relation(Value):
    """A relation of one concept to another, and why."""

    source: str
    target: str
    type: RelationType
    reasoning: str = ""
    confidence: float | None = Field(default=None, ge=0, le=1)


class Support(Value):
    """A quote that supports a concept, and why."""

    quote: str
    concept: str
    reasoning: str = ""
    confidence: float | None = Field(default=None, ge=0, le=1)


@dataclass(frozen=True, kw_only=True)
class GraphCommit:
    """An approved change to the graph: concepts, relations and supports to write or remove, all at once.

    Removals come first: a concept that is removed and given is created again. Relations are dropped in both directions.
    Without a `processed_date` the book keeps the one it has; with an empty one it counts as never processed.
    """

    concepts: tuple[Concept, ...] = ()
    vectors: "Mapping[str, NDArray[np.float32]]" = field(default_factory=dict)
    relations: tuple[Relation, ...] = ()
    supports: tuple[Support, ...] = ()
    removed: tuple[str, ...] = ()
    dropped_relations: tuple[Relation, ...] = ()
    dropped_supports: tuple[Support, ...] = ()
    book: str | None = None
    processed_date: str | None = None


class ConceptGraph(Protocol):
    """Stores books, quotes and concepts; every call may wait for a disk or a server.

    Ids are the caller's. Similarity is the cosine, from -1 to 1, whatever the store says. Safe to call from threads.
    """

    def version(self) -> int | None:
        """A number that changes whenever another program writes; None if the store does not know."""
        ...

    def save_book(
        self,
        book: Content,
        author: Person | None,
        quotes: Sequence[Quote],
        vectors: "Mapping[str, NDArray[np.float32]]",
    ) -> None:
        """Save or update a book with its author and quotes; vectors that are not given stay."""
        ...

    def remove_quotes(self, quotes: Sequence[str]) -> None:
        """Drop quotes, and with them what they support."""
        ...

    def remove_book(self, uuid: str) -> None:
        """Drop a book with its quotes, and its author if no other book is theirs; concepts stay."""
        ...

    def book(self, uuid: str) -> Content | None:
        """The book with this id."""
        ...

    def find_book(self, title: str, author: str = "") -> Content | None:
        """The book with this title, and by this author if one is named; case is ignored."""
        ...

    def books(self) -> Sequence[Content]:
        """Every book, by title."""
        ...

    def author_of(self, book: str) -> Person | None:
        """Who wrote a book, if that is known."""
        ...

    def find_author(self, name: str) -> Person | None:
        """The person with this name; case is ignored."""
        ...

    def quotes_of(self, book: str) -> Sequence[Quote]:
        """The quotes of a book, in the order in which they were given."""
        ...

    def vectors_of(self, uuids: Sequence[str]) -> "dict[str, NDArray[np.float32]]":
        """The vectors of quotes and concepts, for those that have one."""
        ...

    def search_quotes(
        self, vector: "NDArray[np.float32]", *, limit: int = 50, threshold: float = 0.7
    ) -> Sequence[tuple[Quote, float]]:
        """The quotes most similar to a vector, the most similar first."""
        ...

    def search_concepts(
        self, vector: "NDArray[np.float32]", *, limit: int = 50, threshold: float = 0.7
    ) -> Sequence[tuple[Concept, float]]:
        """The concepts most similar to a vector, the most similar first."""
        ...

    def concept(self, uuid: str) -> Concept | None:
        """The concept with this id."""
        ...

    def concepts(self) -> Sequence[Concept]:
        """Every concept, by title."""
        ...

    def relations(self, of: str | None = None) -> Sequence[Relation]:
        """How a concept relates to others, or all relations; each is stored in both directions."""
        ...

    def supports(self, of: str | None = None) -> Sequence[Support]:
        """The supporting quotes of a concept, or all of them."""
        ...

    def commit(self, approved: GraphCommit) -> None:
        """Apply all of it or nothing, with each relation in both directions; repeating it changes nothing."""
        ...

    def counts(self) -> dict[str, int]:
        """How many nodes there are by label, and how many links by type; `RELATIONS` are those between concepts."""
        ...

    def close(self) -> None:
        """Close the file or the connection."""
        ...


UUID_NAMESPACE = UUID("6f0c7d52-4b1e-5f3a-9d0e-2a61c1b7f8e4")

_PARTED = "\x1f"
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_MARKS = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a", '"')
    | dict.fromkeys("\u2010\u2011\u2013\u2014", "-")
)


def author_uuid(name: str) -> str:
    """The id of an author."""
    return _uuid("author", name)


def book_uuid(title: str, author: str) -> str:
    """The id of a book."""
    return _uuid("book", title, author)


def quote_uuid(book: str, text: str) -> str:
    """The id of a quote of the book with this id."""
    return _uuid("quote", book, text)


def concept_uuid(book: str, title: str, quote_uuids: Iterable[str]) -> str:
    """The id of a concept that was found in these quotes of a book, whatever their order."""
    return _uuid("concept", book, title, *sorted(set(quote_uuids)))


def _uuid(kind: str, *parts: str) -> str:
    return str(uuid5(UUID_NAMESPACE, _PARTED.join((kind, *map(_normal, parts)))))


def _normal(text: str) -> str:
    """A text without differences in case, white space and punctuation style; accents stay."""
    visible = _INVISIBLE.sub("", normalize("NFC", text)).translate(_MARKS)
    return " ".join(normalize("NFC", visible.casefold()).split())
