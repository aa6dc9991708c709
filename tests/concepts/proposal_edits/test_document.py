"""A proposal as a document, edited by a person, and what the edits mean."""

from copy import deepcopy

import pytest
import yaml
from tests.concepts.proposal_edits.book import KEPT, QUOTES

from studium.concepts.proposal import ProposalChange
from studium.concepts.proposal_edits.document import document_changes, proposal_document
from studium.core.domain.errors import BadInput

TEXTS = {key: f"The text of {key}." for key in QUOTES}


@pytest.fixture
def document(proposal):
    return proposal_document(proposal, TEXTS, {KEPT: "Flow, or being absorbed"})


def test_the_document_of_a_proposal(document):
    assert document["concepts"][1] == {
        "key": "c2",
        "title": "Atención sostenida",
        "concept": "Pensar exige no cambiar de tarea.",
        "analysis": "",
        "quotes": ["q2", "q3"],
    }
    assert document["relations"] == [
        {"c1 OPPOSES c3": "One excludes the other"},
        "c2 OPPOSES c3",
        "c2 SIMILAR_TO c1",
        "c2 PART_OF k1",
    ]
    assert document["kept"] == {"k1": "Flow, or being absorbed"}
    assert document["unattributed"] == ["q5", "q6"]
    assert document["quotes"]["q1"] == "The text of q1."


def test_a_rejected_concept_is_told_but_not_to_be_edited(proposal, after):
    document = proposal_document(after(proposal, ProposalChange(action="reject", concept="c3")), TEXTS, {})
    assert [each["key"] for each in document["concepts"]] == ["c1", "c2"]
    assert document["rejected"] == {"c3": "Shallow work"}
    assert document["relations"] == ["c2 SIMILAR_TO c1", "c2 PART_OF k1"]


def test_an_unchanged_document_says_nothing(proposal, document):
    assert document_changes(proposal, yaml.safe_load(yaml.safe_dump(document, allow_unicode=True))) == ()


def test_only_what_a_person_may_edit_is_needed(proposal, document):
    assert document_changes(proposal, {name: document[name] for name in ("concepts", "relations")}) == ()


def test_white_space_that_an_editor_adds_says_nothing(proposal, document):
    document["concepts"][0]["concept"] = "Hard thinking needs hours without interruption.  \r\n\n"
    document["concepts"][0]["quotes"] = "q1, q2"
    assert document_changes(proposal, document) == ()


def test_edited_texts_and_moved_quotes(proposal, document):
    document["concepts"][0] |= {"title": 1984, "analysis": "Mine.", "quotes": ["q1"]}
    document["concepts"][2]["quotes"].append("q2")
    assert document_changes(proposal, document) == (
        ProposalChange(action="edit", concept="c1", title="1984", analysis="Mine.", quotes=("q1",)),
        ProposalChange(action="edit", concept="c3", quotes=("q4", "q2")),
    )


def test_a_removed_concept_is_rejected_and_takes_its_relations_along(proposal, document):
    del document["concepts"][2]
    del document["relations"][0]
    assert document_changes(proposal, document) == (ProposalChange(action="reject", concept="c3"),)


def test_a_rejected_concept_that_is_written_again_comes_back(proposal, document, after):
    rejected = after(proposal, ProposalChange(action="reject", concept="c3"))
    changes = document_changes(rejected, document)
    assert changes == (ProposalChange(action="restore", concept="c3"),)
    assert after(rejected, *changes) == proposal


def test_a_new_concept_is_added_and_related_by_its_title(proposal, document, after):
    document["concepts"].append({"title": "Rest", "concept": "Rest is work.", "quotes": ["q6"]})
    document["relations"] += [{"Rest supports Deep work": "It renews attention"}, "k1 HAS_PART rest"]
    changed = after(proposal, *document_changes(proposal, document))
    assert (changed.concept("c4").title, changed.concept("c4").concept) == ("Rest", "Rest is work.")
    assert [link.key for link in changed.relations[4:]] == ["c4 SUPPORTS c1", f"c4 PART_OF {KEPT}"]
    assert changed.relations[4].reasoning == "It renews attention"


def test_relations_removed_retyped_and_explained(proposal, document):
    document["relations"] = [
        {"c3 OPPOSES c1": "They share the day"},
        {"c2 RELATES_TO c1": None},
        "c2 PART_OF Flow",
    ]
    assert document_changes(proposal, document) == (
        ProposalChange(action="reject", concept="c2", target="c3", type="OPPOSES"),
        ProposalChange(action="reject", concept="c2", target="c1", type="SIMILAR_TO"),
        ProposalChange(action="relate", concept="c3", target="c1", type="OPPOSES", reasoning="They share the day"),
        ProposalChange(action="relate", concept="c2", target="c1", type="RELATES_TO"),
    )


