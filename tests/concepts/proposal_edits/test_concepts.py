"""What may be done to concepts: approve, reject, restore, edit, add, merge, take apart, split."""

from tests.concepts.proposal_edits.book import KEPT

from studium.concepts.proposal import CandidateRelation, ItemStatus, ProposalChange, SplitPart
from studium.concepts.proposal_edits.apply import proposal_fingerprint


def quotes_of(proposal, key):
    return [each.quote for each in proposal.concept(key).quotes]


def keys(proposal):
    return [each.key for each in proposal.concepts]


def relations(proposal):
    return [link.key for link in proposal.relations]


def codes(findings):
    return [finding.code.removeprefix("concepts.change_") for finding in findings]


def test_no_change_changes_nothing(proposal, after):
    assert after(proposal) == proposal


def test_approving_a_concept_approves_nothing_else(proposal, after):
    changed = after(proposal, ProposalChange(action="approve", concept="c2"))
    assert [each.standing for each in changed.concepts] == ["proposed", "approved", "proposed"]
    assert {link.standing for link in changed.relations} == {ItemStatus.PROPOSED}


def test_a_rejected_concept_is_kept_and_its_quotes_carry_nothing(proposal, after):
    changed = after(proposal, ProposalChange(action="reject", concept="c3"))
    assert changed.concept("c3").standing == "rejected"
    assert changed.unattributed == ("q4", "q5", "q6")
    assert [link.key for link in changed.live_relations] == ["c2 SIMILAR_TO c1", f"c2 PART_OF {KEPT}"]


def test_a_restored_concept_comes_back_with_quotes_and_relations(proposal, after):
    assert (
        after(proposal, ProposalChange(action="reject", concept="c3"), ProposalChange(action="restore", concept="c3"))
        == proposal
    )


def test_an_edit_replaces_only_what_it_gives(proposal, after):
    changed = after(
        proposal, ProposalChange(action="edit", concept="c1", title=" Deep\n work, daily ", quotes=("q2", "q5"))
    )
    edited = changed.concept("c1")
    assert (edited.title, edited.concept) == ("Deep work, daily", proposal.concept("c1").concept)
    assert [(each.quote, each.reasoning) for each in edited.quotes] == [("q2", "q2 says so"), ("q5", "")]
    assert edited.uuid == proposal.concept("c1").uuid
    assert changed.unattributed == ("q1", "q6")


def test_the_quotes_may_all_be_taken_from_a_concept(proposal, after):
    assert after(proposal, ProposalChange(action="edit", concept="c3", quotes=())).unattributed == ("q4", "q5", "q6")


def test_an_edit_says_which_kept_concept_it_is_and_that_it_is_none(proposal, after):
    changed = after(proposal, ProposalChange(action="edit", concept="c1", same_as=KEPT))
    assert changed.concept("c1").same_as == KEPT
    assert after(changed, ProposalChange(action="edit", concept="c1", same_as="")).concept("c1").same_as is None


def test_a_kept_concept_that_nobody_found_is_not_taken(proposal, apply):
    changed, findings = apply(proposal, [ProposalChange(action="edit", concept="c1", same_as="somewhere")])
    assert changed == proposal
    assert codes(findings) == ["unknown_kept_concept"]


def test_an_added_concept_gets_the_next_key(proposal, after):
    changed = after(
        proposal, ProposalChange(action="add", title="Descanso", text="Descansar es trabajar.", quotes=("q6",))
    )
    assert keys(changed) == ["c1", "c2", "c3", "c4"]
    added = changed.concept("c4")
    assert (added.title, added.concept, added.standing) == ("Descanso", "Descansar es trabajar.", "proposed")
    assert changed.unattributed == ("q5",)


def test_two_concepts_with_one_title_and_the_same_quotes_have_two_ids(proposal, after):
    add = ProposalChange(action="add", title="Rest", quotes=("q6",))
    changed = after(proposal, add, add)
    assert changed.concept("c4").uuid != changed.concept("c5").uuid


def test_a_key_is_never_given_twice(proposal, after):
    changed = after(
        proposal,
        ProposalChange(action="merge", concept="c1", others=("c3",)),
        ProposalChange(action="reject", concept="c2"),
        ProposalChange(action="add", title="Rest"),
    )
    assert keys(changed) == ["c1", "c2", "c4"]


def test_a_merge_unites_quotes_and_relations_and_keeps_the_first_texts(proposal, after):
    changed = after(proposal, ProposalChange(action="merge", concept="c1", others=("c2",)))
    assert keys(changed) == ["c1", "c3"]
    assert changed.concept("c1").title == "Deep work"
    assert changed.concept("c1").merged == (proposal.concept("c2"),)
    assert quotes_of(changed, "c1") == ["q1", "q2", "q3"]
    assert relations(changed) == ["c1 OPPOSES c3", f"c1 PART_OF {KEPT}"]
    assert changed.relations[0].reasoning == "One excludes the other"


