"""The map of all that is kept: drawn once, begun from when the graph changes, and never in the way."""

import json
import math

import pytest

from studium.concepts.domain import Concept, GraphCommit, Relation, RelationType
from studium.concepts.graph_cache import ConceptGraphCache, GraphViewFilter
from studium.concepts.setup import concept_graph
from studium.core.config import Settings


@pytest.fixture
def settings(tmp_path):
    return Settings(home=tmp_path / "home")


@pytest.fixture
def library(settings):
    """A ring of forty concepts."""
    names = [f"c{number:02}" for number in range(40)]
    opened = ConceptGraphCache(settings)
    opened.graph.commit(
        GraphCommit(
            concepts=tuple(Concept(uuid=name, name=name, title=name) for name in names),
            relations=tuple(
                Relation(source=one, target=other, type=RelationType.SUPPORTS)
                for one, other in zip(names, [*names[1:], names[0]], strict=True)
            ),
        )
    )
    yield opened
    opened.close()


def add_one(settings):
    """As another program does: a concept that ties the two ends of the ring together."""
    new = Concept(uuid="a new one", name="new", title="New")
    links = tuple(Relation(source=new.uuid, target=far, type=RelationType.SUPPORTS) for far in ("c07", "c27"))
    with concept_graph(settings) as graph:
        graph.commit(GraphCommit(concepts=(new,), relations=links))


def places(drawn):
    return {node["uuid"]: (node["x"], node["y"]) for node in json.loads(drawn)["nodes"]}


def moved(before, after):
    return max(math.dist(place, after[uuid]) for uuid, place in before.items())


def files(settings):
    return list((settings.home / "maps").iterdir())


def test_the_next_start_finds_the_map_as_it_was(library, settings):
    drawn = library.graph_view(GraphViewFilter())
    again = ConceptGraphCache(settings)
    assert again.graph_view(GraphViewFilter()) == drawn
    again.close()


@pytest.mark.parametrize("said", [b"", b'{"nodes": ['])
def test_a_kept_map_that_was_cut_off_is_drawn_again(library, settings, said):
    drawn = library.graph_view(GraphViewFilter())
    (file,) = files(settings)
    file.write_bytes(said)
    again = ConceptGraphCache(settings)
    assert again.graph_view(GraphViewFilter()) == file.read_bytes()
    assert places(again.graph_view(GraphViewFilter())).keys() == places(drawn).keys()
    again.close()


def test_a_map_that_cannot_be_kept_is_shown_all_the_same(library, settings):
    (settings.home / "maps").write_text("where a folder should be")
    assert len(places(library.graph_view(GraphViewFilter()))) == 40


def test_after_a_change_all_stays_about_where_it_was_and_one_map_is_kept(library, settings):
    before = places(library.graph_view(GraphViewFilter()))
    add_one(settings)
    after = places(library.graph_view(GraphViewFilter()))
    assert after.keys() - before.keys() == {"a new one"}
    assert moved(before, after) < 0.15
    (file,) = files(settings)
    assert file.read_bytes() == library.graph_view(GraphViewFilter())


@pytest.mark.parametrize("said", [b"", b"{", b'{"nodes": [], "edges": 1}', b"\xff"])
def test_a_last_map_that_cannot_be_read_is_drawn_again(library, settings, said):
    library.graph_view(GraphViewFilter())
    (file,) = files(settings)
    file.rename(file.with_name("older.json"))
    file.with_name("older.json").write_bytes(said)
    add_one(settings)
    assert places(library.graph_view(GraphViewFilter())).keys() >= {"a new one", "c00"}
    assert [each.name for each in files(settings)] != ["older.json"]
    assert len(files(settings)) == 1
