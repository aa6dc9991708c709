"""Phases 2 and 3: a person reviews the proposal, and what they approve is committed and published."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langgraph.types import interrupt
from pydantic import ValidationError

from studium.concepts.dependencies import Dependencies
from studium.concepts.domain import Concept, ConceptGraph, Content, GraphCommit, Quote, Relation, Support
from studium.concepts.nodes.critique import assess, revise_proposal
from studium.concepts.nodes.skill_inputs import proposal_input, quote_views, quotes_by_key
from studium.concepts.proposal import (
    CandidateConcept,
    CandidateRelation,
    ItemStatus,
    Proposal,
    ReviewAnswer,
    SupportingQuote,
)
from studium.concepts.proposal_edits.apply import proposal_fingerprint
from studium.concepts.rules.checklist import SameIdea, check_points
from studium.concepts.search import embedding_text
from studium.concepts.skills import FEEDBACK, FeedbackInput
from studium.concepts.state import ConceptExtractionState, ReviewPayload, as_state, proposal_of
from studium.core.domain.finding import Finding, Severity

UNSUPPORTED_CODE = "concepts.groundless"
"""The finding code for a concept whose quotes were all deleted before approval."""


@dataclass(frozen=True)
class CommitNodes:
    """The nodes. The first two prepare the commit; the third writes it in one transaction."""

    deps: Dependencies

    async def create_concepts_db(self, state: ConceptExtractionState) -> ConceptExtractionState:
        """Embed the new concepts before anything is written, since it may take long."""
        proposal, _ = await asyncio.to_thread(drop_removed, self.deps.graph, state)
        await self.deps.vectors([embedding_text(each) for each in _novel(proposal)])
        return {"phase": "commit"}

    async def create_relations_db(self, state: ConceptExtractionState) -> ConceptExtractionState:
        """Drop whatever depends on something that was deleted while the proposal waited."""
        proposal, lost = await asyncio.to_thread(drop_removed, self.deps.graph, state)
        return {**as_state(proposal), "warnings": lost}

    async def create_supports_relations(self, state: ConceptExtractionState) -> ConceptExtractionState:
        """Commit concepts, relations and supports, all or nothing."""
        # Checked again: this step may run long after the one before it.
        proposal, lost = await asyncio.to_thread(drop_removed, self.deps.graph, state)
        concepts = _novel(proposal)
        vectors = await self.deps.vectors([embedding_text(each) for each in concepts])
        quotes = await asyncio.to_thread(quotes_by_key, self.deps.graph, state)
        ends = _ids(proposal)
        approved = GraphCommit(
            book=state["content_uuid"],
            concepts=tuple(_concept(each, state.get("content")) for each in concepts),
            vectors={} if vectors is None else dict(zip((each.uuid for each in concepts), vectors, strict=True)),
            relations=tuple(_relations(proposal, ends)),
            supports=tuple(
                Support(
                    quote=quotes[backing.quote].uuid,
                    concept=ends[each.key],
                    reasoning=backing.reasoning,
                    confidence=backing.confidence,
                )
                for each in proposal.live_concepts
                for backing in each.quotes
                if backing.quote in quotes
            ),
        )
        kept_by = await asyncio.to_thread(self.deps.commit, approved)
        return {**as_state(proposal), "warnings": lost, "kept_by": kept_by}

    async def create_obsidian_files(self, state: ConceptExtractionState) -> ConceptExtractionState:
        """Update the notes of these concepts and of related ones."""
        findings = await asyncio.to_thread(self.deps.publish, sorted(set(_ids(proposal_of(state)).values())))
        return {"warnings": list(findings)}

    async def update_processed_date(self, state: ConceptExtractionState) -> ConceptExtractionState:
        """Record when the book was processed."""
        now = self.deps.now().isoformat(timespec="seconds")
        done = GraphCommit(book=state["content_uuid"], processed_date=now)
        await asyncio.to_thread(self.deps.graph.commit, done)
        book = state.get("content")
        return {"phase": "end", "content": book and book.model_copy(update={"processed_date": now})}


def drop_removed(graph: ConceptGraph, state: ConceptExtractionState) -> tuple[Proposal, list[Finding]]:
    """The proposal without what was deleted from the graph since, and findings about it."""
    proposal, quotes = proposal_of(state), quotes_by_key(graph, state)
    groundless = [each for each in proposal.live_concepts if each.quotes and not _carrying(each, quotes)]
    left = [_rejected(each) if each in groundless else each for each in proposal.concepts]
    orphans = [each for each in left if each.is_live and each.same_as and _is_gone(each.same_as, graph, left)]
    # Several candidates that match one stored concept are still one.
    heirs = {each.same_as: each.uuid for each in reversed(orphans)}
    concepts = tuple(_inherited(each, heirs) for each in left)
    links = proposal.model_copy(update={"concepts": concepts}).live_relations
    lost = [link for link in links if proposal.concept(link.target) is None and graph.concept(link.target) is None]
    kept = tuple(link for link in links if link not in lost)
    found = [*map(_told_groundless, groundless), *map(_told_orphan, orphans), *(_told_lost(one, left) for one in lost)]
    return proposal.model_copy(update={"concepts": concepts, "relations": kept}), found


def _carrying(candidate: CandidateConcept, quotes: Mapping[str, Quote]) -> list[SupportingQuote]:
    return [backing for backing in candidate.quotes if backing.quote in quotes]


def _rejected(candidate: CandidateConcept) -> CandidateConcept:
    return candidate.model_copy(update={"standing": ItemStatus.REJECTED})


def _is_gone(uuid: str, graph: ConceptGraph, candidates: Sequence[CandidateConcept]) -> bool:
    to_come = {each.uuid for each in candidates if each.is_live and not each.same_as}
    return uuid not in to_come and graph.concept(uuid) is None


def _inherited(candidate: CandidateConcept, heirs: Mapping[str | None, str]) -> CandidateConcept:
    heir = heirs.get(candidate.same_as, candidate.same_as)
    return candidate.model_copy(update={"same_as": None if heir == candidate.uuid else heir})


def _novel(proposal: Proposal) -> list[CandidateConcept]:
    """The concepts to save that are not in the graph yet."""
    return [each for each in proposal.live_concepts if not each.same_as]


def _ids(proposal: Proposal) -> dict[str, str]:
    """The id under which each candidate that is not rejected is saved."""
    return {each.key: each.same_as or each.uuid for each in proposal.live_concepts}


def _relations(proposal: Proposal, ends: dict[str, str]) -> list[Relation]:
    told = [
        Relation(
            source=ends[link.source],
            target=ends.get(link.target, link.target),
            type=link.type,
            reasoning=link.reasoning,
            confidence=link.confidence,
        )
        for link in proposal.live_relations
    ]
    # Two candidates may match one stored concept, which does not relate to itself.
    return [relation for relation in told if relation.source != relation.target]


def _concept(candidate: CandidateConcept, book: Content | None) -> Concept:
    return Concept(
        uuid=candidate.uuid,
        name=candidate.title,
        title=candidate.title,
        concept=candidate.concept,
        analysis=candidate.analysis,
        summary=candidate.summary,
        summary_short=candidate.summary_short,
        source=" — ".join(part for part in (book.title, book.author) if part) if book else "",
    )


def _told_groundless(candidate: CandidateConcept) -> Finding:
    return _warning(UNSUPPORTED_CODE, f"“{candidate.title}” was left out: its quotes have been deleted.")


def _told_orphan(candidate: CandidateConcept) -> Finding:
    message = f"“{candidate.title}” is saved as a new concept: the concept it matched has been deleted."
    return _warning("concepts.kept_anew", message)


def _told_lost(link: CandidateRelation, candidates: Sequence[CandidateConcept]) -> Finding:
    source = next((each.title for each in candidates if each.key == link.source), link.source)
    message = (
        f"“{source}” {link.type.value} “{link.title or link.target}” was left out: the second concept has been deleted."
    )
    return _warning("concepts.relation_lost", message)


def _warning(code: str, message: str) -> Finding:
    return Finding(code=code, severity=Severity.WARNING, message=message)


@dataclass(frozen=True)
class ReviewNodes:
    """The nodes of the review."""

    deps: Dependencies
    same: SameIdea

    async def present_for_review(self, state: ConceptExtractionState) -> ConceptExtractionState:
        """Show the proposal and wait; then apply the answer's changes."""
        # Everything above `interrupt` runs again when the answer arrives, so it only reads.
        proposal = proposal_of(state)
        quotes = await asyncio.to_thread(quotes_by_key, self.deps.graph, state)
        answered = interrupt(review_payload(state, proposal, quotes))
        answer, refused = _read(answered, proposal)
        after, findings = revise_proposal(proposal, answer.changes, state, quotes)
        findings += refused
        # The person may have approved the rest because of a change that could not be made, so they look again.
        approved = answer.approved and not findings and not answer.feedback
        rounds = state.get("phase_2_iteration", 0) + 1
        if rounds >= self.deps.policy.max_reviews and not approved:
            findings.append(_rounds_are_over(rounds))
        return {
            **as_state(after),
            "phase": "commit" if approved else "human_review",
            "phase_2_iteration": rounds,
            "iteration_count": state.get("iteration_count", 0) + 1,
            "human_approved": approved,
            "human_feedback": answer.feedback or None,
            "warnings": findings,
        }

    async def incorporate_feedback(self, state: ConceptExtractionState) -> ConceptExtractionState:
        """Apply the user's feedback and critique the result."""
        proposal, language = proposal_of(state), state["language"]
        quotes = await asyncio.to_thread(quotes_by_key, self.deps.graph, state)
        findings: list[Finding] = []
        if feedback := state.get("human_feedback"):
            proposal, findings = await self._heed(feedback, state, proposal, quotes)
        points = await asyncio.to_thread(check_points, proposal_input(proposal, quotes, language), self.same)
        return {
            **as_state(proposal),
            "human_feedback": None,
            "quality_assessment": assess(points),
            "warnings": findings,
        }

    async def _heed(
        self, feedback: str, state: ConceptExtractionState, proposal: Proposal, quotes: dict[str, Quote]
    ) -> tuple[Proposal, list[Finding]]:
        given = proposal_input(proposal, quotes, state["language"])
        told = FeedbackInput(
            language=given.language,
            feedback=feedback,
            concepts=given.concepts,
            quotes=quote_views(quotes, quotes),
            relations=given.relations,
        )
        answer = await self.deps.model.answer(FEEDBACK, told)
        if answer.output is None:
            return proposal, list(answer.findings)
        after, findings = revise_proposal(proposal, answer.output.changes, state, quotes)
        left = [_warning("concepts.not_done", answer.output.not_done)] if answer.output.not_done else []
        return after, [*answer.findings, *findings, *left]


