"""Questions as a lab's `quiz.yaml` has them."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import Field, ValidationError, model_validator

from studium.core.domain.errors import BadInput
from studium.core.domain.value import Value
from studium.tutor.mastery.learner import Learner


class QuizQuestion(Value):
    """A question, every answer that is right, and why it is.

    - choice: one of `choices`, by its text, its letter or its number.
    - short: a few words, a number, an address.
    - command: one or more lines of configuration; several answers are several ways.
    """

    question: str = Field(min_length=1)
    kind: Literal["choice", "command", "short"]
    answers: tuple[str, ...] = Field(min_length=1)
    choices: tuple[str, ...] = ()
    explanation: str = ""
    topic: str = ""

    @model_validator(mode="before")
    @classmethod
    def _one_answer_is_a_list_of_one(cls, entry: Any) -> Any:
        if not isinstance(entry, Mapping):
            return entry
        entry = dict(entry)
        answers = entry.pop("answer", entry.pop("answers", ()))
        several = answers if isinstance(answers, list | tuple) else [answers]
        return {**entry, "answers": [str(each) for each in several], "choices": _texts(entry.get("choices"))}

    @model_validator(mode="after")
    def _right_answer_is_a_choice(self) -> "QuizQuestion":
        if self.kind == "choice" and not any(answer in self.choices for answer in self.answers):
            raise ValueError("none of the answers is among the choices")
        return self


def parse_questions(entries: Sequence[Mapping[str, Any]], where: str) -> tuple[QuizQuestion, ...]:
    """The questions of a file; every entry that cannot be used is named at once."""
    questions, mistakes = [], []
    for number, entry in enumerate(entries, 1):
        try:
            questions.append(QuizQuestion.model_validate(entry))
        except ValidationError as bad:
            mistakes += [f"question {number}: {_place(each['loc'])}{each['msg']}" for each in bad.errors()]
    if mistakes:
        raise BadInput(f"{where}: {'; '.join(mistakes)}", remedy="Correct these questions in the file.")
    return tuple(questions)


def _texts(choices: Any) -> list[str]:
    return [str(each) for each in choices or ()]


def _place(loc: tuple[int | str, ...]) -> str:
    return f"{'.'.join(map(str, loc))}: " if loc else ""


def next_question(
    questions: Sequence[QuizQuestion], learner: Learner, now: datetime, asked: Collection[str] = ()
) -> QuizQuestion | None:
    """The next question: of the topic longest overdue, else of the weakest topic; none that was asked already."""
    open_ones = [each for each in questions if each.question not in asked]
    overdue = {topic: place for place, topic in enumerate(learner.due(now))}

    def urgency(question: QuizQuestion) -> tuple[int, float]:
        return overdue.get(question.topic, len(overdue)), learner.of(question.topic).known

    return min(open_ones, key=urgency, default=None)
