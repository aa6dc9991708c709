"""The questions of a run, numbered, with what a reviewer decided about each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from studium.core.domain.errors import BadInput, NotFound
from studium.questions.domain import DocumentResult, QAPair, document_results
from studium.questions.review_repository import QuestionDecision, QuestionReviewRepository, Status

if TYPE_CHECKING:
    from studium.core.database import Database
    from studium.core.domain.run import Run

Place = Literal["same", "anywhere"]
"""Where in the document another question is asked: where the former one was, or wherever there is one."""


@dataclass(frozen=True)
class ReviewedQuestion:
    """A question of a run: its number in the set, what was decided, and the pair as it stands now."""

    number: int
    document: str
    generated: QAPair
    decision: QuestionDecision

    @property
    def pair(self) -> QAPair:
        """The pair as it stands: edited, regenerated, or as it was generated."""
        return self.decision.state.pair or self.generated

    @property
    def status(self) -> Status:
        """What was decided."""
        return self.decision.state.status

    @property
    def former_pairs(self) -> list[QAPair]:
        """The pairs that were in its place before."""
        states = [state.pair for state in self.decision.history if state.pair]
        return [each for each in (self.generated, *states) if each.question != self.pair.question]

    def to_json(self) -> dict[str, Any]:
        """The question for programs."""
        return {
            "number": self.number,
            "status": self.status,
            "revision": self.decision.revision,
            "pair": self.pair.model_dump(mode="json"),
            "generated": self.generated.model_dump(mode="json") if self.pair != self.generated else None,
        }


@dataclass(frozen=True)
class QuestionSet:
    """All questions of a run, those that were dropped too."""

    run: "Run"
    questions: Sequence[ReviewedQuestion]
    documents: Sequence[DocumentResult]

    @property
    def reviewed(self) -> int:
        """How many questions are decided about."""
        return sum(question.status != "pending" for question in self.questions)

    @property
    def progress(self) -> str:
        """`12 of 20 reviewed`."""
        return f"{self.reviewed} of {len(self.questions)} reviewed"

    def find(self, number: int) -> ReviewedQuestion:
        """The question with this number."""
        if 1 <= number <= len(self.questions):
            return self.questions[number - 1]
        count = len(self.questions)
        has = f"has questions 1 to {count}" if count else "has no questions"
        raise NotFound(f"There is no question {number}: run {self.run.id} {has}.")

    def to_json(self) -> dict[str, Any]:
        """The set for programs."""
        return {
            "run": self.run.id,
            "total": len(self.questions),
            "reviewed": self.reviewed,
            "dropped": sum(question.status == "dropped" for question in self.questions),
            "questions": [question.to_json() for question in self.questions],
        }


def load_question_set(database: "Database", run: str) -> QuestionSet:
    """The questions of a run with what was decided about them, in the order of their numbers."""
    found = question_run(database, run)
    documents = sorted(document_results(database.items.decisions(found.id)), key=lambda each: each.path)
    decisions = QuestionReviewRepository(database.transactions).of_run(found.id)
    numbered = enumerate(_reviewed(documents, decisions), 1)
    questions = [ReviewedQuestion(number, path, pair, decision) for number, (path, pair, decision) in numbered]
    return QuestionSet(found, questions, documents)


def question_run(database: "Database", run: str) -> "Run":
    """The run with this id; it must be one of questions."""
    found = database.runs.get(run)
    if found.feature != "questions":
        raise BadInput(
            f"Run {found.id} is a run of {found.feature}, not of questions.",
            remedy="`studium runs list` lists all runs.",
        )
    return found


def _reviewed(
    documents: Sequence[DocumentResult], decisions: Mapping[str, QuestionDecision]
) -> Iterator[tuple[str, QAPair, QuestionDecision]]:
    for document in documents:
        for number, pair in enumerate(document.accepted, 1):
            item = f"{document.path}#{number}"
            yield document.path, pair, decisions.get(item) or QuestionDecision(item=item)


def reviewed_documents(questions: QuestionSet) -> list[DocumentResult]:
    """The documents of a run with the questions as they stand: edited ones as edited, without those dropped."""
    pairs: dict[str, list[QAPair]] = {document.path: [] for document in questions.documents}
    for question in questions.questions:
        if question.status != "dropped":
            pairs[question.document].append(question.pair)
    return [replace(each, accepted=pairs[each.path]) for each in questions.documents]
