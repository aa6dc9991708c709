"""Concepts: what a reader quoted from a book, the ideas that the quotes carry, and how ideas relate."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from pydantic import Field

from studium.domain.value import Value

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
    """A passage a reader kept: as it stands in the book, where in the book, and what the reader wrote beside it."""

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
    """A book, or whatever else was quoted from."""

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
    """One idea, in a reader's own words: what it says, what it means to the reader, and where it comes from."""

    uuid: str = ""
    name: str
    title: str
    concept: str = ""
    analysis: str = ""
    summary: str = ""
    summary_short: str = ""
    source: str = ""


class Relation(Value):
    """That one concept relates to another, and why."""

    source: str
    target: str
    type: RelationType
    reasoning: str = ""
    confidence: float | None = Field(default=None, ge=0, le=1)


class Support(Value):
    """That a quote carries a concept, and why."""

    quote: str
    concept: str
    reasoning: str = ""
    confidence: float | None = Field(default=None, ge=0, le=1)


@dataclass(frozen=True, kw_only=True)
class Approved:
    """What a review let through, to be kept all at once: new and changed concepts, what binds them, and what goes.

    What goes, goes first: a concept that is removed and given is made anew. A dropped relation goes in both directions.
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
