"""What may be done to relations."""

from tests.concepts.proposal_edits.book import KEPT

from studium.concepts.proposal import ProposalChange


def relations(proposal):
    return [link.key for link in proposal.relations]


def test_concepts_are_related_with_a_reasoning(proposal, after):
    changed = after(
        proposal,
        ProposalChange(action="relate", concept="c3", target="c1", type="SUPPORTED_BY", reasoning="Contrast helps"),
    )
    assert changed.relations[-1].key == "c3 SUPPORTED_BY c1"
    assert changed.relations[-1].reasoning == "Contrast helps"


def test_a_concept_is_related_to_a_kept_one_that_the_proposal_knows(proposal, after):
    changed = after(proposal, ProposalChange(action="relate", concept="c1", target=KEPT, type="SIMILAR_TO"))
    assert (changed.relations[-1].target, changed.relations[-1].title) == (KEPT, "Flow")


def test_a_relation_is_named_from_either_side(proposal, after):
    changed = after(proposal, ProposalChange(action="reject", concept="c3", target="c1", type="OPPOSES"))
    assert [link.standing for link in changed.relations] == ["rejected", "proposed", "proposed", "proposed"]
    assert after(changed, ProposalChange(action="restore", concept="c1", target="c3", type="OPPOSES")) == proposal


def test_relating_again_brings_a_rejected_relation_back(proposal, after):
    rejected = after(proposal, ProposalChange(action="reject", concept="c1", target="c3", type="OPPOSES"))
    assert after(rejected, ProposalChange(action="relate", concept="c1", target="c3", type="OPPOSES")) == proposal


def test_relating_again_renews_the_reasoning(proposal, after):
    again = ProposalChange(action="relate", concept="c3", target="c1", type="OPPOSES", reasoning="They share the day")
    changed = after(proposal, again)
    assert (relations(changed), changed.relations[0].reasoning) == (relations(proposal), "They share the day")


def test_two_concepts_relate_no_longer_whatever_bound_them(proposal, after):
    related = after(proposal, ProposalChange(action="relate", concept="c1", target="c3", type="RELATES_TO"))
    changed = after(related, ProposalChange(action="unrelate", concept="c3", target="c1"))
    assert relations(changed) == relations(proposal)[1:]


def test_a_relation_to_a_kept_concept_changes_its_type_in_one_answer(proposal, after):
    changed = after(
        proposal,
        ProposalChange(action="unrelate", concept="c2", target=KEPT, type="PART_OF"),
        ProposalChange(action="relate", concept="c2", target=KEPT, type="SPECIFIC_OF"),
    )
    assert changed.relations[-1].key == f"c2 SPECIFIC_OF {KEPT}"
    assert changed.relations[-1].title == "Flow"
