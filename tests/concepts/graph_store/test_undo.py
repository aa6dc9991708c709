"""Undoing a commit leaves the graph as it was, in each of the stores."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from studium.concepts.commits import commit_from_json, commit_to_json, inverse_commit
from studium.concepts.domain import Concept, GraphCommit, Relation, RelationType, Support
from studium.concepts.graph_store.transfer import export_graph
from studium.core.domain.errors import BadInput

UUIDS = [f"c{number}" for number in range(5)]
some = st.sampled_from
confidences = st.none() | st.floats(0, 1, width=32)
reasons = some(["", "so", "because of it"])
concepts = st.builds(Concept, uuid=some(UUIDS), name=some(["One", "Two"]), title=some(["One", "Two"]))
directions = st.lists(st.integers(-9, 9), min_size=8, max_size=8).filter(any).map(lambda row: np.array(row, np.float32))
relations = st.builds(
    Relation,
    source=some(UUIDS),
    target=some(UUIDS),
    type=some(RelationType),
    reasoning=reasons,
    confidence=confidences,
).filter(lambda one: one.source != one.target)
supports = st.builds(
    Support, quote=some(["q1", "q2", "q3"]), concept=some(UUIDS), reasoning=reasons, confidence=confidences
)


def several(items):
    return st.lists(items, max_size=6).map(tuple)


commits = st.builds(
    GraphCommit,
    concepts=several(concepts),
    vectors=st.dictionaries(some(UUIDS), directions, max_size=5),
    relations=several(relations),
    supports=several(supports),
    removed=several(some(UUIDS)),
    dropped_relations=several(relations),
    dropped_supports=several(supports),
    book=some([None, "b1"]),
    processed_date=some([None, "", "2026-01-02", "2026-03-04"]),
)


def possible(graph, approved):
    """The commit without what names a concept that will not be there."""
    kept = {one.uuid for one in graph.concepts()} - set(approved.removed) | {one.uuid for one in approved.concepts}
    return replace(
        approved,
        relations=tuple(one for one in approved.relations if {one.source, one.target} <= kept),
        supports=tuple(one for one in approved.supports if one.concept in kept),
    )


def kept_by(graph, file):
    export_graph(graph, file)
    return file.read_text()


@pytest.fixture
def takes_back(book, author, quotes, tmp_path):
    """Fills a graph, commits, takes the commit back, and tells what was there before, between and after."""

    def taken(graph, first, second):
        graph.save_book(book, author, quotes, {})
        graph.commit(GraphCommit(removed=tuple(UUIDS), book="b1", processed_date=""))
        graph.commit(possible(graph, first))
        second = possible(graph, second)
        before = kept_by(graph, tmp_path / "graph.jsonl")
        back = commit_from_json(json.loads(json.dumps(commit_to_json(inverse_commit(graph, second)))))
        graph.commit(second)
        between = kept_by(graph, tmp_path / "graph.jsonl")
        graph.commit(back)
        return before, between, kept_by(graph, tmp_path / "graph.jsonl")

    return taken


def any_two_commits(examples):
    """Quick to draw, so that the time goes into the graph."""
    quiet = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    kept = settings(
        max_examples=examples, deadline=None, suppress_health_check=quiet, phases=[Phase.generate, Phase.shrink]
    )
    return lambda test: kept(given(first=commits, second=commits)(test))


@any_two_commits(60)
def test_any_commit_can_be_undone(open_graph, takes_back, first, second):
    before, _, after = takes_back(open_graph("sqlite"), first, second)
    assert after == before


@pytest.mark.part("neo4j")
@pytest.mark.xdist_group("neo4j")
@pytest.mark.endurance
@any_two_commits(6)
def test_any_commit_to_a_server_can_be_undone(open_graph, takes_back, first, second):
    before, _, after = takes_back(open_graph("neo4j"), first, second)
    assert after == before


def test_a_commit_that_changes_everything_is_undone(graph, approved, takes_back, vector):
    bare = replace(approved, vectors={uuid: row for uuid, row in approved.vectors.items() if uuid != "c1"})
    north = vector([0, 1, 0, 0, 0, 0, 0, 0])
    edited = [one.model_copy(update={"title": "Otra", "concept": "Distinto."}) for one in approved.concepts[:2]]
    new = Concept(uuid="c4", name="Nueva", title="Nueva")
    second = GraphCommit(
        concepts=(*edited, new),
        vectors={"c0": north, "c1": north, "c4": north},
        removed=("c2",),
        relations=(
            Relation(source="c0", target="c1", type=RelationType.GENERALIZES, reasoning="other reasons"),
            Relation(source="c4", target="c0", type=RelationType.PART_OF),
        ),
        supports=(Support(quote="q1", concept="c4"), Support(quote="q2", concept="c0")),
        dropped_supports=approved.supports,
        book="b1",
        processed_date="2026-05-06T00:00:00+00:00",
    )
    before, between, after = takes_back(graph, bare, second)
    assert between != before
    assert after == before


def test_a_new_concept_goes_and_takes_what_binds_it_along(graph, book, quotes, approved):
    graph.save_book(book, None, quotes, {})
    assert inverse_commit(graph, approved) == GraphCommit(removed=("c0", "c1", "c2"), book="b1", processed_date="")


def test_a_commit_that_was_never_one_is_refused():
    for wrong in (
        {},
        {**commit_to_json(GraphCommit()), "vectors": {"c": "!"}},
        {**commit_to_json(GraphCommit()), "concepts": [{"a": 1}]},
    ):
        with pytest.raises(BadInput, match="not a commit"):
            commit_from_json(wrong)
