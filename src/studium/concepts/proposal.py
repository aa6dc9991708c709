"""The proposal for a book, its review changes, and the answer to a review."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Literal

from pydantic import Field, StrictBool

from studium.concepts.domain import RelationType
from studium.core.domain.value import Value


class ItemStatus(StrEnum):
    """The review status of one item."""

    PROPOSED = "proposed"
    APPROVED = "approved"
    REJECTED = "rejected"


class SupportingQuote(Value):
    """A quote (by its key, `q12`) that supports a concept, and why."""

    quote: str
    reasoning: str = ""
    confidence: float | None = Field(default=None, ge=0, le=1)


class MergeRecord(Value):
    """One merge into a concept: where the merged concepts were, and what the concept was before."""

    places: tuple[int, ...]
    quotes: tuple[SupportingQuote, ...] = ()
    same_as: str | None = None


class CandidateConcept(Value):
    """A proposed concept.

    `key` (`c3`) names it for people and models within the proposal, and is never reused; `uuid` is its
    id in the graph. `same_as` is the stored concept that it equals, if any. `merged` holds the concepts it was made of,
    and `merges` what each merge changed (the latest last), so that a merge can be undone.
    """

    key: str
    uuid: str
    title: str
    concept: str
    analysis: str = ""
    summary: str = ""
    summary_short: str = ""
    quotes: tuple[SupportingQuote, ...] = ()
    same_as: str | None = None
    merged: "tuple[CandidateConcept, ...]" = ()
    merges: tuple[MergeRecord, ...] = ()
    standing: ItemStatus = ItemStatus.PROPOSED

    @property
    def is_live(self) -> bool:
        """Whether it is not rejected."""
        return self.standing is not ItemStatus.REJECTED


class DuplicateDetection(Value):
    """The comparison of a candidate with another concept: `other` is a key, or the id of a stored one."""

    candidate: str
    other: str
    title: str
    similarity: float
    verdict: Literal["same", "related", "different"]
    reasoning: str = ""


class CandidateRelation(Value):
    """A relation of a candidate to another concept: `target` is a key, or the id of a stored one with its `title`."""

    source: str
    target: str
    title: str = ""
    type: RelationType
    reasoning: str = ""
    confidence: float | None = Field(default=None, ge=0, le=1)
    standing: ItemStatus = ItemStatus.PROPOSED

    @property
    def is_live(self) -> bool:
        """Whether it is not rejected."""
        return self.standing is not ItemStatus.REJECTED

    @property
    def key(self) -> str:
        """Its name for people: `c1 OPPOSES c4`."""
        return f"{self.source} {self.type.value} {self.target}"


class Proposal(Value):
    """All that is proposed for a book; `unattributed` are the keys of quotes without a live concept.

    `drawn` are the relations before concepts were merged; empty if they are the same as `relations`.
    """

    concepts: tuple[CandidateConcept, ...] = ()
    relations: tuple[CandidateRelation, ...] = ()
    drawn: tuple[CandidateRelation, ...] = ()
    detections: tuple[DuplicateDetection, ...] = ()
    unattributed: tuple[str, ...] = ()

    @property
    def live_concepts(self) -> tuple[CandidateConcept, ...]:
        """The concepts that are not rejected."""
        return tuple(each for each in self.concepts if each.is_live)

    @property
    def live_relations(self) -> tuple[CandidateRelation, ...]:
        """The relations that are not rejected, between concepts that are not rejected."""
        dead = {each.key for each in self.concepts if not each.is_live}
        return tuple(each for each in self.relations if each.is_live and not dead & {each.source, each.target})

    def concept(self, key: str) -> CandidateConcept | None:
        """The concept with this key."""
        return next((each for each in self.concepts if each.key == key), None)


def quote_key(position: int) -> str:
    """The key of the quote at this position (from 0) of its book."""
    return f"q{position + 1}"


def unattributed_quotes(concepts: Iterable[CandidateConcept], quotes: Sequence[str]) -> tuple[str, ...]:
    """The keys of the quotes without a live concept, in order."""
    carrying = {backing.quote for each in concepts if each.is_live for backing in each.quotes}
    return tuple(key for key in quotes if key not in carrying)


ChangeAction = Literal["approve", "reject", "restore", "edit", "merge", "unmerge", "split", "add", "relate", "unrelate"]


class SplitPart(Value):
    """One concept that another is split into; `quotes` are keys (`q12`)."""

    title: str
    concept: str = ""
    analysis: str = ""
    quotes: tuple[str, ...] = ()


class ProposalChange(Value):
    """One change to a proposal.

    - approve, reject, restore: `concept` stands, goes, or comes back; with `target` and `type`, a relation of it does.
    - edit: the fields that are given replace those of `concept`; `quotes` replaces its quotes; `same_as` says which
      kept concept (by id) it is, and "" that it is none.
    - merge: `others` become part of `concept`; unmerge takes `concept` apart again.
    - split: `concept` becomes the `parts`.
    - add: a new concept with `title`, `text` and `quotes`.
    - relate, unrelate: `concept` relates to `target` by `type`, or no longer.
    """

    action: ChangeAction
    concept: str = ""
    others: tuple[str, ...] = ()
    parts: tuple[SplitPart, ...] = ()
    title: str | None = None
    text: str | None = Field(default=None, description="What the concept says.")
    analysis: str | None = None
    summary: str | None = None
    summary_short: str | None = None
    quotes: tuple[str, ...] | None = None
    same_as: str | None = None
    target: str = ""
    type: RelationType | None = None
    reasoning: str = ""


class ReviewAnswer(Value):
    """The answer to a proposal: changes, feedback, and whether to save the result.

    `proposal` is the fingerprint of the proposal that was shown; an answer to an older one is refused.
    """

    approved: StrictBool = False
    feedback: str = ""
    changes: tuple[ProposalChange, ...] = ()
    proposal: str | None = None
