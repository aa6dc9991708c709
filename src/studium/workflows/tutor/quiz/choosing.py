"""Which question to put next."""

from collections.abc import Collection, Sequence
from datetime import datetime

from studium.workflows.tutor.mastery.learner import Learner
from studium.workflows.tutor.quiz.question import QuizQuestion


def next_question(
    questions: Sequence[QuizQuestion], learner: Learner, now: datetime, asked: Collection[str] = ()
) -> QuizQuestion | None:
    """The next question: of the topic longest overdue, else of the weakest topic; none that was asked already."""
    open_ones = [each for each in questions if each.question not in asked]
    overdue = {topic: place for place, topic in enumerate(learner.due(now))}

    def urgency(question: QuizQuestion) -> tuple[int, float]:
        return overdue.get(question.topic, len(overdue)), learner.of(question.topic).known

    return min(open_ones, key=urgency, default=None)
