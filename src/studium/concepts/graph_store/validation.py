"""Checks that every store makes before it writes."""

from collections.abc import Collection, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from studium.concepts.domain import Concept, Content, GraphCommit, Person, Quote, Relation
from studium.core.domain.errors import BadInput, BadSettings, NotFound

Vector = NDArray[np.float32]
_REEMBED = "Use the embedder that this graph was made with, or start another graph."


def with_inverses(relations: Iterable[Relation]) -> list[Relation]:
    """Each relation with its inverse; a direction that is given explicitly keeps its own reasoning."""
    given = {(one.source, one.target, one.type): one for one in relations}
    for one in given.values():
        if one.source == one.target:
            raise BadInput(f"The concept {one.source} cannot relate to itself ({one.type}).")
    inverses = {
        (one.target, one.source, one.type.inverse): one.model_copy(
            update={"source": one.target, "target": one.source, "type": one.type.inverse}
        )
        for one in given.values()
    }
    return list((inverses | given).values())


def referenced_ids(approved: GraphCommit) -> dict[str, set[str]]:
    """What must be in the graph before this can be saved, by kind."""
    ends = {end for one in approved.relations for end in (one.source, one.target)}
    return {
        "concept": ends | {one.concept for one in approved.supports},
        "quote": {one.quote for one in approved.supports},
        "book": {approved.book} if approved.book else set(),
    }


def refuse_missing(kind: str, named: Collection[str], known: Collection[str]) -> None:
    """Raise if something is named that is not in the graph."""
    if missing := sorted(set(named) - set(known)):
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise NotFound(f"The graph has no {kind} {missing[0]}{more}.", remedy="Save what is named first.")


def refuse_without_id(items: Iterable[Content | Person | Quote | Concept]) -> None:
    """Raise if something to be saved has no id."""
    for item in items:
        if not item.uuid:
            raise BadInput(f"A {type(item).__name__} without an id cannot be saved.")


def checked_vectors(vectors: Mapping[str, Vector], dimensions: int | None) -> dict[str, Vector]:
    """The vectors as float32, all of one length, and each with a direction."""
    checked: dict[str, Vector] = {}
    for uuid, vector in vectors.items():
        checked[uuid] = checked_vector(vector, dimensions)
        dimensions = len(checked[uuid])
    return checked


def checked_vector(vector: Vector, dimensions: int | None) -> Vector:
    """The vector as float32, if it has the length that the graph uses, and a direction."""
    row = np.ascontiguousarray(vector, dtype="<f4")
    if dimensions not in (None, row.size):
        told = f"The graph's vectors have {dimensions} dimensions; this embedder gives {row.size}."
        raise BadSettings(told, remedy=_REEMBED)
    if row.ndim != 1 or not np.isfinite(row).all() or not row.any():
        raise BadInput("A vector must be one row of finite numbers, not all of them zero.")
    return row


def find_book(books: Iterable[Content], title: str, author: str) -> Content | None:
    """The first book with this title, and by this author if one is named."""
    return next((one for one in books if _same(one.title, title) and (not author or _same(one.author, author))), None)


def find_person(people: Iterable[Person], name: str) -> Person | None:
    """The first person with this name."""
    return next((one for one in people if _same(one.name, name)), None)


def _same(one: str, other: str) -> bool:
    return " ".join(one.casefold().split()) == " ".join(other.casefold().split())
