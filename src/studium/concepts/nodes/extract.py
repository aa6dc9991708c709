"""Phase 1: extracts concepts from the quotes, finds duplicates, and relates them."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from studium.concepts.dependencies import Dependencies
from studium.concepts.domain import Content, Quote, concept_uuid
from studium.concepts.nodes.skill_inputs import batch_quotes, quote_views, quotes_by_key
from studium.concepts.proposal import (
    CandidateConcept,
    CandidateRelation,
    DuplicateDetection,
    Proposal,
    SupportingQuote,
    unattributed_quotes,
)
from studium.concepts.search import NeighbourSearch, candidate_view
from studium.concepts.skills import (
    DUPLICATES,
    EXTRACT,
    QUERIES,
    RELATE,
    ConceptView,
    DraftConcept,
    DuplicatesInput,
    ExtractInput,
    ExtractOutput,
    QueriesInput,
    QuoteView,
    RelateInput,
    RelationQuery,
)
from studium.concepts.state import ConceptExtractionState, Neighbour, as_state, quote_keys
from studium.core.domain.finding import Finding, Severity
from studium.core.domain.skill import Answer
from studium.core.text.language_detection import detect_language


def candidates_from_drafts(
    drafts: Iterable[DraftConcept], quotes: Mapping[str, Quote], book: str
) -> tuple[list[CandidateConcept], list[Finding]]:
    """Candidates from drafts, and findings about what was dropped."""
    candidates: dict[str, CandidateConcept] = {}
    findings: list[Finding] = []
    for draft in drafts:
        backings, unknown = _backings(draft, quotes)
        if unknown:
            findings.append(_unknown_quotes(draft.title, unknown))
        if not backings:
            findings.append(_without_quotes(draft.title))
            continue
        uuid = concept_uuid(book, draft.title, [quotes[each.quote].uuid for each in backings])
        # The same title over the same quotes is the same draft, given twice.
        candidates.setdefault(uuid, _candidate(f"c{len(candidates) + 1}", uuid, draft, backings))
    return list(candidates.values()), findings


def _candidate(key: str, uuid: str, draft: DraftConcept, backings: Sequence[SupportingQuote]) -> CandidateConcept:
    return CandidateConcept(
        key=key,
        uuid=uuid,
        title=" ".join(draft.title.split()),
        concept=draft.concept,
        analysis=draft.analysis,
        summary=draft.summary,
        summary_short=draft.summary_short,
        quotes=tuple(backings),
    )


def _backings(draft: DraftConcept, quotes: Mapping[str, Quote]) -> tuple[list[SupportingQuote], list[str]]:
    known: dict[str, SupportingQuote] = {}
    unknown = []
    for each in draft.quotes:
        key = each.quote.strip().lower()
        if key in quotes:
            known.setdefault(key, SupportingQuote(quote=key, reasoning=each.reasoning, confidence=each.confidence))
        else:
            unknown.append(each.quote)
    return list(known.values()), unknown


def _unknown_quotes(title: str, unknown: Sequence[str]) -> Finding:
    message = f"“{title}” cites {', '.join(unknown)}, which is not a quote of this book. The citation was dropped."
    return Finding(code="concepts.unknown_quote", severity=Severity.WARNING, message=message)


def _without_quotes(title: str) -> Finding:
    message = f"“{title}” has no quote of this book. It was dropped."
    return Finding(code="concepts.no_quote", severity=Severity.WARNING, message=message)


_LANGUAGE_SAMPLE = 4_000


@dataclass(frozen=True)
class ExtractionNodes:
    """The nodes up to duplicate detection."""

    deps: Dependencies

    async def check_content_processed(self, state: ConceptExtractionState) -> ConceptExtractionState:
        """Find the book and start the extraction."""
        uuid = state["content_uuid"]
        book = await asyncio.to_thread(self.deps.graph.book, uuid)
        if book is None:
            return _failed("unknown_book", f"The graph has no book {uuid}. Parse its quotes first.")
        begun = self.deps.now().isoformat()
        return {"content": book, "begun": begun, "phase": "extraction", "phase_1_iteration": 0, "phase_2_iteration": 0}

    async def load_content_quotes(self, state: ConceptExtractionState) -> ConceptExtractionState:
        """Load the quotes: all of them, or those without concepts."""
        book = _book(state)
        quotes = await asyncio.to_thread(self._quotes, state["content_uuid"], everything=state.get("again", False))
        if not quotes and not book.processed_date:
            return _failed("no_quotes", f"The graph has no quotes of “{book.title}”.")
        if not quotes:
            done = f"Every quote of “{book.title}” already has concepts (since {book.processed_date})."
            message = f"{done} Use --again to start over."
            return {"phase": "end", "quotes": [], "warnings": [_finding("processed", message, Severity.INFO)]}
        sample = "\n".join(quote.text for quote in quotes)[:_LANGUAGE_SAMPLE]
        language = await asyncio.to_thread(detect_language, sample)
        return {"quotes": [quote.uuid for quote in quotes], "language": language.code}

    async def extract_candidate_concepts(self, state: ConceptExtractionState) -> ConceptExtractionState:
        """Extract concepts from all batches of quotes concurrently."""
        quotes = await asyncio.to_thread(quotes_by_key, self.deps.graph, state)
        batches = list(batch_quotes(quote_views(quotes, quotes)))
        answers = await asyncio.gather(*(self._extract(state, batch) for batch in batches))
        drafts = [draft for answer in answers if answer.output for draft in answer.output.concepts]
        candidates, dropped = candidates_from_drafts(drafts, quotes, state["content_uuid"])
        findings = [finding for answer in answers for finding in answer.findings] + dropped
        if not candidates:
            told = "; ".join(str(finding) for finding in findings) or "No idea was found in the quotes."
            return _failed("nothing_drawn", f"No concepts were found in “{_book(state).title}”: {told}")
        loose = tuple(unattributed_quotes(candidates, quote_keys(state)))
        return {**as_state(Proposal(concepts=tuple(candidates), unattributed=loose)), "warnings": findings}

    async def detect_duplicates_all(self, state: ConceptExtractionState) -> ConceptExtractionState:
        """Compare every candidate with earlier candidates and with stored concepts."""
        candidates = state["candidate_concepts"]
        near, neighbours = await asyncio.to_thread(self._near, candidates)
        judged = await asyncio.gather(
            *(self._compare(each, found, neighbours) for each, found in zip(candidates, near, strict=True))
        )
        detections = [detection for found, _ in judged for detection in found]
        kept = {each.other for each in detections if neighbours.is_kept(each.other)}
        known = {each.candidate: each.other for each in reversed(detections) if _is_same(each) and each.other in kept}
        compared = tuple(each.model_copy(update={"same_as": known.get(each.key)}) for each in candidates)
        loose = tuple(unattributed_quotes(compared, quote_keys(state)))
        proposal = Proposal(concepts=compared, detections=tuple(detections), unattributed=loose)
        return {**as_state(proposal), "warnings": [finding for _, findings in judged for finding in findings]}

    def _quotes(self, book: str, *, everything: bool) -> list[Quote]:
        quotes = self.deps.graph.quotes_of(book)
        if everything:
            return list(quotes)
        carrying = {support.quote for support in self.deps.graph.supports()}
        return [quote for quote in quotes if quote.uuid not in carrying]

    async def _extract(self, state: ConceptExtractionState, batch: tuple[QuoteView, ...]) -> Answer[ExtractOutput]:
        book = _book(state)
        given = ExtractInput(
            title=book.title, author=book.author, summary=book.summary, language=state["language"], quotes=batch
        )
        return await self.deps.model.answer(EXTRACT, given)

    def _near(self, candidates: list[CandidateConcept]) -> tuple[list[list[Neighbour]], NeighbourSearch]:
        neighbours = NeighbourSearch(self.deps.graph, self.deps.embed, candidates, self.deps.policy)
        places = {each.key: place for place, each in enumerate(candidates)}
        # Two candidates are compared once, when the later one's turn comes.
        found = [
            [near for near in others if places.get(near.key, -1) < places[each.key]][: self.deps.policy.compared]
            for each, others in zip(candidates, neighbours.of_candidates(), strict=True)
        ]
        return found, neighbours

    async def _compare(
        self, candidate: CandidateConcept, near: list[Neighbour], neighbours: NeighbourSearch
    ) -> tuple[list[DuplicateDetection], list[Finding]]:
        others = [(idea, each.similarity) for each in near if (idea := neighbours.idea(each.key))]
        if not others:
            return [], []
        given = DuplicatesInput(
            candidate=candidate_view(candidate),
            others=tuple(idea for idea, _ in others),
            similarities=tuple(similarity for _, similarity in others),
        )
        answer = await self.deps.model.answer(DUPLICATES, given)
        by_key = {idea.key: (idea, similarity) for idea, similarity in others}
        found = [
            DuplicateDetection(
                candidate=candidate.key,
                other=told.other,
                title=by_key[told.other][0].title,
                similarity=round(by_key[told.other][1], 3),
                verdict=told.verdict,
                reasoning=told.reasoning,
            )
            for told in (answer.output.compared if answer.output else ())
            if told.other in by_key and told.verdict != "different"
        ]
        return found, list(answer.findings)


def _is_same(detection: DuplicateDetection) -> bool:
    return detection.verdict == "same"


def _book(state: ConceptExtractionState) -> Content:
    book = state.get("content")
    if book is None:
        raise LookupError("the book is looked up before anything else")
    return book


def _failed(code: str, message: str) -> ConceptExtractionState:
    return {"phase": "end", "errors": [_finding(code, message, Severity.ERROR)]}


def _finding(code: str, message: str, severity: Severity) -> Finding:
    return Finding(code=f"concepts.{code}", severity=severity, message=message)


@dataclass(frozen=True)
class RelationNodes:
    """The nodes up to duplicate detection."""

    deps: Dependencies

    async def generate_relation_queries(self, state: ConceptExtractionState) -> ConceptExtractionState:
        """Generate search queries for each candidate, concurrently."""
        candidates = [each for each in state["candidate_concepts"] if each.is_live]
        language = state["language"]
        given = (QueriesInput(idea=candidate_view(each), language=language) for each in candidates)
        answers = await asyncio.gather(*(self.deps.model.answer(QUERIES, each) for each in given))
        queries: dict[str, list[RelationQuery]] = {
            each.key: list(answer.output.queries)
            for each, answer in zip(candidates, answers, strict=True)
            if answer.output and answer.output.queries
        }
        return {"relation_queries": queries, "warnings": [each for answer in answers for each in answer.findings]}

    async def search_relation_candidates(self, state: ConceptExtractionState) -> ConceptExtractionState:
        """Run these queries over the candidates and the stored concepts."""
        found = await asyncio.to_thread(self._search, state)
        # The queries are no longer needed; the state would carry them through every round of review.
        return {"relation_candidates": found, "relation_queries": {}}

    async def create_relations_all(self, state: ConceptExtractionState) -> ConceptExtractionState:
        """Relate each candidate to what was found near it, concurrently."""
        candidates = {each.key: each for each in state["candidate_concepts"] if each.is_live}
        near = state.get("relation_candidates", {})
        ideas = await asyncio.to_thread(self._ideas, candidates.values(), near)
        related = await asyncio.gather(
            *(self._relate(candidates[key], found, ideas) for key, found in near.items() if key in candidates)
        )
        links = _without_duplicates(link for found, _ in related for link in found)
        findings = [finding for _, findings in related for finding in findings]
        return {"relations": links, "relation_candidates": {}, "warnings": findings}

    def _search(self, state: ConceptExtractionState) -> dict[str, list[Neighbour]]:
        asked = [(key, query.text) for key, queries in state["relation_queries"].items() for query in queries]
        neighbours = NeighbourSearch(self.deps.graph, self.deps.embed, state["candidate_concepts"], self.deps.policy)
        answers = neighbours.of_texts([text for _, text in asked], [key for key, _ in asked])
        best: dict[str, dict[str, float]] = {}
        for (key, _), found in zip(asked, answers, strict=True):
            known = best.setdefault(key, {})
            for each in found:
                known[each.key] = max(each.similarity, known.get(each.key, -1.0))
        return {key: _nearest(known, self.deps.policy.compared) for key, known in best.items()}

    def _ideas(
        self, candidates: Iterable[CandidateConcept], near: dict[str, list[Neighbour]]
    ) -> dict[str, ConceptView]:
        ideas = {each.key: candidate_view(each) for each in candidates}
        for key in {each.key for found in near.values() for each in found} - ideas.keys():
            kept = self.deps.graph.concept(key)
            if kept:
                ideas[key] = ConceptView(key=key, title=kept.title, concept=kept.concept, analysis=kept.analysis)
        return ideas

    async def _relate(
        self, candidate: CandidateConcept, near: list[Neighbour], ideas: dict[str, ConceptView]
    ) -> tuple[list[CandidateRelation], list[Finding]]:
        # A candidate does not relate to the stored concept that it equals.
        others = {each.key: each for each in near if each.key in ideas and each.key != candidate.same_as}
        if not others:
            return [], []
        given = RelateInput(
            idea=candidate_view(candidate),
            others=tuple(ideas[key] for key in others),
            similarities=tuple(each.similarity for each in others.values()),
        )
        answer = await self.deps.model.answer(RELATE, given)
        links = [
            CandidateRelation(
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


def _without_duplicates(links: Iterable[CandidateRelation]) -> list[CandidateRelation]:
    """Each relation once, by whichever end named it first."""
    told: dict[tuple[str, str, str], CandidateRelation] = {}
    for link in links:
        if (link.target, link.source, link.type.inverse.value) not in told:
            told.setdefault((link.source, link.target, link.type.value), link)
    return list(told.values())
