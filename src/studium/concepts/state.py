"""The states of the two LangGraph graphs of concepts.

Quotes stay in the graph store; the state names them by id, and a quote's place in `quotes` gives its key (`q12`).
"""

import operator
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypedDict

from studium.concepts.domain import Content, Person, Quote, RelationType
from studium.concepts.proposal import (
    CandidateConcept,
    CandidateRelation,
    DuplicateDetection,
    ItemStatus,
    MergeRecord,
    Proposal,
    SupportingQuote,
    quote_key,
    unattributed_quotes,
)
from studium.concepts.skills import ChecklistPoint, RelationQuery, Remark
from studium.core.domain.finding import Finding, Locator, Severity
from studium.core.domain.value import Value

Phase = Literal["extraction", "human_review", "commit", "end"]


@dataclass
class State:
    """The import of a file of quotes; `title` chooses the book where the file holds several."""

    file_path: str
    author: str = ""
    title: str = ""
    file_content: str | None = None
    book: Content | None = None
    parsed_author: Person | None = None
    quotes: list[Quote] | None = None
    sections: list[str] | None = None
    summary: str | None = None
    summary_short: str | None = None
    language: str = "und"
    added: list[str] = field(default_factory=list)
    edited: list[str] = field(default_factory=list)
    findings: Annotated[list[Finding], operator.add] = field(default_factory=list)


class StateUpdate(TypedDict, total=False):
    """What a node of the import changes in the state."""

    author: str
    title: str
    file_content: str
    book: Content
    parsed_author: Person
    quotes: list[Quote]
    sections: list[str]
    summary: str
    summary_short: str
    language: str
    added: list[str]
    edited: list[str]
    findings: list[Finding]


class ExistingWithQuotes(Value):
    """An existing concept, and the quotes of this book that support it too."""

    concept: str
    title: str
    quotes: tuple[SupportingQuote, ...]


class QualityAssessment(Value):
    """What the critic says: the six points, and whether all pass."""

    overall_passes: bool
    points: tuple[ChecklistPoint, ...]

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What is wrong, point after point."""
        return tuple(remark for point in self.points for remark in point.remarks)


class CritiqueEntry(Value):
    """One critique round: its remarks, and how many changes followed."""

    iteration: int
    remarks: tuple[Remark, ...]
    changes: int


class Neighbour(Value):
    """A concept near another: a candidate by key, a kept one by id."""

    key: str
    similarity: float


class ReviewPayload(TypedDict):
    """What the extraction shows when it stops for review, as JSON.

    `book`, `proposal`, `quotes` and `quality_assessment` are the JSON of `Content`, `Proposal`, `QuoteView` and
    `QualityAssessment`; `answer_with` is the JSON schema of an answer.
    """

    book: dict[str, Any] | None
    begun: str
    round: int
    fingerprint: str
    proposal: dict[str, Any]
    quotes: list[dict[str, Any]]
    quality_assessment: dict[str, Any] | None
    warnings: list[str]
    answer_with: dict[str, Any]


class ConceptExtractionState(TypedDict, total=False):
    """The extraction of one book.

    `again` includes quotes that already have concepts. `begun` distinguishes the rounds of this review from
    those of any other. `stalled` says that a refinement changed nothing. `kept_by` is the run to undo.
    `drawn_relations` are the relations before concepts were merged, so that a merge can be undone.
    """

    content_uuid: str
    again: bool
    begun: str
    content: Content | None
    quotes: list[str]
    language: str
    phase: Phase
    iteration_count: int
    phase_1_iteration: int
    phase_2_iteration: int
    candidate_concepts: list[CandidateConcept]
    duplicate_detections: list[DuplicateDetection]
    novel_concepts: list[str]
    existing_concepts_with_quotes: list[ExistingWithQuotes]
    relation_queries: dict[str, list[RelationQuery]]
    relation_candidates: dict[str, list[Neighbour]]
    relations: list[CandidateRelation]
    drawn_relations: list[CandidateRelation]
    unattributed_quotes: list[str]
    quality_assessment: QualityAssessment | None
    critique_log: Annotated[list[CritiqueEntry], operator.add]
    stalled: bool
    human_feedback: str | None
    human_approved: bool
    kept_by: str
    errors: Annotated[list[Finding], operator.add]
    warnings: Annotated[list[Finding], operator.add]


def proposal_of(state: ConceptExtractionState) -> Proposal:
    """The current proposal."""
    concepts = tuple(state.get("candidate_concepts", ()))
    return Proposal(
        concepts=concepts,
        relations=tuple(state.get("relations", ())),
        drawn=tuple(state.get("drawn_relations", ())),
        detections=tuple(state.get("duplicate_detections", ())),
        unattributed=unattributed_quotes(concepts, quote_keys(state)),
    )


def as_state(proposal: Proposal) -> ConceptExtractionState:
    """The state fields for a proposal."""
    titles = {each.other: each.title for each in proposal.detections}
    return {
        "candidate_concepts": list(proposal.concepts),
        "relations": list(proposal.relations),
        "drawn_relations": list(proposal.drawn),
        "duplicate_detections": list(proposal.detections),
        "unattributed_quotes": list(proposal.unattributed),
        "novel_concepts": [each.key for each in proposal.live_concepts if not each.same_as],
        "existing_concepts_with_quotes": [
            ExistingWithQuotes(concept=each.same_as, title=titles.get(each.same_as, each.title), quotes=each.quotes)
            for each in proposal.live_concepts
            if each.same_as
        ],
    }


def quote_keys(state: ConceptExtractionState) -> list[str]:
    """The keys of the quotes, in their order."""
    return [quote_key(position) for position in range(len(state.get("quotes", ())))]


# The types of ours that a checkpoint of this state holds.
CHECKPOINTED = (
    SupportingQuote,
    CandidateConcept,
    Content,
    CritiqueEntry,
    DuplicateDetection,
    ExistingWithQuotes,
    Finding,
    CandidateRelation,
    Locator,
    MergeRecord,
    Neighbour,
    ChecklistPoint,
    QualityAssessment,
    RelationQuery,
    RelationType,
    Remark,
    Severity,
    ItemStatus,
)