def test_a_reasoning_that_was_deleted_is_gone(proposal, document, after):
    document["relations"][0] = "c1 OPPOSES c3"
    changed = after(proposal, *document_changes(proposal, document))
    assert {link.key: link.reasoning for link in changed.relations}["c1 OPPOSES c3"] == ""


def edited(document, path, value):
    changed = deepcopy(document)
    *parents, last = path
    at = changed
    for step in parents:
        at = at[step]
    at[last] = value
    return changed


MALFORMED = [
    (["notes"], [], "`notes` is not known; did you mean `quotes`?"),
    (["concepts"], "none", "`concepts` is not a list."),
    (["concepts", 1], "c2", "Concept 2 is not a mapping with `title`, `concept` and `quotes`."),
    (["concepts", 1, "titel"], "x", "Concept 2 has a `titel`, which is not known; did you mean `title`?"),
    (["concepts", 1, "title"], " ", "Concept 2 (c2) has no title."),
    (["concepts", 1, "title"], True, "Concept 2 (c2) has a `title` that is not text; put it in quotation marks."),
    (["concepts", 1, "concept"], ["a"], "Concept 2 (c2) has a `concept` that is not text; put it in quotation marks."),
    (
        ["concepts", 1, "key"],
        "c1",
        "Concept 2 has the key c1, which another concept already has; leave the key out for a new concept.",
    ),
    (
        ["concepts", 1, "key"],
        "c22",
        (
            "Concept 2 has the key c22, which no concept has; the nearest is c2 “Atención sostenida”; "
            "leave the key out for a new concept."
        ),
    ),
    (["concepts", 1, "quotes"], 3, "Concept 2 (c2) has `quotes` that are not a list of keys such as q1."),
    (
        ["concepts", 1, "quotes"],
        ["q33"],
        "Concept 2 (c2) names the quote q33, which does not exist; the nearest is q3.",
    ),
    (["relations", 1], "c2 OPPOSES c9", "Relation 2 names c9, which does not exist; there are c1, c2, c3, k1."),
    (
        ["relations", 1],
        "c2 OPPOSES c2",
        "Relation 2 (c2 OPPOSES c2) must relate two concepts, one of them proposed.",
    ),
    (
        ["relations", 1],
        "k1 OPPOSES k1",
        "Relation 2 (k1 OPPOSES k1) must relate two concepts, one of them proposed.",
    ),
]


@pytest.mark.parametrize(("path", "value", "message"), MALFORMED, ids=lambda value: repr(value)[:30])
def test_a_document_that_cannot_be_read_says_what_and_where(proposal, document, path, value, message):
    with pytest.raises(BadInput) as caught:
        document_changes(proposal, edited(document, path, value))
    assert caught.value.what == message
    assert caught.value.remedy == "Correct the document there, or leave it as it was."


@pytest.mark.parametrize("value", ["c2 OPOSES c3", 7, None, {"c1 OPPOSES c2": "", "c1 OPPOSES c3": ""}, ["c1"]])
def test_what_is_no_relation_is_reported_with_how_to_write_one(proposal, document, value):
    with pytest.raises(BadInput, match="is not written as in `c1 OPPOSES c2: why`; the types are GENERALIZES, "):
        document_changes(proposal, edited(document, ["relations", 1], value))


@pytest.mark.parametrize("value", [None, "text", [], 3])
def test_what_is_no_document_is_refused(proposal, value):
    with pytest.raises(BadInput, match="The document is not a mapping"):
        document_changes(proposal, value)


@pytest.mark.parametrize("section", ["concepts", "relations"])
def test_a_section_that_is_missing_is_not_taken_for_an_empty_one(proposal, document, section):
    del document[section]
    with pytest.raises(BadInput, match=f"has no `{section}`; leave it empty to remove all of them"):
        document_changes(proposal, document)


def test_a_new_relation_of_a_removed_concept_is_refused(proposal, document, after):
    free = after(proposal, ProposalChange(action="unrelate", concept="c1", target="c3"))
    del document["concepts"][2]
    with pytest.raises(BadInput, match=r"Relation 1 .* is no longer in the proposal"):
        document_changes(free, document)


def test_a_merged_concept_cannot_be_written_again(proposal, document, after):
    merged = after(proposal, ProposalChange(action="merge", concept="c1", others=("c2",)))
    with pytest.raises(BadInput, match=r"Concept 2 has the key c2, which is part of c1\."):
        document_changes(merged, document)


def test_a_title_that_two_concepts_have_names_neither(proposal, document):
    document["concepts"][1]["title"] = "Deep work"
    document["relations"].append("Deep work SUPPORTS c3")
    with pytest.raises(BadInput, match="Relation 5 names Deep work, which does not exist"):
        document_changes(proposal, document)
