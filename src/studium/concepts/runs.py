"""Runs of the concepts feature: importing quotes, and extracting concepts up to and after each review."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from langgraph.types import Command

from studium.concepts.commits import FEATURE
from studium.concepts.dependencies import Dependencies
from studium.concepts.domain import Content
from studium.concepts.nodes.review_and_commit import UNSUPPORTED_CODE
from studium.concepts.proposal import CandidateConcept, Proposal, ProposalChange, ReviewAnswer
from studium.concepts.proposal_edits.document import document_changes, proposal_document
from studium.concepts.quote_parse import choose_book, create_quote_parse_graph
from studium.concepts.quotes.reader import QuoteFile, read_quotes
from studium.concepts.skills import ChecklistPoint, QuoteView
from studium.concepts.state import ConceptExtractionState, QualityAssessment, ReviewPayload, State, proposal_of
from studium.core.database import Database
from studium.core.domain.decision import Action, Decision, Review, ReviewStatus, review_id
from studium.core.domain.document import content_id
from studium.core.domain.errors import BadInput, Conflict, NotFound
from studium.core.domain.finding import Evidence, Finding, Locator, Severity
from studium.core.domain.run import RunItem, RunSpec, reject_item
from studium.core.domain.value import Value
from studium.core.files import file_lock
from studium.core.runs.runner import Runner


def _answer_schema() -> dict[str, Any]:
    """The JSON schema of an answer: the edited document, or a ReviewAnswer."""
    answer = ReviewAnswer.model_json_schema()
    return {"$defs": answer.pop("$defs"), "anyOf": [{"required": ["concepts", "relations"]}, answer]}


_ANSWER_SCHEMA = _answer_schema()


@dataclass(frozen=True)
class ReviewRound:
    """What the graph shows when it stops for review, with the findings so far."""

    payload: ReviewPayload
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, shown: Any, state: Mapping[str, Any]) -> "ReviewRound":
        """The round of review that an interrupt of the graph asks for."""
        return cls(shown.value, state_warnings(state))

    @property
    def proposal(self) -> Proposal:
        """What is proposed."""
        return Proposal.model_validate(self.payload["proposal"])

    @property
    def fingerprint(self) -> str:
        """Identifies the proposal."""
        return self.payload["fingerprint"]

    @property
    def title(self) -> str:
        """The book's title."""
        return str((self.payload["book"] or {})["title"])

    @property
    def quotes(self) -> dict[str, str]:
        """The quotes' texts by key."""
        return {quote.key: quote.text for quote in self.quote_views}

    @property
    def quote_views(self) -> list[QuoteView]:
        """The quotes with their places."""
        return [QuoteView.model_validate(quote) for quote in self.payload["quotes"]]

    @property
    def points(self) -> tuple[ChecklistPoint, ...]:
        """The points of the critique; none where there was no critique."""
        assessment = self.payload["quality_assessment"]
        return QualityAssessment.model_validate(assessment).points if assessment else ()

    @property
    def review(self) -> str:
        """The id of this round in the inbox."""
        return review_id(FEATURE, self.decision())

    def document(self) -> dict[str, Any]:
        """The proposal as a person reads and edits it."""
        about = {"book": self.title, "begun": self.payload["begun"], "round": self.payload["round"]}
        return {**about, **proposal_document(self.proposal, self.quotes, {})}

    def decision(self) -> Decision:
        """The decision that the inbox asks for."""
        living = self.proposal.live_concepts
        told = f"{len(living)} concepts of “{self.title}” wait for you (round {self.payload['round']})."
        return Decision(
            item=self.title,
            action=Action.MANUAL_REVIEW,
            reasons=(told,),
            findings=self.findings,
            evidence=tuple(self._evidence(each) for each in self._carrying()),
            proposal=self.document(),
            proposal_schema=_ANSWER_SCHEMA,
        )

    def _carrying(self) -> list[QuoteView]:
        loose = set(self.proposal.unattributed)
        return [quote for quote in self.quote_views if quote.key not in loose]

    def _evidence(self, quote: QuoteView) -> Evidence:
        place = " ".join(part for part in (quote.section, quote.page) if part)
        where = Locator(path=f"{self.title}, {place}" if place else self.title)
        return Evidence(passage=content_id(quote.text), quote=quote.text, where=where)


def state_warnings(state: Mapping[str, Any]) -> tuple[Finding, ...]:
    """The warnings of a state, without duplicates."""
    return tuple(dict.fromkeys(state.get("warnings", ())))


