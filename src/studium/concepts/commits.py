"""Records commits to the concept graph before they are made, so that they can be undone."""

import base64
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from studium.concepts.domain import Concept, ConceptGraph, GraphCommit, Relation, RelationType, Support
from studium.core.database import Database
from studium.core.database.engine import write_json
from studium.core.domain.decision import Change, ChangeStatus
from studium.core.domain.errors import BadInput, NotFound
from studium.core.domain.run import current_context

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


def inverse_commit(graph: ConceptGraph, approved: GraphCommit) -> GraphCommit:
    """The commit that undoes this one exactly; compute it before committing."""
    given = {one.uuid for one in approved.concepts}
    before = [one for one in graph.concepts() if one.uuid in given or one.uuid in approved.removed]
    vectors = graph.vectors_of([one.uuid for one in before])
    known = {one.uuid for one in before}
    new = given - known
    # A vector can be replaced but not taken away: a concept that had none is created again, with all its relations.
    first_vectors = {uuid for uuid in given & known if uuid in approved.vectors and uuid not in vectors}
    back = GraphCommit(
        concepts=tuple(before),
        vectors={one.uuid: vectors[one.uuid] for one in before if one.uuid in vectors},
        removed=tuple(sorted(new | first_vectors)),
        **_processed_before(graph, approved),
    )
    recreated = first_vectors | set(approved.removed)
    return _with_supports(_with_relations(back, graph, approved, recreated), graph, approved, recreated)


def _with_relations(back: GraphCommit, graph: ConceptGraph, approved: GraphCommit, recreated: set[str]) -> GraphCommit:
    """With every relation as it was, where the commit writes one, drops one, or removes an end of it."""
    kept = {_arrow(one): one for one in graph.relations()}
    written = set(_both_ways(approved.relations))
    touched = written | set(_both_ways(approved.dropped_relations))
    restored = (
        one for arrow, one in kept.items() if arrow in touched or one.source in recreated or one.target in recreated
    )
    dropped = (
        Relation(source=source, target=target, type=type_)
        for source, target, type_ in sorted(written - kept.keys())
        if source not in back.removed and target not in back.removed
    )
    return replace(back, relations=tuple(restored), dropped_relations=tuple(dropped))


def _with_supports(back: GraphCommit, graph: ConceptGraph, approved: GraphCommit, recreated: set[str]) -> GraphCommit:
    """With every support as it was, where the commit writes one, drops one, or removes its concept."""
    kept = {(one.quote, one.concept): one for one in graph.supports()}
    written = {(one.quote, one.concept) for one in approved.supports}
    touched = written | {(one.quote, one.concept) for one in approved.dropped_supports}
    restored = (one for pair, one in kept.items() if pair in touched or one.concept in recreated)
    dropped = (
        Support(quote=quote, concept=concept)
        for quote, concept in sorted(written - kept.keys())
        if concept not in back.removed
    )
    return replace(back, supports=tuple(restored), dropped_supports=tuple(dropped))


def _processed_before(graph: ConceptGraph, approved: GraphCommit) -> dict[str, Any]:
    # Also if this commit does not set the date: a later step of the same extraction does.
    book = graph.book(approved.book) if approved.book else None
    return {"book": book.uuid, "processed_date": book.processed_date or ""} if book else {}


def _both_ways(relations: Iterable[Relation]) -> Iterator[Arrow]:
    for one in relations:
        yield _arrow(one)
        yield (one.target, one.source, one.type.inverse)


def _arrow(relation: Relation) -> Arrow:
    return relation.source, relation.target, relation.type


def commit_to_json(approved: GraphCommit) -> dict[str, Any]:
    """A commit as JSON; vectors are float32 in base64."""
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


