"""A proposal for a book with six quotes, and how changes are made to it."""

from collections.abc import Sequence
from functools import partial

import pytest
from tests.concepts.proposal_edits.book import KEPT, QUOTES, uuid_of

from studium.concepts.domain import RelationType
from studium.concepts.proposal import CandidateConcept, CandidateRelation, DuplicateDetection, Proposal, SupportingQuote
from studium.concepts.proposal_edits.apply import apply_changes


def concept(key: str, title: str, text: str, quotes: Sequence[str]) -> CandidateConcept:
    backings = tuple(SupportingQuote(quote=quote, reasoning=f"{quote} says so", confidence=0.8) for quote in quotes)
    return CandidateConcept(key=key, uuid=uuid_of(title, quotes), title=title, concept=text, quotes=backings)


@pytest.fixture
def proposal() -> Proposal:
    return Proposal(
        concepts=(
            concept("c1", "Deep work", "Hard thinking needs hours without interruption.", ["q1", "q2"]),
            concept("c2", "Atención sostenida", "Pensar exige no cambiar de tarea.", ["q2", "q3"]),
            concept("c3", "Shallow work", "Messages fill the day and leave nothing behind.", ["q4"]),
        ),
        relations=(
            CandidateRelation(source="c1", target="c3", type=RelationType.OPPOSES, reasoning="One excludes the other"),
            CandidateRelation(source="c2", target="c3", type=RelationType.OPPOSES, confidence=0.5),
            CandidateRelation(source="c2", target="c1", type=RelationType.SIMILAR_TO),
            CandidateRelation(source="c2", target=KEPT, title="Flow", type=RelationType.PART_OF),
        ),
        detections=(
            DuplicateDetection(candidate="c1", other="c2", title="Atención sostenida", similarity=0.8, verdict="same"),
        ),
        unattributed=("q5", "q6"),
    )


@pytest.fixture
def apply():
    return partial(apply_changes, quotes=QUOTES, new_uuid=uuid_of)


@pytest.fixture
def after(apply):
    """What stands after changes that can all be made."""

    def made(proposal: Proposal, *changes) -> Proposal:
        changed, findings = apply(proposal, changes)
        assert findings == ()
        return changed

    return made