def read_answer(review: Review, waiting: ReviewRound) -> ReviewAnswer:
    """The user's answer, wherever it was given."""
    if review.status is ReviewStatus.RESPONDED and review.answer:
        return ReviewAnswer.model_validate(review.answer)
    if review.status is ReviewStatus.RESPONDED:
        return ReviewAnswer(feedback=review.comment or "")
    if review.status is ReviewStatus.EDITED:
        return ReviewAnswer(approved=True, changes=_changes(review, waiting))
    if review.status is ReviewStatus.REJECTED:
        everything = tuple(ProposalChange(action="reject", concept=each.key) for each in waiting.proposal.live_concepts)
        return ReviewAnswer(approved=True, changes=everything)
    return ReviewAnswer(approved=True)


def _changes(review: Review, waiting: ReviewRound) -> tuple[ProposalChange, ...]:
    try:
        return document_changes(waiting.proposal, review.answer)
    except BadInput as error:
        raise BadInput(error.what, remedy=f"studium review reopen {review.id}, and edit it again.") from error


def decide(item: RunItem, state: dict[str, Any]) -> list[Decision]:
    """The decisions about a book: a waiting round, saved and rejected concepts, or an error."""
    if errors := state.get("errors"):
        return [reject_item(item.id, *errors)]
    if waiting := state.get("__interrupt__"):
        return [ReviewRound.of(waiting[0], state).decision()]
    warnings = state_warnings(state)
    extraction: ConceptExtractionState = state  # type: ignore[assignment]
    if state.get("phase") != "end" or not state.get("human_approved"):
        return [reject_item(item.id, *warnings)]
    return [_decided(item.id, each, warnings) for each in proposal_of(extraction).concepts] or [reject_item(item.id)]


def _decided(book: str, concept: CandidateConcept, warnings: tuple[Finding, ...]) -> Decision:
    proposal = concept.model_dump(mode="json", exclude={"merged"})
    item = f"{book}#{concept.title}"
    about = tuple(each for each in warnings if concept.title in each.message and each.severity is not Severity.INFO)
    if not concept.is_live:
        lost = tuple(each for each in about if each.code == UNSUPPORTED_CODE)
        reasons = tuple(each.message for each in lost) or ("Rejected in review.",)
        return Decision(item=item, action=Action.SKIP, reasons=reasons, findings=lost, proposal=proposal)
    action = Action.UPDATE if concept.same_as else Action.CREATE
    return Decision(item=item, action=action, findings=about, proposal=proposal)


_TRIES, _PAUSE = 50, 0.2


@dataclass(frozen=True)
class ExtractionOutcome:
    """The state of an extraction: the waiting review, or what was decided at the end.

    `run` is the run that recorded it; after a commit, the run to undo.
    """

    run: str
    book: Content
    waiting: ReviewRound | None
    decisions: tuple[Decision, ...]
    findings: tuple[Finding, ...]

    @property
    def kept(self) -> Counter[str]:
        """How many concepts were created and updated."""
        done = (each.action for each in self.decisions)
        return Counter(action.value for action in done if action in (Action.CREATE, Action.UPDATE))

    @property
    def failed(self) -> bool:
        """Whether the extraction failed."""
        return self.waiting is None and any(finding.severity is Severity.ERROR for finding in self.findings)


@dataclass(frozen=True)
class ExtractionRunner:
    """Works on books with a checkpointed `concept_extract`; one process at a time works on a book."""

    database: Database
    runner: Runner
    graph: Any
    locks: Path

    async def run(self, book: Content, *, again: bool = False) -> ExtractionOutcome:
        """Start or resume a book: after a crash, or with the answer to its review."""
        with file_lock(self.locks, f"the concepts of “{book.title}”"):
            waiting = await self.waiting_round(book)
            review = self.database.reviews.find_answer(FEATURE, waiting.decision()) if waiting else None
            answer = read_answer(review, waiting) if review and waiting else None
            report = await self.runner.run(self._job(book, _step(waiting, answer, again=again), answer, again=again))
        decisions = report.plan.decisions
        findings = tuple(finding for each in decisions for finding in each.findings)
        state = (await self.graph.aget_state(_config(book.uuid))).values
        return ExtractionOutcome(
            state.get("kept_by") or report.run, book, await self.waiting_round(book), decisions, findings
        )

    async def waiting_round(self, book: Content) -> ReviewRound | None:
        """The waiting review round, if there is one."""
        snapshot = await self.graph.aget_state(_config(book.uuid))
        return ReviewRound.of(snapshot.interrupts[0], snapshot.values) if snapshot.interrupts else None

    async def resume(self, book: Content) -> tuple[ExtractionOutcome, bool]:
        """Resume a book; also returns whether the waiting round is still the one that was shown."""
        snapshot = await self.graph.aget_state(_config(book.uuid))
        if not snapshot.next and snapshot.values.get("phase") != "human_review":
            raise _nothing_waits(book)
        before, outcome = await self.waiting_round(book), await self.run(book)
        return outcome, before is not None and outcome.waiting == before

    async def answer(self, book: Content, answer: ReviewAnswer) -> ExtractionOutcome:
        """Record an answer and resume; a second answer to the same round is refused."""
        waiting = await self.waiting_round(book)
        if waiting is None:
            raise _nothing_waits(book)
        answered = answer.model_dump(mode="json", exclude_defaults=True) | {"proposal": waiting.fingerprint}
        self.database.reviews.answer(waiting.review, "responded", answered, answer.feedback or None)
        return await self._run_when_free(book)

    async def _run_when_free(self, book: Content) -> ExtractionOutcome:
        """Resume with a recorded answer, waiting for another process that holds the book."""
        for _ in range(_TRIES):
            try:
                return await self.run(book)
            except Conflict:
                await asyncio.sleep(_PAUSE)
        return await self.run(book)

    def _job(self, book: Content, step: str, answer: ReviewAnswer | None, *, again: bool) -> RunSpec:
        state = {"content_uuid": book.uuid, "again": again}
        if answer:
            state["answer"] = answer.model_dump(mode="json")
        return RunSpec(
            feature=FEATURE,
            arguments={"extract": book.uuid, "again": again},
            note=f"{step}: {book.title}",
            graph=_Thread(self.graph),
            items=[RunItem(book.title, partial(dict, state))],
            decide=decide,
        )


