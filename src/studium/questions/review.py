"""Review the questions of a run: keep, edit, drop, regenerate or approve them, and undo each of these."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from studium.core.domain.errors import BadInput, Conflict
from studium.questions.domain import QAPair
from studium.questions.question_set import Place, QuestionSet, ReviewedQuestion, load_question_set
from studium.questions.review_repository import QuestionReviewRepository, ReviewState

if TYPE_CHECKING:
    from studium.core.config import Settings
    from studium.core.database import Database


def keep_question(database: "Database", run: str, number: int, seen: int | None = None) -> ReviewedQuestion:
    """Keep a question as it stands; one that was edited is kept already."""
    return _decide(database, load_question_set(database, run), number, _kept, seen)


def drop_question(database: "Database", run: str, number: int, seen: int | None = None) -> ReviewedQuestion:
    """Leave a question out of the set."""
    return _decide(database, load_question_set(database, run), number, _dropped, seen)


def undo_decision(database: "Database", run: str, number: int, seen: int | None = None) -> ReviewedQuestion:
    """Undo the last decision about a question."""
    questions = load_question_set(database, run)
    question = questions.find(number)
    repository = QuestionReviewRepository(database.transactions)
    return replace(question, decision=repository.undo(questions.run.id, question.decision.item, seen))


def approve_questions(database: "Database", run: str) -> list[ReviewedQuestion]:
    """Keep every question that is not decided about yet, and return these."""
    questions = load_question_set(database, run)
    approved = []
    for question in (each for each in questions.questions if each.status == "pending"):
        # Each only as it was seen here: what somebody changes meanwhile is theirs.
        with suppress(Conflict):
            approved.append(_decide(database, questions, question.number, _kept, question.decision.revision))
    return approved


def _kept(state: ReviewState) -> ReviewState:
    return state if state.status == "edited" else state.model_copy(update={"status": "kept"})


def _dropped(state: ReviewState) -> ReviewState:
    return state.model_copy(update={"status": "dropped"})


@dataclass(frozen=True)
class EditedQuestion:
    """A question after an edit or a regeneration, with what the reviewer should know about it."""

    question: ReviewedQuestion
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """The outcome for programs."""
        return self.question.to_json() | {"note": self.note}


async def edit_question(
    settings: "Settings",
    run: str,
    number: int,
    *,
    question: str | None = None,
    answer: str | None = None,
    seen: int | None = None,
) -> EditedQuestion:
    """Change the question or the answer, if the document still proves it; else say why not."""
    from studium.core.app import open_app
    from studium.questions.edit_check import check_edit

    if question is None and answer is None:
        raise BadInput("An edit changes the question, the answer, or both.", remedy="Give at least one of them.")
    async with open_app(settings) as app:
        questions = load_question_set(app.database, run)
        edited = questions.find(number)
        wanted = {"question": question, "answer": answer}
        changes = {name: _storable(text) for name, text in wanted.items() if text is not None}
        pair = edited.pair.model_copy(update=changes)
        others = {each.pair.open_question: each.number for each in questions.questions if _stands_beside(each, edited)}
        checked = await check_edit(app, questions.run, pair, others)
        state = ReviewState(status="edited", pair=checked.pair)
        expected = edited.decision.revision if seen is None else seen
        saved = _decide(app.database, questions, number, lambda _: state, expected)
        return EditedQuestion(saved, checked.note)


def _storable(text: str) -> str:
    """A text without what PostgreSQL or UTF-8 cannot hold."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8").strip()


def _stands_beside(each: ReviewedQuestion, edited: ReviewedQuestion) -> bool:
    return each.number != edited.number and each.document == edited.document and each.status != "dropped"


_TRIES = 3


async def regenerate_question(
    settings: "Settings", run: str, number: int, *, place: Place = "same", seen: int | None = None
) -> EditedQuestion:
    """Put another question in the place of this one: never one that is, or ever was, in the set of its document."""
    from studium.core.app import open_app
    from studium.questions.regenerate import generate_another

    async with open_app(settings) as app:
        questions = load_question_set(app.database, run)
        replaced = questions.find(number)
        expected = replaced.decision.revision if seen is None else seen
        for _ in range(_TRIES):
            made = await generate_another(app, questions, replaced, place)
            # Another reviewer may have got the same question for another place meanwhile.
            questions = load_question_set(app.database, run)
            if not _is_known(made.pair, questions):
                break
        else:
            raise Conflict("The new question was given to another reviewer in the meantime.", remedy="Try again.")
        state = ReviewState(pair=made.pair)
        saved = _decide(app.database, questions, number, lambda _: state, expected)
        return EditedQuestion(saved, made.note)


def _is_known(pair: QAPair, questions: QuestionSet) -> bool:
    place = (pair.source_document, pair.question)
    return any(place == (each.document, each.pair.question) for each in questions.questions)


def _decide(
    database: "Database",
    questions: QuestionSet,
    number: int,
    change: Callable[[ReviewState], ReviewState],
    seen: int | None,
) -> ReviewedQuestion:
    question = questions.find(number)
    repository = QuestionReviewRepository(database.transactions)
    return replace(question, decision=repository.decide(questions.run.id, question.decision.item, change, seen))
