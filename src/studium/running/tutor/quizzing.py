"""Quizzes: a lab's questions, put to a student, who is the wiser for every answer."""

from datetime import datetime
from pathlib import Path

from studium.core.domain.errors import BadInput, NotFound
from studium.workflows.tutor.mastery.learner import Learner
from studium.workflows.tutor.quiz.grading import grade
from studium.workflows.tutor.quiz.question import QuizQuestion, quiz_questions


def questions_of(folder: Path) -> tuple[QuizQuestion, ...]:
    """The questions in a lab's folder."""
    import yaml

    path = folder / "quiz.yaml"
    try:
        entries = yaml.safe_load(path.read_text("utf-8"))
    except FileNotFoundError:
        raise NotFound(f"There are no questions on {folder.name}.", remedy="Choose another lab.") from None
    except yaml.YAMLError as error:
        raise BadInput(f"{path} cannot be read as YAML: {error}") from error
    return quiz_questions(entries.get("questions", entries) if isinstance(entries, dict) else entries, str(path))


def graded(question: QuizQuestion, answer: str, learner: Learner, now: datetime) -> tuple[str, Learner]:
    """What to say to an answer, and the student once it was given."""
    found = grade(question, answer)
    told = f"{found.verdict.capitalize()}. {found.explanation}".strip()
    return told, learner.after(question.topic, found.outcome, now)