def review_payload(state: ConceptExtractionState, proposal: Proposal, quotes: dict[str, Quote]) -> ReviewPayload:
    """All that a person needs to decide, as JSON."""
    book, assessment = state.get("content"), state.get("quality_assessment")
    return {
        "book": book.model_dump(mode="json") if book else None,
        "begun": state.get("begun", ""),
        "round": state.get("phase_2_iteration", 0) + 1,
        "fingerprint": proposal_fingerprint(proposal),
        "proposal": proposal.model_dump(mode="json"),
        "quotes": [each.model_dump(mode="json") for each in quote_views(quotes, quotes)],
        "quality_assessment": assessment.model_dump(mode="json") if assessment else None,
        "warnings": [str(finding) for finding in state.get("warnings", ())],
        "answer_with": ReviewAnswer.model_json_schema(),
    }


def _read(answered: Any, proposal: Proposal) -> tuple[ReviewAnswer, list[Finding]]:
    """The answer, as far as it can be applied."""
    try:
        answer = ReviewAnswer.model_validate(answered)
    except ValidationError as error:
        return ReviewAnswer(), [
            _warning("concepts.answer_refused", f"The answer to the review cannot be read: {error}")
        ]
    if answer.proposal not in (None, proposal_fingerprint(proposal)):
        older = "The answer was given to an older proposal. Look at the current one."
        return ReviewAnswer(), [_warning("concepts.answer_refused", older)]
    return answer, []


def _rounds_are_over(rounds: int) -> Finding:
    message = f"After {rounds} rounds the review stops. The work is saved; start the extraction again to resume it."
    return _warning("concepts.rounds_over", message)
