"""Whatever is done to a proposal, it stays one: no key twice, no quote lost, no relation to nowhere."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.concepts.proposal_edits.book import CHANGES, KEPT, QUOTES, TITLES, proposals, uuid_of

from studium.concepts.proposal import DuplicateDetection, ItemStatus, Proposal, ProposalChange
from studium.concepts.proposal_edits.apply import apply_changes
from studium.concepts.proposal_edits.revision import with_merged


def changed(proposal, changes):
    return apply_changes(proposal, changes, quotes=QUOTES, new_uuid=uuid_of)


@settings(max_examples=60)
@given(proposals(), st.lists(CHANGES, max_size=12))
def test_any_changes_leave_a_proposal_whole(proposal, changes):
    after, findings = changed(proposal, changes)
    every = [each.key for each in with_merged(after.concepts)]
    assert len(set(every)) == len(every)
    assert {each.key for each in with_merged(proposal.concepts)} <= set(every)
    uuids = [each.uuid for each in with_merged(after.concepts)]
    assert len(set(uuids)) == len(uuids)
    carrying = {backing.quote for each in after.live_concepts for backing in each.quotes}
    assert carrying.isdisjoint(after.unattributed)
    assert carrying | set(after.unattributed) == set(QUOTES)
    standing = {each.key for each in after.concepts}
    for link in after.relations:
        assert link.source in standing
        assert link.target in standing | {KEPT}
        assert link.source != link.target
    assert all(each.title.strip() for each in after.concepts)
    assert all(each.code.startswith("concepts.change_") for each in findings)
    assert Proposal.model_validate_json(after.model_dump_json()) == after


@settings(max_examples=60)
@given(proposals(), st.lists(CHANGES, max_size=8), st.lists(CHANGES, max_size=8))
def test_changes_in_two_rounds_are_changes_in_one(proposal, first, second):
    found = DuplicateDetection(candidate="c1", other=KEPT, title="Flow", similarity=0.7, verdict="related")
    start = proposal.model_copy(update={"detections": (found,)})
    between, findings = changed(start, first)
    stored = Proposal.model_validate_json(between.model_dump_json())
    after, later = changed(stored, second)
    assert changed(start, [*first, *second]) == (after, findings + later)


@settings(max_examples=60)
@given(proposals(), st.lists(CHANGES, max_size=6), st.data())
def test_a_merge_taken_apart_is_as_if_it_had_never_been(proposal, before, data):
    start, _ = changed(proposal, before)
    keys = [each.key for each in start.concepts]
    first = data.draw(st.sampled_from(keys))
    others = tuple(data.draw(st.lists(st.sampled_from(keys), max_size=4)))
    merged, _ = changed(start, [ProposalChange(action="merge", concept=first, others=others)])
    if merged != start:
        assert changed(merged, [ProposalChange(action="unmerge", concept=first)]) == (start, ())


@given(proposals(), st.data())
def test_merges_of_other_concepts_are_taken_apart_in_any_order(proposal, data):
    living = [each.key for each in proposal.live_concepts]
    half = len(living) // 2
    groups = [group for group in (living[:half], living[half:]) if len(group) > 1]
    merges = [ProposalChange(action="merge", concept=first, others=tuple(rest)) for first, *rest in groups]
    apart = data.draw(st.permutations([ProposalChange(action="unmerge", concept=each.concept) for each in merges]))
    after, findings = changed(proposal, [*merges, *apart])
    assert findings == ()
    assert after.relations == proposal.relations
    assert {each.key: each for each in after.concepts} == {each.key: each for each in proposal.concepts}


@given(proposals(), TITLES)
def test_a_rejected_concept_restored_is_as_before(proposal, title):
    start, _ = changed(proposal, [ProposalChange(action="add", title=title, quotes=("q1",))])
    key = start.concepts[-1].key
    rejected, _ = changed(start, [ProposalChange(action="reject", concept=key)])
    assert rejected.concept(key).standing is ItemStatus.REJECTED
    assert changed(rejected, [ProposalChange(action="restore", concept=key)]) == (start, ())
