"""The critique loop: checks six points, and refines the concepts that they name."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from studium.concepts.dependencies import Dependencies
from studium.concepts.domain import Quote, concept_uuid
from studium.concepts.nodes.skill_inputs import partial_proposal_input, proposal_input, quote_views, quotes_by_key
from studium.concepts.proposal import Proposal, ProposalChange
from studium.concepts.proposal_edits.apply import apply_changes
from studium.concepts.rules.checklist import SameIdea, check_points, join_points
from studium.concepts.skills import CRITIQUE, REFINE, ChecklistPoint, CritiqueInput, RefineInput
from studium.concepts.state import (
    ConceptExtractionState,
    CritiqueEntry,
    QualityAssessment,
    as_state,
    proposal_of,
    quote_keys,
)
from studium.core.domain.finding import Finding, Severity


def revise_proposal(
    proposal: Proposal, changes: Sequence[ProposalChange], state: ConceptExtractionState, quotes: Mapping[str, Quote]
) -> tuple[Proposal, list[Finding]]:
    """The proposal after these changes, and those that could not be made."""

    def new_uuid(title: str, keys: Sequence[str]) -> str:
        return concept_uuid(state["content_uuid"], title, [quotes[key].uuid for key in keys if key in quotes])

    after, findings = apply_changes(proposal, changes, quotes=quote_keys(state), new_uuid=new_uuid)
    return after, list(findings)


_JUDGED_TOGETHER = 40


@dataclass(frozen=True)
class CritiqueNodes:
    """The nodes of the critique loop."""

    deps: Dependencies
    same: SameIdea

    async def self_critique(self, state: ConceptExtractionState) -> ConceptExtractionState:
        """Check the six points by code and by the critic model; a point passes if both agree."""
        proposal = proposal_of(state)
        quotes = await asyncio.to_thread(quotes_by_key, self.deps.graph, state)
        language = state["language"]
        given = proposal_input(proposal, quotes, language)
        points = await asyncio.to_thread(check_points, given, self.same)
        answers = await asyncio.gather(
            *(self.deps.model.answer(CRITIQUE, each) for each in _parts(given, proposal, quotes))
        )
        for answer in answers:
            points = join_points(points, answer.output.points if answer.output else (), given)
        return {
            "quality_assessment": assess(points),
            "iteration_count": state.get("iteration_count", 0) + 1,
            "warnings": [finding for answer in answers for finding in answer.findings],
        }

    async def refine_extraction(self, state: ConceptExtractionState) -> ConceptExtractionState:
        """Refine what the critique named, and nothing else."""
        proposal, assessment = proposal_of(state), state["quality_assessment"]
        iteration = state.get("phase_1_iteration", 0) + 1
        remarks = assessment.remarks if assessment else ()
        quotes = await asyncio.to_thread(quotes_by_key, self.deps.graph, state)
        named = {key for remark in remarks for key in remark.concepts}
        given = partial_proposal_input(proposal, quotes, state["language"], named)
        loose = [key for remark in remarks for key in remark.quotes]
        answer = await self.deps.model.answer(
            REFINE,
            RefineInput(
                language=given.language,
                concepts=given.concepts,
                quotes=(*given.quotes, *quote_views(quotes, (key for key in loose if key not in _keys(given)))),
                relations=given.relations,
                remarks=remarks,
            ),
        )
        wanted = answer.output.changes if answer.output else ()
        changes, strayed = _within(wanted, named)
        after, findings = revise_proposal(proposal, changes, state, quotes)
        entry = CritiqueEntry(iteration=iteration, remarks=remarks, changes=len(changes))
        return {
            **as_state(after),
            "phase_1_iteration": iteration,
            "stalled": after == proposal,
            "critique_log": [entry],
            "warnings": [*answer.findings, *strayed, *findings],
        }


def assess(points: Sequence[ChecklistPoint]) -> QualityAssessment:
    """The points, and whether all pass."""
    return QualityAssessment(overall_passes=all(point.passes for point in points), points=tuple(points))


def _parts(given: CritiqueInput, proposal: Proposal, quotes: Mapping[str, Quote]) -> Iterator[CritiqueInput]:
    """The proposal in batches that fit one model call; a small one in one batch, with the unused quotes."""
    keys = [idea.key for idea in given.concepts]
    if len(keys) <= _JUDGED_TOGETHER and len(given.unattributed) <= _JUDGED_TOGETHER:
        yield given
        return
    for start in range(0, len(keys), _JUDGED_TOGETHER):
        yield partial_proposal_input(proposal, quotes, given.language, keys[start : start + _JUDGED_TOGETHER])


def _keys(given: CritiqueInput) -> set[str]:
    return {quote.key for quote in given.quotes}


def _within(changes: Iterable[ProposalChange], named: set[str]) -> tuple[list[ProposalChange], list[Finding]]:
    """The changes to what was named; a refinement that touches more is held back."""
    kept, strayed = [], []
    for change in changes:
        touched = {change.concept, *change.others} - {""}
        if touched <= named:
            kept.append(change)
        else:
            strayed.append(_strayed(change, touched - named))
    return kept, strayed


def _strayed(change: ProposalChange, keys: set[str]) -> Finding:
    wanted = f"A refinement wanted to {change.action} {', '.join(sorted(keys))}"
    message = f"{wanted}, which the critic had not named. It was not applied."
    return Finding(code="concepts.strayed", severity=Severity.INFO, message=message)
