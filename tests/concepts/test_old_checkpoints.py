"""An open review of version 0.1 still opens, although its classes have other names and paths now."""

from pathlib import Path

from studium.concepts.domain import Content, RelationType
from studium.concepts.proposal import (
    CandidateConcept,
    CandidateRelation,
    DuplicateDetection,
    ItemStatus,
    MergeRecord,
    SupportingQuote,
)
from studium.concepts.skills import ChecklistPoint, RelationQuery, Remark
from studium.concepts.state import CHECKPOINTED, CritiqueEntry, ExistingWithQuotes, Neighbour, QualityAssessment
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.runs.checkpoints import checkpoint_serializer

QUOTE = SupportingQuote(quote="q1", reasoning="It says so.", confidence=0.5)
REMARK = Remark(message="Two ideas in one.", concepts=("c1",))
STATE = {
    "content": Content(uuid="b", name="Walden", title="Walden"),
    "candidate_concepts": [
        CandidateConcept(
            key="c1",
            uuid="u1",
            title="Time",
            concept="Time is a stream.",
            quotes=(QUOTE,),
            merged=(CandidateConcept(key="c2", uuid="u2", title="Stream", concept="A stream."),),
            merges=(MergeRecord(places=(1,), quotes=(QUOTE,)),),
            standing=ItemStatus.APPROVED,
        )
    ],
    "duplicate_detections": [
        DuplicateDetection(candidate="c1", other="c2", title="Stream", similarity=0.9, verdict="same")
    ],
    "relations": [
        CandidateRelation(source="c1", target="c3", type=RelationType.SUPPORTS, standing=ItemStatus.REJECTED)
    ],
    "existing_concepts_with_quotes": [ExistingWithQuotes(concept="k", title="Kept", quotes=(QUOTE,))],
    "relation_queries": {"c1": [RelationQuery(type=RelationType.SUPPORTS, text="stream")]},
    "relation_candidates": {"c1": [Neighbour(key="c2", similarity=0.4)]},
    "quality_assessment": QualityAssessment(
        overall_passes=False, points=(ChecklistPoint(name="atomicity", passes=False, remarks=(REMARK,)),)
    ),
    "critique_log": [CritiqueEntry(iteration=1, remarks=(REMARK,), changes=0)],
    "warnings": [
        Finding(code="x.y", severity=Severity.WARNING, message="Careful.", where=Locator(path="walden.md", line=3))
    ],
}


def test_a_state_of_version_0_1_is_read():
    written = Path(__file__).with_name("version_0_1.msgpack").read_bytes()
    assert checkpoint_serializer(CHECKPOINTED).loads_typed(("msgpack", written)) == STATE


def test_a_state_of_this_version_is_read():
    serializer = checkpoint_serializer(CHECKPOINTED)
    assert serializer.loads_typed(serializer.dumps_typed(STATE)) == STATE


def test_an_old_name_of_a_type_that_is_not_expected_stays_plain_data():
    written = Path(__file__).with_name("version_0_1.msgpack").read_bytes()
    read = checkpoint_serializer(()).loads_typed(("msgpack", written))
    assert read["content"]["title"] == "Walden"
