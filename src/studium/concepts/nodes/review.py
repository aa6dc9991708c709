"""Phase 2: a person sees the whole proposal, changes it item by item or in words, and says when it is to be kept."""

import asyncio
from dataclasses import dataclass
from typing import Any

from langgraph.types import interrupt
from pydantic import ValidationError

from studium.concepts.critique.checklist import SameIdea, check_points
from studium.concepts.dependencies import Dependencies
from studium.concepts.domain import Quote
from studium.concepts.nodes.critique import assess, revise_proposal
from studium.concepts.nodes.skill_inputs import proposal_input, quote_views, quotes_by_key
from studium.concepts.proposal import Proposal, ReviewAnswer
from studium.concepts.proposal_edits.apply import proposal_fingerprint
from studium.concepts.skills import FEEDBACK, FeedbackInput
from studium.concepts.state import ConceptExtractionState, as_state, proposal_of
from studium.core.domain.finding import Finding, Severity

StateUpdate = dict[str, Any]


@dataclass(frozen=True)
class ReviewNodes:
    """The nodes; each takes from the state, asks, and returns the change."""

    desk: Dependencies
    same: SameIdea

    async def present_for_review(self, state: ConceptExtractionState) -> StateUpdate:
        """Show the proposal and wait; then do to it what the answer says, item by item."""
        # Everything above `interrupt` happens once more when the answer comes: it only reads.
        proposal = proposal_of(state)
        quotes = await asyncio.to_thread(quotes_by_key, self.desk.graph, state)
        answered = interrupt(review_payload(state, proposal, quotes))
        answer, refused = _read(answered, proposal)
        after, findings = revise_proposal(proposal, answer.changes, state, quotes)
        findings += refused
        # A change that could not be made may be why the rest was approved: the person looks once more.
        approved = answer.approved and not findings and not answer.feedback
        rounds = state.get("phase_2_iteration", 0) + 1
        if rounds >= self.desk.policy.max_reviews and not approved:
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

    async def incorporate_feedback(self, state: ConceptExtractionState) -> StateUpdate:
        """Put the person's words into practice, and look at what then stands."""
        proposal, language = proposal_of(state), state["language"]
        quotes = await asyncio.to_thread(quotes_by_key, self.desk.graph, state)
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
        answer = await self.desk.model.answer(FEEDBACK, told)
        if answer.output is None:
            return proposal, list(answer.findings)
        after, findings = revise_proposal(proposal, answer.output.changes, state, quotes)
        left = [_warning("not_done", answer.output.not_done)] if answer.output.not_done else []
        return after, [*answer.findings, *findings, *left]


def review_payload(state: ConceptExtractionState, proposal: Proposal, quotes: dict[str, Quote]) -> dict[str, Any]:
    """All that a person needs to judge, in JSON."""
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
    """The answer, as far as it can be heeded."""
    try:
        answer = ReviewAnswer.model_validate(answered)
    except ValidationError as error:
        return ReviewAnswer(), [_warning("answer_refused", f"The answer to the review cannot be read: {error}")]
    if answer.proposal not in (None, proposal_fingerprint(proposal)):
        older = "The answer was given to an older proposal. Look at the present one."
        return ReviewAnswer(), [_warning("answer_refused", older)]
    return answer, []


def _rounds_are_over(rounds: int) -> Finding:
    message = f"After {rounds} rounds the review stops. The work is kept as it stands; begin again to go on with it."
    return _warning("rounds_over", message)


def _warning(code: str, message: str) -> Finding:
    return Finding(code=f"concepts.{code}", severity=Severity.WARNING, message=message)