@dataclass(frozen=True)
class _Thread:
    """The graph with one thread per book: started, resumed or answered."""

    graph: Any

    async def ainvoke(self, given: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
        book = given["content_uuid"]
        config = config | _config(book)
        answer = given.pop("answer", None)
        snapshot = await self.graph.aget_state(config)
        start: Any = given
        if snapshot.interrupts and answer is None:
            return {**snapshot.values, "__interrupt__": snapshot.interrupts}
        if snapshot.interrupts:
            start = Command(resume=answer)
        elif snapshot.next:
            start = None
        elif snapshot.values.get("phase") == "human_review":
            start = given | {"phase_2_iteration": 0, "begun": datetime.now(UTC).isoformat()}
        else:
            await self.graph.checkpointer.adelete_thread(book)
        return dict(await self.graph.ainvoke(start, config, durability="sync"))


def _step(waiting: ReviewRound | None, answer: ReviewAnswer | None, *, again: bool) -> str:
    if waiting:
        return "Review" if answer else "Open review"
    return "Extract again" if again else "Extract"


def _nothing_waits(book: Content) -> NotFound:
    remedy = f"studium concepts extract {book.title!r}"
    return NotFound(f"“{book.title}” has nothing waiting for review.", remedy=remedy)


def _config(book: str) -> dict[str, Any]:
    return {"configurable": {"thread_id": book}}


class ParsedBook(Value):
    """The import result of one book."""

    book: str
    title: str
    author: str
    quotes: int
    sections: tuple[str, ...]
    added: int
    edited: int
    summary: str
    summary_short: str


def parse_run(deps: Dependencies, path: Path, *, title: str = "", author: str = "") -> RunSpec:
    """The run that imports a file; `title` chooses one of its books, or names the only one."""
    reading = read_quotes(path)
    if not reading.books:
        raise BadInput("; ".join(map(str, reading.findings)))
    titles = _titles(reading, title, path)
    return RunSpec(
        feature=FEATURE,
        arguments={"parse": str(path), "title": title, "author": author},
        note=f"Read: {titles[0] or path.name}" + (f" and {len(titles) - 1} more" if titles[1:] else ""),
        graph=create_quote_parse_graph(deps),
        items=[RunItem(name or path.stem, partial(_start, path, name, author)) for name in titles],
        decide=_decide,
    )


def parsed_books(decisions: Sequence[Decision]) -> list[ParsedBook]:
    """The books that a run imported."""
    return [ParsedBook.model_validate(each.proposal) for each in decisions if each.proposal]


def _titles(reading: QuoteFile, title: str, path: Path) -> list[str]:
    if not title and len(reading.books) > 1:
        return [book.title for book in reading.books]
    choose_book(reading.books, title, path)
    return [title or reading.books[0].title]


def _start(path: Path, title: str, author: str) -> dict[str, Any]:
    return {"file_path": str(path), "title": title, "author": author}


def _decide(item: RunItem, end: dict[str, Any]) -> list[Decision]:
    state = State(**end)
    if state.book is None:
        raise LookupError(f"{item.id} ended without a book")
    kept = ParsedBook(
        book=state.book.uuid,
        title=state.book.title,
        author=state.book.author,
        quotes=len(state.quotes or ()),
        sections=tuple(state.sections or ()),
        added=len(state.added),
        edited=len(state.edited),
        summary=state.book.summary,
        summary_short=state.book.summary_short,
    )
    action = Action.CREATE if kept.added else Action.UPDATE if kept.edited else Action.SKIP
    proposal = kept.model_dump(mode="json")
    return [Decision(item=item.id, action=action, findings=tuple(state.findings), proposal=proposal)]
