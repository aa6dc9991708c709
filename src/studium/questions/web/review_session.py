"""One visitor's review of a question set: which question is open, and what the keys and buttons do to it."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from studium.core.domain.errors import BadInput, Conflict, StudiumError
from studium.core.domain.job import Job
from studium.questions import review
from studium.questions.question_set import Place, QuestionSet, ReviewedQuestion, load_question_set
from studium.questions.review_repository import QuestionReviewRepository
from studium.web.components.labels import counted
from studium.web.service import service

Decide = Callable[..., ReviewedQuestion]


class ReviewDisplay(Protocol):
    """What shows a session on the page."""

    def show(self) -> None:
        """Show the progress, the list and the open question as they are now."""

    def show_message(self, what: str, *, can_undo: bool = False) -> None:
        """Show what was done."""

    def show_error(self, error: StudiumError) -> None:
        """Show what failed."""


@dataclass
class ReviewSession:
    """The state of one review page."""

    run: str
    number: int = 1
    mode: Literal["view", "edit"] = "view"
    busy: str = ""
    """What is waited for; other decisions wait too."""
    questions: QuestionSet = field(init=False)
    display: ReviewDisplay = field(init=False)
    _version: tuple[int, int] = (0, 0)
    _decided: list[list[tuple[int, int]]] = field(default_factory=list)
    """The decisions of this visit, newest last: the numbers, each with the revision it got."""

    async def load(self) -> None:
        """Read the set."""
        database = service().database
        self._version = await asyncio.to_thread(self._stored_version)
        self.questions = await asyncio.to_thread(load_question_set, database, self.run)
        self.run = self.questions.run.id
        self.number = max(1, min(self.number, len(self.questions.questions)))

    @property
    def current(self) -> ReviewedQuestion | None:
        """The open question."""
        return self.questions.find(self.number) if self.questions.questions else None

    async def refresh(self) -> None:
        """Show what was decided elsewhere; a draft stays."""
        if self.busy or await asyncio.to_thread(self._stored_version) == self._version:
            return
        before = self.current
        await self.load()
        if self.mode == "view":
            self.display.show()
        elif before and self.current and before.decision.revision != self.current.decision.revision:
            self.display.show_message("The question was changed elsewhere in the meantime. Your draft is kept.")

    async def open(self, number: int) -> None:
        """Open a question."""
        if self.busy or not self.questions.questions:
            return
        self.number, self.mode = max(1, min(number, len(self.questions.questions))), "view"
        self.display.show()

    async def step(self, by: int) -> None:
        """Go to the next or the previous question."""
        if self.mode == "view":
            await self.open(self.number + by)

    async def set_mode(self, mode: Literal["view", "edit"]) -> None:
        """Start or stop editing."""
        if self.current and not self.busy:
            self.mode = mode
            self.display.show()

    async def keep(self) -> None:
        """Keep the open question, and go on."""
        await self._decide(review.keep_question, "Kept")

    async def drop(self) -> None:
        """Drop the open question, and go on."""
        await self._decide(review.drop_question, "Dropped")

    async def approve(self) -> None:
        """Keep all questions that are not decided about."""
        if self.busy or self.mode != "view":
            return
        kept = await asyncio.to_thread(review.approve_questions, service().database, self.run)
        if kept:
            self._decided.append([(each.number, each.decision.revision) for each in kept])
        await self.load()
        self.display.show()
        self.display.show_message(f"Kept {counted(len(kept), 'question')}.", can_undo=bool(kept))

    async def save_edit(self, question: str, answer: str, seen: int) -> None:
        """Save an edit of what was seen at this revision; raises if the document does not support it."""
        asked = {"question": question, "answer": answer}
        note = await self._work("questions.edit", asked, "Checking the edit against the document …", seen)
        self.mode = "view"
        done = f"Edited question {self.number}. {note}".strip()
        self._go_on()
        self.display.show()
        self.display.show_message(done, can_undo=True)

    async def regenerate(self, place: Place) -> None:
        """Ask for another question in place of the open one."""
        if self.busy or self.mode != "view" or not self.current:
            return
        try:
            seen = self.current.decision.revision
            note = await self._work("questions.regenerate", {"place": place}, "Looking for another question …", seen)
        except StudiumError as error:
            self.display.show_error(error)
        else:
            self.display.show_message(note or "This is another question.", can_undo=True)

    async def undo(self) -> None:
        """Undo the last decision of this visit; without one, the last about the open question."""
        if self.busy or self.mode != "view" or not self.current:
            return
        undone = self._decided.pop() if self._decided else [(self.number, self.current.decision.revision)]
        self.number = undone[0][0]
        try:
            for number, revision in undone:
                await asyncio.to_thread(review.undo_decision, service().database, self.run, number, revision)
        except StudiumError as error:
            self.display.show_error(error)
        else:
            self.display.show_message("Undone.")
        await self.load()
        self.display.show()

    async def _decide(self, decide: Decide, done: str) -> None:
        question = self.current
        if self.busy or self.mode != "view" or not question:
            return
        try:
            # What was seen is decided about; the same decision again goes on to the next question.
            seen = question.decision.revision
            decided = await asyncio.to_thread(decide, service().database, self.run, question.number, seen)
        except Conflict as conflict:
            await self.load()
            self.display.show()
            self.display.show_error(conflict)
            return
        if decided.decision.revision != seen:
            self._decided.append([(question.number, decided.decision.revision)])
        await self.load()
        self._go_on()
        self.display.show()
        self.display.show_message(f"{done} question {question.number}.", can_undo=True)

    async def _work(self, kind: str, asked: dict[str, Any], what: str, seen: int) -> str:
        """Start a job about the open question, wait for it, and return its note; raises the job's problem."""
        self.busy = what
        self.display.show()
        try:
            request = {"run": self.run, "number": self.number, "revision": seen, **asked}
            job = await service().start_job(kind, request)
            job = await service().jobs.wait(job.id)
        finally:
            self.busy = ""
            await self.load()
            self.display.show()
        result = _result(job)
        self._decided.append([(self.number, int(result["revision"]))])
        return str(result["note"])

    def _go_on(self) -> None:
        """Open the next question that is not decided about, if there is one."""
        count = len(self.questions.questions)
        after = (*range(self.number + 1, count + 1), *range(1, self.number))
        pending = (number for number in after if self.questions.find(number).status == "pending")
        self.number = next(pending, self.number)

    def _stored_version(self) -> tuple[int, int]:
        return QuestionReviewRepository(service().database.transactions).version(self.run)


def _result(job: Job) -> dict[str, Any]:
    if job.status == "done":
        return dict(job.result or {})
    problem: Mapping[str, object] = job.problem or {}
    raise BadInput(str(problem.get("detail", "That did not work.")), remedy=str(problem.get("remedy", "Try again.")))