def test_a_merge_is_taken_apart_exactly(proposal, after):
    merged = after(proposal, ProposalChange(action="merge", concept="c3", others=("c2", "c1")))
    assert relations(merged) == [f"c3 PART_OF {KEPT}"]
    assert after(merged, ProposalChange(action="unmerge", concept="c3")) == proposal


def test_merges_are_taken_apart_one_after_another(proposal, after):
    once = after(proposal, ProposalChange(action="merge", concept="c2", others=("c1",)))
    twice = after(once, ProposalChange(action="merge", concept="c3", others=("c2",)))
    assert keys(twice) == ["c3"]
    apart = after(twice, ProposalChange(action="unmerge", concept="c3"))
    assert apart == once
    assert after(apart, ProposalChange(action="unmerge", concept="c2")) == proposal


def test_what_a_merged_concept_got_since_stays_with_it(proposal, after):
    changed = after(
        proposal,
        ProposalChange(action="merge", concept="c1", others=("c2",)),
        ProposalChange(action="edit", concept="c1", title="Concentration", quotes=("q1", "q2", "q3", "q5")),
        ProposalChange(action="approve", concept="c1", target=KEPT, type="PART_OF"),
        ProposalChange(action="relate", concept="c1", target="c3", type="SUPPORTS"),
        ProposalChange(action="unmerge", concept="c1"),
    )
    assert (changed.concept("c1").title, quotes_of(changed, "c1")) == ("Concentration", ["q1", "q2", "q5"])
    assert changed.concept("c2") == proposal.concept("c2")
    assert relations(changed) == [*relations(proposal), "c1 SUPPORTS c3"]
    assert changed.relations[3].standing == "approved"


def test_a_relation_taken_from_a_merged_concept_does_not_come_back(proposal, after):
    changed = after(
        proposal,
        ProposalChange(action="merge", concept="c1", others=("c2",)),
        ProposalChange(action="unrelate", concept="c1", target="c3", type="OPPOSES"),
        ProposalChange(action="unmerge", concept="c1"),
    )
    assert relations(changed) == ["c2 SIMILAR_TO c1", f"c2 PART_OF {KEPT}"]


def test_a_merged_concept_is_the_kept_one_that_a_part_of_it_was(proposal, after):
    known = after(proposal, ProposalChange(action="edit", concept="c2", same_as=KEPT))
    merged = after(known, ProposalChange(action="merge", concept="c1", others=("c2",)))
    assert merged.concept("c1").same_as == KEPT
    assert after(merged, ProposalChange(action="unmerge", concept="c1")) == known


def test_a_relation_found_after_a_merge_is_kept_when_it_is_taken_apart(proposal, after):
    merged = after(proposal, ProposalChange(action="merge", concept="c1", others=("c2",)))
    found = CandidateRelation(source="c3", target=KEPT, title="Flow", type="RELATES_TO")
    later = merged.model_copy(update={"relations": (*merged.relations, found)})
    assert relations(after(later, ProposalChange(action="unmerge", concept="c1"))) == [*relations(proposal), found.key]


def test_a_concept_that_came_merged_can_be_taken_apart(proposal, after):
    first, second, third = proposal.concepts
    came = proposal.model_copy(
        update={
            "concepts": (
                first.model_copy(update={"merged": (second,), "quotes": (*first.quotes, *second.quotes)}),
                third,
            )
        }
    )
    changed = after(came, ProposalChange(action="unmerge", concept="c1"))
    assert keys(changed) == ["c1", "c3", "c2"]
    assert quotes_of(changed, "c1") == ["q1"]
    assert quotes_of(changed, "c2") == ["q2", "q3"]


def test_a_split_gives_the_quotes_that_nobody_named_and_the_relations_to_the_first_part(proposal, after):
    parts = (SplitPart(title="Hours"), SplitPart(title="Silence", concept="Quiet is needed.", quotes=("q2", "q6")))
    changed = after(proposal, ProposalChange(action="split", concept="c1", parts=parts))
    assert keys(changed) == ["c1", "c4", "c5", "c2", "c3"]
    assert not changed.concept("c1").is_live
    assert (quotes_of(changed, "c4"), quotes_of(changed, "c5")) == (["q1"], ["q2", "q6"])
    assert changed.concept("c4").concept == "Hard thinking needs hours without interruption."
    assert changed.concept("c5").concept == "Quiet is needed."
    assert relations(changed) == ["c4 OPPOSES c3", "c2 OPPOSES c3", "c2 SIMILAR_TO c4", f"c2 PART_OF {KEPT}"]
    assert changed.unattributed == ("q5",)
    restored = after(changed, ProposalChange(action="restore", concept="c1"))
    assert restored.concept("c1") == proposal.concept("c1")


def test_a_fingerprint_names_exactly_one_proposal(proposal, after):
    approved = after(proposal, ProposalChange(action="approve", concept="c1"))
    assert len(proposal_fingerprint(proposal)) == 12
    assert proposal_fingerprint(proposal) == proposal_fingerprint(
        type(proposal).model_validate_json(proposal.model_dump_json())
    )
    assert proposal_fingerprint(proposal) != proposal_fingerprint(approved)
