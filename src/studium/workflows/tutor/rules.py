"""The tutor without a model: diagnoses, the lab's own hints, and what the documents say."""

from collections.abc import Sequence

from studium.core.domain.skill import TextAnswer, Tool
from studium.core.llm.models import Rule
from studium.workflows.tutor.answering.teaching import teaching_answer
from studium.workflows.tutor.answering.troubleshooting import troubleshooting_answer
from studium.workflows.tutor.skills import (
    FEEDBACK,
    LOOK,
    PARAPHRASE,
    TEACH,
    Enough,
    FeedbackGiven,
    LookGiven,
    ParaphraseGiven,
    TeachGiven,
)


def _teach(given: TeachGiven, _tools: Sequence[Tool]) -> TextAnswer:
    return TextAnswer(text=teaching_answer(given))


def _feedback(given: FeedbackGiven, _tools: Sequence[Tool]) -> TextAnswer:
    return TextAnswer(text=troubleshooting_answer(given))


def _look(_given: LookGiven, _tools: Sequence[Tool]) -> Enough:
    """The configurations were read before anybody was asked; the rules see nothing beyond them."""
    return Enough()


def _as_it_is(given: ParaphraseGiven, _tools: Sequence[Tool]) -> TextAnswer:
    """Preambles and codes are taken out by code, whoever answers."""
    return TextAnswer(text=given.text)


RULES: dict[str, Rule] = {
    TEACH.name: _teach,
    FEEDBACK.name: _feedback,
    LOOK.name: _look,
    PARAPHRASE.name: _as_it_is,
}
