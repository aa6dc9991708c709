"""The rules of judging, by the names of their skills."""

from collections.abc import Sequence

from studium.core.domain.skill import Tool
from studium.core.llm.models import Rule
from studium.workflows.concepts.judging.feedback.understanding import feedback
from studium.workflows.concepts.judging.refining import refine
from studium.workflows.concepts.judging.relating import queries, relate
from studium.workflows.concepts.skills import (
    CRITIQUE,
    FEEDBACK,
    POINTS,
    QUERIES,
    REFINE,
    RELATE,
    Critique,
    CritiqueGiven,
    Point,
)


def judging_rules() -> dict[str, Rule]:
    """The rules that judge a proposal and act on judgements."""
    return {
        CRITIQUE.name: critique,
        REFINE.name: refine,
        FEEDBACK.name: feedback,
        QUERIES.name: queries,
        RELATE.name: relate,
    }


def critique(_given: CritiqueGiven, _tools: Sequence[Tool]) -> Critique:
    """All six points pass: code answers them for every mind, and the rules have nothing to add."""
    return Critique(points=tuple(Point(name=name, passes=True) for name in POINTS))
