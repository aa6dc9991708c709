import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from studium.domain.concept import RelationType
from studium.workflows.concepts.judging.checking import check_points
from studium.workflows.concepts.skills import CritiqueGiven, Idea, PointName, QuoteShown, RelationShown, Remark

QUOTES = (
    QuoteShown(key="q1", text="Deep work is focus without distraction."),
    QuoteShown(key="q2", text="Whoever works deeply learns fast."),
    QuoteShown(key="q3", text="The fear of death spoils life."),
    QuoteShown(key="q4", text="Nobody who is afraid of dying is free."),
    QuoteShown(key="q5", text="Small habits compound like interest."),
)
IDEAS = (
    Idea(key="c1", title="Deep work", concept="Focus without distraction is rare and useful.", quotes=("q1", "q2")),
    Idea(key="c2", title="Fear of death", concept="Whoever fears the end does not live freely.", quotes=("q3",)),
    Idea(key="c3", title="Freedom from fear", concept="Only the fearless can choose.", quotes=("q4",)),
    Idea(key="c4", title="Compound habits", concept="Small steps add up to large ones.", quotes=("q5",)),
)


def relation(words: str) -> RelationShown:
    """`c1 OPPOSES c2` as a relation."""
    source, kind, target = words.split()
    return RelationShown(source=source, target=target, type=RelationType(kind))


def good_proposal(language: str) -> CritiqueGiven:
    """The good concepts of one language, each with a quote of its own."""
    with (Path(__file__).parent / "good.tsv").open(encoding="utf-8", newline="") as file:
        rows = [
            row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["language"] == language
        ]
    ideas = [
        Idea(key=f"c{at}", title=row["title"], concept=row["concept"], quotes=(f"q{at}",))
        for at, row in enumerate(rows, 1)
    ]
    quotes = [QuoteShown(key=f"q{at}", text=row["quote"]) for at, row in enumerate(rows, 1)]
    return CritiqueGiven(language=language, concepts=tuple(ideas), quotes=tuple(quotes), relations=(), unattributed=())


def never_same(_one: Idea, _other: Idea) -> bool:
    return False


@pytest.fixture
def proposal() -> CritiqueGiven:
    """Four good concepts on five quotes."""
    return CritiqueGiven(language="en", concepts=IDEAS, quotes=QUOTES, relations=(), unattributed=())


@pytest.fixture
def remarks() -> Callable[..., list[Remark]]:
    """What one point says of a proposal."""

    def told(given: CritiqueGiven, name: PointName, same: Callable[[Idea, Idea], bool] = never_same) -> list[Remark]:
        points = {point.name: point for point in check_points(given, same)}
        assert points[name].passes == (not points[name].remarks)
        return list(points[name].remarks)

    return told