def commit_from_json(given: Mapping[str, Any]) -> GraphCommit:
    """Read what `commit_to_json` wrote."""
    try:
        values: dict[str, Any] = {name: tuple(map(kind.model_validate, given[name])) for name, kind in _VALUES.items()}
        return GraphCommit(
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


SINK = "concepts"
FEATURE = "concepts"
_NAMED = 3


@dataclass(frozen=True)
class CommitJournal:
    """Writes commits to the graph, and their undo data to the database."""

    database: Database
    graph: ConceptGraph

    def commit(self, approved: GraphCommit) -> str:
        """Commit all or nothing and return the run to undo; repeated after a crash, it finishes the commit."""
        # Vectors can be computed again from the texts.
        after = commit_to_json(replace(approved, vectors={}))
        key = sha256(write_json(after).encode()).hexdigest()[:16]
        run, change = self.database.changes.latest(SINK, key) or self._begin(key, after, approved)
        self.graph.commit(approved)
        self.database.changes.finish(run, SINK, {change.position: ChangeStatus.APPLIED})
        return run

    def undo(self, run: str) -> tuple[str, ...]:
        """Undo what a run committed, newest first; returns the touched concepts."""
        found = [change for sink, change in self.database.changes.of_run(run) if sink == SINK]
        made = [change for change in found if change.status is ChangeStatus.APPLIED]
        if not made:
            told = "was already undone" if found else "saved nothing in the concept graph"
            raise NotFound(f"Run {run} {told}.", remedy="`studium runs` lists the runs.")
        touched: dict[str, None] = {}
        for change in reversed(made):
            back = commit_from_json(change.before or {})
            touched |= dict.fromkeys(_touched_ids(change.after))
            self.graph.commit(back)
            self.database.changes.finish(run, SINK, {change.position: ChangeStatus.UNDONE})
        return tuple(touched)

    def _begin(self, key: str, after: dict[str, Any], approved: GraphCommit) -> tuple[str, Change]:
        run = current_context().run or self.database.runs.start(FEATURE, {"commit": key}, _note(approved)).id
        before = commit_to_json(inverse_commit(self.graph, approved))
        planned = self.database.changes.plan(run, SINK, [Change(key=key, kind="commit", before=before, after=after)])
        return run, planned[0]


def _note(approved: GraphCommit) -> str:
    titles = [concept.title for concept in approved.concepts]
    return "Keep: " + (", ".join(titles[:_NAMED]) + ("…" if titles[_NAMED:] else "") or "a change of the graph")


def _touched_ids(commit: dict[str, Any]) -> list[str]:
    ends = [each[end] for each in commit["relations"] for end in ("source", "target")]
    return [each["uuid"] for each in commit["concepts"]] + ends + [each["concept"] for each in commit["supports"]]


def withdraw_commits(graph: ConceptGraph, commits: Sequence[Change], going: Collection[str]) -> set[str]:
    """Undo commits, newest first; returns the concepts they touched.

    A concept that is also supported by a quote not in `going` stays, and one that was changed since stays as it is.
    """
    carried = {one.concept for one in graph.supports() if one.quote not in going}
    touched: set[str] = set()
    for commit in reversed(commits):
        back, made = commit_from_json(commit.before or {}), commit_from_json(commit.after)
        graph.commit(_applicable_part(graph, back, made, carried))
        touched |= _touched(made)
    return touched


def _applicable_part(
    graph: ConceptGraph, back: GraphCommit, made: GraphCommit, carried: Collection[str]
) -> GraphCommit:
    """The part of an undo that still applies: without what was changed, used or removed since."""
    now = {one.uuid: one for one in graph.concepts()}
    written = {one.uuid: one for one in made.concepts}
    restored = {one.uuid: one for one in back.concepts if now.get(one.uuid) == written.get(one.uuid)}
    known_before = {one.uuid for one in back.concepts}
    removed = tuple(uuid for uuid in back.removed if uuid not in known_before and uuid not in carried)
    there = (now.keys() | restored.keys()) - set(removed)
    quotes = {quote.uuid for book in graph.books() for quote in graph.quotes_of(book.uuid)}
    return replace(
        back,
        concepts=tuple(restored.values()),
        vectors={uuid: vector for uuid, vector in back.vectors.items() if uuid in restored},
        relations=tuple(one for one in back.relations if {one.source, one.target} <= there),
        supports=tuple(one for one in back.supports if one.concept in there and one.quote in quotes),
        removed=removed,
        book=back.book if back.book and graph.book(back.book) else None,
    )


def _touched(made: GraphCommit) -> set[str]:
    ends = {end for one in made.relations for end in (one.source, one.target)}
    return ends | {one.uuid for one in made.concepts} | {one.concept for one in made.supports}
