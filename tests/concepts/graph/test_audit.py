"""What an audit sees in a graph."""

import contextlib
import sqlite3
import time

import pytest

from studium.concepts.audit import Audit, ItemRef, audit_graph
from studium.concepts.domain import GraphCommit, Relation, RelationType


def titles(named):
    return [one.title for one in named]


def test_an_empty_graph_leaves_nothing_to_see_to(graph):
    assert audit_graph(graph) == Audit()


def test_it_counts_the_quotes_of_each_concept(library):
    seen = audit_graph(library)
    assert titles(seen.one_quote) == ["Habit", "Haste"]
    assert seen.no_quotes == (ItemRef(uuid="nothing", title="Nothing"),)


def test_an_island_is_linked_only_within_itself_and_who_has_no_link_is_alone(library):
    seen = audit_graph(library)
    assert [titles(island) for island in seen.islands] == [["Chance", "Order"]]
    assert titles(seen.alone) == ["Nothing", "Solitude"]


def test_a_link_to_the_rest_ends_an_island(library):
    library.commit(GraphCommit(relations=(Relation(source="order", target="calm", type=RelationType.PART_OF),)))
    assert audit_graph(library).islands == ()


def test_where_nothing_is_linked_all_are_alone(graph, concepts):
    graph.commit(GraphCommit(concepts=concepts("A", "B")))
    seen = audit_graph(graph)
    assert (titles(seen.alone), seen.islands) == (["A", "B"], ())


def test_an_opposition_shows_both_sides_with_their_quotes_once(library):
    (found,) = audit_graph(library).oppositions
    assert (found.one.title, found.other.title) == ("Calm", "Haste")
    assert (found.one.concept, found.other.concept) == ("Calm!", "Haste!")
    assert [(quote.text, quote.book.title) for quote in found.one.quotes] == [
        ("Med 1", "Meditaciones"),
        ("Walden 1", "Walden"),
    ]
    assert [quote.text for quote in found.other.quotes] == ["Walden 2"]
    assert found.reasoning == "one excludes the other"


def test_near_duplicates_are_found_whatever_their_books_the_nearest_first(library):
    pairs = [
        (one.one.title, one.other.title, one.similarity) for one in audit_graph(library, threshold=0.6).near_duplicates
    ]
    assert pairs == [
        ("Calm", "Solitude", pytest.approx(0.9950, abs=1e-4)),
        ("Habit", "Order", pytest.approx(0.8, abs=1e-4)),
        ("Order", "Solitude", pytest.approx(0.6766, abs=1e-4)),
        ("Calm", "Order", pytest.approx(0.6, abs=1e-4)),
    ]
    assert len(audit_graph(library).near_duplicates) == 1


def test_near_duplicates_say_how_they_are_already_related(library):
    library.commit(GraphCommit(relations=(Relation(source="solitude", target="calm", type=RelationType.PART_OF),)))
    (found,) = audit_graph(library).near_duplicates
    assert found.related == (RelationType.HAS_PART,)


def test_only_the_nearest_of_each_concept_count(library):
    found = audit_graph(library, threshold=0.6, nearest=1).near_duplicates
    assert [(one.one.title, one.other.title) for one in found] == [("Calm", "Solitude"), ("Habit", "Order")]


def test_who_asks_decides_what_may_be_the_same(library):
    def named_alike(one, other, similarity):
        return similarity < 0.9 and one.title[0] != other.title[0]

    found = audit_graph(library, named_alike, threshold=0.7).near_duplicates
    assert [(one.one.title, one.other.title) for one in found] == [("Habit", "Order")]


def test_a_book_that_was_never_extracted_is_named_and_its_quotes_are_not_held_against_it(library):
    seen = audit_graph(library)
    assert titles(seen.unextracted) == ["Nuevo"]
    assert [quote.text for quote in seen.unattributed] == ["Med 2", "Walden 3"]


def test_a_concept_without_a_vector_is_named(library):
    assert titles(audit_graph(library).without_vector) == ["Nothing"]


def test_a_relation_without_its_inverse_is_named(library, tmp_path):
    assert audit_graph(library).one_sided == ()
    with contextlib.closing(sqlite3.connect(tmp_path / "graph.db")) as connection, connection:
        connection.execute("DELETE FROM relation WHERE source = 'calm' AND target = 'habit'")
    (found,) = audit_graph(library).one_sided
    assert (found.source.title, found.type, found.target.title) == ("Habit", RelationType.SUPPORTS, "Calm")


def test_an_audit_can_be_sent_and_read_again(library):
    seen = audit_graph(library, threshold=0.6)
    assert Audit.model_validate_json(seen.model_dump_json()) == seen


def test_five_thousand_concepts_take_less_than_three_seconds(crowded):
    began = time.process_time()
    seen = audit_graph(crowded, threshold=0.2)
    assert time.process_time() - began < 15
    assert len(seen.no_quotes) == 5000
    assert len(seen.islands) == 99
