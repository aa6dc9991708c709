"""Takes a commit back: what must be written so that the graph is again what it was before."""

import base64
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from studium.core.domain.errors import BadInput
from studium.domain.concept import Approved, Concept, ConceptGraph, Relation, RelationType, Support

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Arrow = tuple[str, str, RelationType]
_VALUES: Mapping[str, type[Concept | Relation | Support]] = {
    "concepts": Concept,
    "relations": Relation,
    "supports": Support,
    "dropped_relations": Relation,
    "dropped_supports": Support,
}


def inverse(graph: ConceptGraph, approved: Approved) -> Approved:
    """What takes this commit back, exactly; to be asked before the commit, while the graph is what it was."""
    given = {one.uuid for one in approved.concepts}
    before = [one for one in graph.concepts() if one.uuid in given or one.uuid in approved.removed]
    vectors = graph.vectors_of([one.uuid for one in before])
    known = {one.uuid for one in before}
    new = given - known
    # A vector can be replaced but not taken away: a concept that had none is made anew, with all that binds it.
    first_vectors = {uuid for uuid in given & known if uuid in approved.vectors and uuid not in vectors}
    back = Approved(
        concepts=tuple(before),
        vectors={one.uuid: vectors[one.uuid] for one in before if one.uuid in vectors},
        removed=tuple(sorted(new | first_vectors)),
        **_processed_before(graph, approved),
    )
    made_anew = first_vectors | set(approved.removed)
    return _with_supports(_with_relations(back, graph, approved, made_anew), graph, approved, made_anew)


def _with_relations(back: Approved, graph: ConceptGraph, approved: Approved, made_anew: set[str]) -> Approved:
    """With every relation as it was, where the commit writes one, drops one, or removes an end of it."""
    kept = {_arrow(one): one for one in graph.relations()}
    written = set(_both_ways(approved.relations))
    touched = written | set(_both_ways(approved.dropped_relations))
    restored = (
        one for arrow, one in kept.items() if arrow in touched or one.source in made_anew or one.target in made_anew
    )
    dropped = (
        Relation(source=source, target=target, type=type_)
        for source, target, type_ in sorted(written - kept.keys())
        if source not in back.removed and target not in back.removed
    )
    return replace(back, relations=tuple(restored), dropped_relations=tuple(dropped))


def _with_supports(back: Approved, graph: ConceptGraph, approved: Approved, made_anew: set[str]) -> Approved:
    """With every support as it was, where the commit writes one, drops one, or removes its concept."""
    kept = {(one.quote, one.concept): one for one in graph.supports()}
    written = {(one.quote, one.concept) for one in approved.supports}
    touched = written | {(one.quote, one.concept) for one in approved.dropped_supports}
    restored = (one for pair, one in kept.items() if pair in touched or one.concept in made_anew)
    dropped = (
        Support(quote=quote, concept=concept)
        for quote, concept in sorted(written - kept.keys())
        if concept not in back.removed
    )
    return replace(back, supports=tuple(restored), dropped_supports=tuple(dropped))


def _processed_before(graph: ConceptGraph, approved: Approved) -> dict[str, Any]:
    # Also where this commit does not set the date: the work that ends with it will.
    book = graph.book(approved.book) if approved.book else None
    return {"book": book.uuid, "processed_date": book.processed_date or ""} if book else {}


def _both_ways(relations: Iterable[Relation]) -> Iterator[Arrow]:
    for one in relations:
        yield _arrow(one)
        yield (one.target, one.source, one.type.inverse)


def _arrow(relation: Relation) -> Arrow:
    return relation.source, relation.target, relation.type


def as_json(approved: Approved) -> dict[str, Any]:
    """The whole of it as plain JSON; a vector is its float32 numbers in base64."""
    import numpy as np

    values = {name: [one.model_dump(mode="json") for one in getattr(approved, name)] for name in _VALUES}
    vectors = {
        uuid: base64.b64encode(np.asarray(vector, dtype="<f4").tobytes()).decode()
        for uuid, vector in approved.vectors.items()
    }
    return values | {
        "vectors": vectors,
        "removed": list(approved.removed),
        "book": approved.book,
        "processed_date": approved.processed_date,
    }


def from_json(given: Mapping[str, Any]) -> Approved:
    """What `as_json` wrote down."""
    try:
        values: dict[str, Any] = {name: tuple(map(kind.model_validate, given[name])) for name, kind in _VALUES.items()}
        return Approved(
            **values,
            vectors={uuid: _vector(text) for uuid, text in given["vectors"].items()},
            removed=tuple(given["removed"]),
            book=given["book"],
            processed_date=given["processed_date"],
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadInput(f"This is not a commit to a concept graph: {error}") from error


def _vector(text: str) -> "NDArray[np.float32]":
    import numpy as np

    return np.frombuffer(base64.b64decode(text, validate=True), dtype="<f4")
