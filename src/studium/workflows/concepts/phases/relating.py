"""Phase 1, second half: how the concepts relate to each other and to what is kept."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from studium.core.domain.finding import Finding
from studium.workflows.concepts.desk import Desk
from studium.workflows.concepts.neighbours import Neighbours, as_idea
from studium.workflows.concepts.proposal import Candidate, Link
from studium.workflows.concepts.skills import QUERIES, RELATE, Idea, QueriesGiven, RelateGiven, RelationQuery
from studium.workflows.concepts.state import ConceptExtractionState, Neighbour

Step = dict[str, Any]


@dataclass(frozen=True)
class RelatingSteps:
    """The nodes; each takes from the state, asks, and returns the change."""

    desk: Desk

    async def generate_relation_queries(self, state: ConceptExtractionState) -> Step:
        """Have texts made to search by, for each candidate side by side."""
        candidates = [each for each in state["candidate_concepts"] if each.lives]
        language = state["language"]
        given = (QueriesGiven(idea=as_idea(each), language=language) for each in candidates)
        answers = await asyncio.gather(*(self.desk.mind.answer(QUERIES, each) for each in given))
        queries: dict[str, list[RelationQuery]] = {
            each.key: list(answer.output.queries)
            for each, answer in zip(candidates, answers, strict=True)
            if answer.output and answer.output.queries
        }
        return {"relation_queries": queries, "warnings": [each for answer in answers for each in answer.findings]}

    async def search_relation_candidates(self, state: ConceptExtractionState) -> Step:
        """Search by these texts, among the candidates and among what is kept."""
        found = await asyncio.to_thread(self._search, state)
        # The queries have done their work; the state need not carry them through every round of review.
        return {"relation_candidates": found, "relation_queries": {}}

    async def create_relations_all(self, state: ConceptExtractionState) -> Step:
        """Have each candidate related, side by side, to what was found near it."""
        candidates = {each.key: each for each in state["candidate_concepts"] if each.lives}
        near = state.get("relation_candidates", {})
        ideas = await asyncio.to_thread(self._ideas, candidates.values(), near)
        related = await asyncio.gather(
            *(self._relate(candidates[key], found, ideas) for key, found in near.items() if key in candidates)
        )
        links = _once(link for found, _ in related for link in found)
        findings = [finding for _, findings in related for finding in findings]
        return {"relations": links, "relation_candidates": {}, "warnings": findings}

    def _search(self, state: ConceptExtractionState) -> dict[str, list[Neighbour]]:
        asked = [(key, query.text) for key, queries in state["relation_queries"].items() for query in queries]
        neighbours = Neighbours(self.desk.graph, self.desk.embed, state["candidate_concepts"], self.desk.policy)
        answers = neighbours.of_texts([text for _, text in asked], [key for key, _ in asked])
        best: dict[str, dict[str, float]] = {}
        for (key, _), found in zip(asked, answers, strict=True):
            known = best.setdefault(key, {})
            for each in found:
                known[each.key] = max(each.similarity, known.get(each.key, -1.0))
        return {key: _nearest(known, self.desk.policy.compared) for key, known in best.items()}

    def _ideas(self, candidates: Iterable[Candidate], near: dict[str, list[Neighbour]]) -> dict[str, Idea]:
        ideas = {each.key: as_idea(each) for each in candidates}
        for key in {each.key for found in near.values() for each in found} - ideas.keys():
            kept = self.desk.graph.concept(key)
            if kept:
                ideas[key] = Idea(key=key, title=kept.title, concept=kept.concept, analysis=kept.analysis)
        return ideas

    async def _relate(
        self, candidate: Candidate, near: list[Neighbour], ideas: dict[str, Idea]
    ) -> tuple[list[Link], list[Finding]]:
        # What a candidate is, it does not relate to.
        others = {each.key: each for each in near if each.key in ideas and each.key != candidate.same_as}
        if not others:
            return [], []
        given = RelateGiven(
            idea=as_idea(candidate),
            others=tuple(ideas[key] for key in others),
            similarities=tuple(each.similarity for each in others.values()),
        )
        answer = await self.desk.mind.answer(RELATE, given)
        links = [
            Link(
                source=candidate.key,
                target=told.other,
                title=ideas[told.other].title,
                type=told.type,
                reasoning=told.reasoning,
                confidence=told.confidence,
            )
            for told in (answer.output.relations if answer.output else ())
            if told.other in others
        ]
        return links, list(answer.findings)


def _nearest(known: dict[str, float], count: int) -> list[Neighbour]:
    ordered = sorted(known.items(), key=lambda each: (-each[1], each[0]))[:count]
    return [Neighbour(key=key, similarity=round(similarity, 3)) for key, similarity in ordered]


def _once(links: Iterable[Link]) -> list[Link]:
    """Each relation once, whichever of its two ends said it first."""
    told: dict[tuple[str, str, str], Link] = {}
    for link in links:
        if (link.target, link.source, link.type.inverse.value) not in told:
            told.setdefault((link.source, link.target, link.type.value), link)
    return list(told.values())
