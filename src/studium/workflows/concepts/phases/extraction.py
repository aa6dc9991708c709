"""Phase 1, first half: concepts are drawn from the quotes, and compared with what is kept."""

import asyncio
from dataclasses import dataclass
from typing import Any

from studium.core.domain.finding import Finding, Severity
from studium.core.domain.skill import Answer
from studium.core.text.language_detection import detect_language
from studium.domain.concept import Content, Quote
from studium.workflows.concepts.desk import Desk
from studium.workflows.concepts.drawing import draw
from studium.workflows.concepts.neighbours import Neighbours, as_idea
from studium.workflows.concepts.proposal import Candidate, Detection, Proposal, unattributed
from studium.workflows.concepts.showing import in_batches, quotes_by_key, shown
from studium.workflows.concepts.skills import DUPLICATES, EXTRACT, DuplicateGiven, Extracted, ExtractGiven, QuoteShown
from studium.workflows.concepts.state import ConceptExtractionState, Neighbour, as_state, quote_keys

Step = dict[str, Any]
_LANGUAGE_SAMPLE = 4_000


@dataclass(frozen=True)
class ExtractionSteps:
    """The nodes; each takes from the state, asks, and returns the change."""

    desk: Desk

    async def check_content_processed(self, state: ConceptExtractionState) -> Step:
        """Find the book; one whose quotes all carry concepts already is left alone, unless asked for again."""
        uuid = state["content_uuid"]
        book = await asyncio.to_thread(self.desk.graph.book, uuid)
        if book is None:
            return _failed("unknown_book", f"There is no book {uuid} in the graph. Parse its quotes first.")
        begun = self.desk.now().isoformat()
        return {"content": book, "begun": begun, "phase": "extraction", "phase_1_iteration": 0, "phase_2_iteration": 0}

    async def load_content_quotes(self, state: ConceptExtractionState) -> Step:
        """Take the quotes that the work is about: all of them, or those that carry nothing yet."""
        book = _book(state)
        quotes = await asyncio.to_thread(self._quotes, state["content_uuid"], everything=state.get("again", False))
        if not quotes and not book.processed_date:
            return _failed("no_quotes", f"There are no quotes of “{book.title}” in the graph.")
        if not quotes:
            message = f"Every quote of “{book.title}” was worked on (on {book.processed_date}). --again starts over."
            return {"phase": "end", "quotes": [], "warnings": [_finding("processed", message, Severity.INFO)]}
        sample = "\n".join(quote.text for quote in quotes)[:_LANGUAGE_SAMPLE]
        language = await asyncio.to_thread(detect_language, sample)
        return {"quotes": [quote.uuid for quote in quotes], "language": language.code}

    async def extract_candidate_concepts(self, state: ConceptExtractionState) -> Step:
        """Have concepts drawn from the quotes, batch by batch, side by side."""
        quotes = await asyncio.to_thread(quotes_by_key, self.desk.graph, state)
        batches = list(in_batches(shown(quotes, quotes)))
        answers = await asyncio.gather(*(self._extract(state, batch) for batch in batches))
        drafts = [draft for answer in answers if answer.output for draft in answer.output.concepts]
        candidates, dropped = draw(drafts, quotes, state["content_uuid"])
        findings = [finding for answer in answers for finding in answer.findings] + dropped
        if not candidates:
            told = "; ".join(str(finding) for finding in findings) or "The quotes carry no idea that could be drawn."
            return _failed("nothing_drawn", f"No concept came of “{_book(state).title}”: {told}")
        loose = tuple(unattributed(candidates, quote_keys(state)))
        return {**as_state(Proposal(concepts=tuple(candidates), unattributed=loose)), "warnings": findings}

    async def detect_duplicates_all(self, state: ConceptExtractionState) -> Step:
        """Compare every candidate, side by side, with those before it and with what is kept."""
        candidates = state["candidate_concepts"]
        near, neighbours = await asyncio.to_thread(self._near, candidates)
        judged = await asyncio.gather(
            *(self._compare(each, found, neighbours) for each, found in zip(candidates, near, strict=True))
        )
        detections = [detection for found, _ in judged for detection in found]
        kept = {each.other for each in detections if neighbours.is_kept(each.other)}
        known = {each.candidate: each.other for each in reversed(detections) if _is_same(each) and each.other in kept}
        compared = tuple(each.model_copy(update={"same_as": known.get(each.key)}) for each in candidates)
        loose = tuple(unattributed(compared, quote_keys(state)))
        proposal = Proposal(concepts=compared, detections=tuple(detections), unattributed=loose)
        return {**as_state(proposal), "warnings": [finding for _, findings in judged for finding in findings]}

    def _quotes(self, book: str, *, everything: bool) -> list[Quote]:
        quotes = self.desk.graph.quotes_of(book)
        if everything:
            return list(quotes)
        carrying = {support.quote for support in self.desk.graph.supports()}
        return [quote for quote in quotes if quote.uuid not in carrying]

    async def _extract(self, state: ConceptExtractionState, batch: tuple[QuoteShown, ...]) -> Answer[Extracted]:
        book = _book(state)
        given = ExtractGiven(
            title=book.title, author=book.author, summary=book.summary, language=state["language"], quotes=batch
        )
        return await self.desk.mind.answer(EXTRACT, given)

    def _near(self, candidates: list[Candidate]) -> tuple[list[list[Neighbour]], Neighbours]:
        neighbours = Neighbours(self.desk.graph, self.desk.embed, candidates, self.desk.policy)
        places = {each.key: place for place, each in enumerate(candidates)}
        # Two candidates are compared once, when the later one's turn comes.
        found = [
            [near for near in others if places.get(near.key, -1) < places[each.key]][: self.desk.policy.compared]
            for each, others in zip(candidates, neighbours.of_candidates(), strict=True)
        ]
        return found, neighbours

    async def _compare(
        self, candidate: Candidate, near: list[Neighbour], neighbours: Neighbours
    ) -> tuple[list[Detection], list[Finding]]:
        others = [(idea, each.similarity) for each in near if (idea := neighbours.idea(each.key))]
        if not others:
            return [], []
        given = DuplicateGiven(
            candidate=as_idea(candidate),
            others=tuple(idea for idea, _ in others),
            similarities=tuple(similarity for _, similarity in others),
        )
        answer = await self.desk.mind.answer(DUPLICATES, given)
        by_key = {idea.key: (idea, similarity) for idea, similarity in others}
        found = [
            Detection(
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


def _is_same(detection: Detection) -> bool:
    return detection.verdict == "same"


def _book(state: ConceptExtractionState) -> Content:
    book = state.get("content")
    if book is None:
        raise LookupError("the book is looked up before anything else")
    return book


def _failed(code: str, message: str) -> Step:
    return {"phase": "end", "errors": [_finding(code, message, Severity.ERROR)]}


def _finding(code: str, message: str, severity: Severity) -> Finding:
    return Finding(code=f"concepts.{code}", severity=severity, message=message)
