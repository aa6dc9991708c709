"""Extraction of a book's concepts: worked on until a person must decide, and gone on with when the person has."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from langgraph.types import Command

from studium.concepts.commits import FEATURE
from studium.concepts.dependencies import Dependencies
from studium.concepts.domain import Content
from studium.concepts.proposal import ReviewAnswer
from studium.concepts.quote_parse import choose_book, create_quote_parse_graph
from studium.concepts.quotes.reader import QuoteFile, read_quotes
from studium.concepts.review_round import ReviewRound, decide, read_answer
from studium.concepts.state import State
from studium.core.database import Database
from studium.core.domain.decision import Action, Decision
from studium.core.domain.errors import BadInput, Conflict, NotFound
from studium.core.domain.finding import Finding, Severity
from studium.core.domain.value import Value
from studium.core.files import file_lock
from studium.core.runs.run_spec import RunItem, RunSpec
from studium.core.runs.runner import Runner

_TRIES, _PAUSE = 50, 0.2


@dataclass(frozen=True)
class ExtractionOutcome:
    """Where the work on a book stands: what waits for a person, or what was decided at its end.

    `run` is where that is written down; once concepts are kept, the run by which they can be taken back.
    """

    run: str
    book: Content
    waiting: ReviewRound | None
    decisions: tuple[Decision, ...]
    findings: tuple[Finding, ...]

    @property
    def kept(self) -> Counter[str]:
        """How many concepts were kept, by what was done for them."""
        done = (each.action for each in self.decisions)
        return Counter(action.value for action in done if action in (Action.CREATE, Action.UPDATE))

    @property
    def failed(self) -> bool:
        """Whether nothing came of it."""
        return self.waiting is None and any(finding.severity is Severity.ERROR for finding in self.findings)


@dataclass(frozen=True)
class ExtractionRunner:
    """Works on books with a checkpointed `concept_extract`; one process at a time works on a book."""

    database: Database
    runner: Runner
    graph: Any
    locks: Path

    async def go_on(self, book: Content, *, again: bool = False) -> ExtractionOutcome:
        """Begin with a book, or go on where it stands: after a crash, or with the answer that a person gave."""
        with file_lock(self.locks, f"the concepts of “{book.title}”"):
            waiting = await self.waiting(book)
            review = self.database.reviews.find_answer(FEATURE, waiting.decision()) if waiting else None
            answer = read_answer(review, waiting) if review and waiting else None
            report = await self.runner.run(self._job(book, _step(waiting, answer, again=again), answer, again=again))
        decisions = report.plan.decisions
        findings = tuple(finding for each in decisions for finding in each.findings)
        state = (await self.graph.aget_state(_config(book.uuid))).values
        return ExtractionOutcome(
            state.get("kept_by") or report.run, book, await self.waiting(book), decisions, findings
        )

    async def waiting(self, book: Content) -> ReviewRound | None:
        """What waits for a person, if anything does."""
        snapshot = await self.graph.aget_state(_config(book.uuid))
        return ReviewRound.of(snapshot.interrupts[0], snapshot.values) if snapshot.interrupts else None

    async def take_up(self, book: Content) -> tuple[ExtractionOutcome, bool]:
        """Go on with what was begun; and whether what then waits is what waited before, as a person saw it."""
        snapshot = await self.graph.aget_state(_config(book.uuid))
        if not snapshot.next and snapshot.values.get("phase") != "human_review":
            raise _nothing_waits(book)
        before, outcome = await self.waiting(book), await self.go_on(book)
        return outcome, before is not None and outcome.waiting == before

    async def answer(self, book: Content, answer: ReviewAnswer) -> ExtractionOutcome:
        """Take a person's answer and go on; whoever answers second is told."""
        waiting = await self.waiting(book)
        if waiting is None:
            raise _nothing_waits(book)
        answered = answer.model_dump(mode="json", exclude_defaults=True) | {"proposal": waiting.fingerprint}
        self.database.reviews.answer(waiting.review, "responded", answered, answer.feedback or None)
        return await self._go_on_when_free(book)

    async def _go_on_when_free(self, book: Content) -> ExtractionOutcome:
        """Go on with an answer that was taken; another who looks at the book at this moment is waited for."""
        for _ in range(_TRIES):
            try:
                return await self.go_on(book)
            except Conflict:
                await asyncio.sleep(_PAUSE)
        return await self.go_on(book)

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
    """The graph, with one thread a book: begun, gone on with, or answered."""

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
        return "Review" if answer else "Look at"
    return "Extract again" if again else "Extract"


def _nothing_waits(book: Content) -> NotFound:
    remedy = f"studium concepts extract {book.title!r}"
    return NotFound(f"Nothing of “{book.title}” waits for review.", remedy=remedy)


def _config(book: str) -> dict[str, Any]:
    return {"configurable": {"thread_id": book}}


class ParsedBook(Value):
    """What came of one book of a file."""

    book: str
    title: str
    author: str
    quotes: int
    sections: tuple[str, ...]
    added: int
    edited: int
    summary: str
    summary_short: str


def parse_run(desk: Dependencies, path: Path, *, title: str = "", author: str = "") -> RunSpec:
    """The job for one file; `title` chooses one of its books, or names the only one."""
    reading = read_quotes(path)
    if not reading.books:
        raise BadInput("; ".join(map(str, reading.findings)))
    titles = _titles(reading, title, path)
    return RunSpec(
        feature=FEATURE,
        arguments={"parse": str(path), "title": title, "author": author},
        note=f"Read: {titles[0] or path.name}" + (f" and {len(titles) - 1} more" if titles[1:] else ""),
        graph=create_quote_parse_graph(desk),
        items=[RunItem(name or path.stem, partial(_start, path, name, author)) for name in titles],
        decide=_decide,
    )


def parsed_books(decisions: Sequence[Decision]) -> list[ParsedBook]:
    """The books that a run kept."""
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
