"""Invalid changes are reported with the valid choices, and the rest is applied."""

import pytest

from studium.concepts.proposal import ProposalChange, SplitPart

REFUSED = [
    (
        ProposalChange(action="approve", concept="c33"),
        "unknown_concept",
        "Approve c33: there is no concept c33; the nearest is c3 “Shallow work”.",
    ),
    (
        ProposalChange(action="reject", concept="Deep Works"),
        "unknown_concept",
        "Reject Deep Works: there is no concept Deep Works; the nearest is c1 “Deep work”.",
    ),
    (ProposalChange(action="reject"), "unnamed_concept", "Reject: it does not say which concept."),
    (ProposalChange(action="edit", concept="c1"), "empty_edit", "Edit c1: it changes nothing."),
    (
        ProposalChange(action="edit", concept="c1", title="  "),
        "empty_title",
        "Edit c1: a concept needs a title; it stays “Deep work”.",
    ),
    (
        ProposalChange(action="edit", concept="c1", quotes=("q66",)),
        "unknown_quote",
        "Edit c1: there is no quote q66; the nearest is q6.",
    ),
    (ProposalChange(action="add", text="No title"), "empty_title", "Add: a new concept needs a title."),
    (
        ProposalChange(action="merge", concept="c1", others=("c1",)),
        "merge_with_itself",
        "Merge c1: c1 “Deep work” cannot be merged into itself.",
    ),
    (
        ProposalChange(action="merge", concept="c1"),
        "empty_merge",
        "Merge c1: it does not say what to merge into c1 “Deep work”.",
    ),
    (
        ProposalChange(action="unmerge", concept="c1"),
        "nothing_merged",
        "Unmerge c1: nothing was merged into c1 “Deep work”.",
    ),
    (
        ProposalChange(action="split", concept="c1"),
        "empty_split",
        "Split c1: c1 “Deep work” can only be split into two or more parts with titles; it names 0.",
    ),
    (
        ProposalChange(action="relate", concept="c1", target="c1", type="OPPOSES"),
        "relation_to_itself",
        "Relate c1: c1 “Deep work” cannot relate to itself.",
    ),
    (
        ProposalChange(action="relate", concept="c1", target="a-kept-one", type="OPPOSES"),
        "unknown_concept",
        "Relate c1: there is no concept a-kept-one; there are c1, c2, c3.",
    ),
    (
        ProposalChange(action="relate", concept="c3", target="c2", type="OPPOSES"),
        "known_relation",
        "Relate c3: c2 OPPOSES c3 already exists.",
    ),
    (
        ProposalChange(action="unrelate", concept="c1", target="c3", type="PART_OF"),
        "unknown_relation",
        "Unrelate c1: there is no relation c1 PART_OF c3; there are c1 OPPOSES c3, c2 SIMILAR_TO c1.",
    ),
]


@pytest.mark.parametrize(("change", "code", "message"), REFUSED, ids=lambda value: getattr(value, "action", None))
def test_a_change_that_makes_no_sense_changes_nothing_and_is_reported(proposal, apply, change, code, message):
    changed, findings = apply(proposal, [change])
    assert changed == proposal
    assert [(each.code, each.message) for each in findings] == [(f"concepts.change_{code}", message)]


def test_a_relation_without_a_type_lists_the_types(proposal, apply):
    changed, [finding] = apply(proposal, [ProposalChange(action="relate", concept="c1", target="c2")])
    assert changed == proposal
    assert "GENERALIZES, SPECIFIC_OF" in finding.message


def test_what_can_be_done_of_a_change_is_done(proposal, apply):
    changed, findings = apply(
        proposal,
        [
            ProposalChange(action="merge", concept="c1", others=("c9", "C2", "c2")),
            ProposalChange(action="edit", concept="c3", quotes=("q4", "q99", "q5", "q5")),
            ProposalChange(action="edit", concept="c3", title="", text="Mail eats the day."),
        ],
    )
    assert [each.key for each in changed.concepts] == ["c1", "c3"]
    assert [each.quote for each in changed.concept("c3").quotes] == ["q4", "q5"]
    assert (changed.concept("c3").title, changed.concept("c3").concept) == ("Shallow work", "Mail eats the day.")
    assert [each.code.removeprefix("concepts.change_") for each in findings] == [
        "unknown_concept",
        "unknown_quote",
        "empty_title",
    ]


def test_a_merged_concept_is_said_to_be_part_of_another(proposal, apply):
    _, [finding] = apply(
        proposal,
        [ProposalChange(action="merge", concept="c1", others=("c2",)), ProposalChange(action="approve", concept="c2")],
    )
    assert finding.message == "Approve c2: c2 is part of c1 “Deep work”; take that apart first."


@pytest.mark.parametrize(
    "change",
    [
        ProposalChange(action="merge", concept="c1", others=("c3",)),
        ProposalChange(action="merge", concept="c3", others=("c1",)),
        ProposalChange(action="split", concept="c3", parts=(SplitPart(title="Mail"), SplitPart(title="Meetings"))),
        ProposalChange(action="relate", concept="c1", target="c3", type="RELATES_TO"),
    ],
    ids=lambda change: f"{change.action} {change.concept}",
)
def test_a_rejected_concept_must_be_restored_first(proposal, apply, change):
    rejected, _ = apply(proposal, [ProposalChange(action="reject", concept="c3")])
    changed, [finding] = apply(rejected, [change])
    assert changed == rejected
    assert finding.code == "concepts.change_rejected_concept"


def test_a_part_without_a_title_is_left_out_of_a_split(proposal, apply):
    parts = (SplitPart(title="Mail"), SplitPart(title=" "), SplitPart(title="Meetings", quotes=("q77",)))
    changed, findings = apply(proposal, [ProposalChange(action="split", concept="c3", parts=parts)])
    assert [each.title for each in changed.live_concepts] == ["Deep work", "Atención sostenida", "Mail", "Meetings"]
    assert [each.code for each in findings] == ["concepts.change_empty_title", "concepts.change_unknown_quote"]
