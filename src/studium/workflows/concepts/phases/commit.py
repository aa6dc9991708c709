"""Phase 3: what was approved is kept in the graph, all or nothing, and then written to the vault."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from studium.domain.concept import Approved, Concept, Content, Relation, Support
from studium.domain.finding import Finding, Severity
from studium.workflows.concepts.desk import Desk
from studium.workflows.concepts.neighbours import embedded_text
from studium.workflows.concepts.proposal import Candidate, Link
from studium.workflows.concepts.showing import quotes_by_key
from studium.workflows.concepts.state import ConceptExtractionState, proposal_of

Step = dict[str, Any]


@dataclass(frozen=True)
class CommitSteps:
    """The nodes. The first two make sure of what is to be written; the third writes it, in one transaction."""

    desk: Desk

    async def create_concepts_db(self, state: ConceptExtractionState) -> Step:
        """Make sure that the concepts to be kept have vectors, which may take long, before anything is written."""
        await self.desk.vectors([embedded_text(each) for each in novel(state)])
        return {"phase": "commit"}

    async def create_relations_db(self, state: ConceptExtractionState) -> Step:
        """Let go of the relations whose ends are not kept."""
        links = proposal_of(state).living_relations
        lost = await asyncio.to_thread(self._lost, links, state)
        return {"relations": [link for link in links if link not in lost], "warnings": [_told(link) for link in lost]}

    async def create_supports_relations(self, state: ConceptExtractionState) -> Step:
        """Keep concepts, relations and what supports them, all or nothing."""
        concepts = novel(state)
        vectors = await self.desk.vectors([embedded_text(each) for each in concepts])
        quotes = await asyncio.to_thread(quotes_by_key, self.desk.graph, state)
        ends = _ids(state)
        approved = Approved(
            book=state["content_uuid"],
            concepts=tuple(_concept(each, state.get("content")) for each in concepts),
            vectors={} if vectors is None else dict(zip((each.uuid for each in concepts), vectors, strict=True)),
            relations=tuple(_relations(state, ends)),
            supports=tuple(
                Support(
                    quote=quotes[backing.quote].uuid,
                    concept=ends[each.key],
                    reasoning=backing.reasoning,
                    confidence=backing.confidence,
                )
                for each in proposal_of(state).living
                for backing in each.quotes
                if backing.quote in quotes
            ),
        )
        return {"kept_by": await asyncio.to_thread(self.desk.commit, approved)}

    async def create_obsidian_files(self, state: ConceptExtractionState) -> Step:
        """Bring the notes of these concepts up to date, and of those that they relate to."""
        findings = await asyncio.to_thread(self.desk.publish, sorted(set(_ids(state).values())))
        return {"warnings": list(findings)}

    async def update_processed_date(self, state: ConceptExtractionState) -> Step:
        """Write down when the book was worked on."""
        now = self.desk.now().isoformat(timespec="seconds")
        done = Approved(book=state["content_uuid"], processed_date=now)
        await asyncio.to_thread(self.desk.graph.commit, done)
        book = state.get("content")
        return {"phase": "end", "content": book and book.model_copy(update={"processed_date": now})}

    def _lost(self, links: Sequence[Link], state: ConceptExtractionState) -> list[Link]:
        """The relations to concepts that were kept before, and are no longer."""
        proposed = {each.key for each in state["candidate_concepts"]}
        return [link for link in links if link.target not in proposed and self.desk.graph.concept(link.target) is None]


def novel(state: ConceptExtractionState) -> list[Candidate]:
    """The concepts to be kept that are not kept yet."""
    return [each for each in proposal_of(state).living if not each.same_as]


def _ids(state: ConceptExtractionState) -> dict[str, str]:
    """Under which id each living candidate is kept."""
    return {each.key: each.same_as or each.uuid for each in proposal_of(state).living}


def _relations(state: ConceptExtractionState, ends: dict[str, str]) -> list[Relation]:
    told = [
        Relation(
            source=ends[link.source],
            target=ends.get(link.target, link.target),
            type=link.type,
            reasoning=link.reasoning,
            confidence=link.confidence,
        )
        for link in state.get("relations", ())
    ]
    # Two candidates may turn out to be one kept concept, which does not relate to itself.
    return [relation for relation in told if relation.source != relation.target]


def _concept(candidate: Candidate, book: Content | None) -> Concept:
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


def _told(link: Link) -> Finding:
    message = f"“{link.key}” was left out: there is no concept {link.target} any more."
    return Finding(code="concepts.relation_lost", severity=Severity.WARNING, message=message)
