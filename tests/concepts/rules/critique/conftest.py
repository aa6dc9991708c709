import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from studium.concepts.domain import RelationType
from studium.concepts.rules.checklist import check_points
from studium.concepts.skills import ConceptView, CritiqueInput, PointName, QuoteView, RelationView, Remark

QUOTES = (
    QuoteView(key="q1", text="Deep work is focus without distraction."),
    QuoteView(key="q2", text="Whoever works deeply learns fast."),
    QuoteView(key="q3", text="The fear of death spoils life."),
    QuoteView(key="q4", text="Nobody who is afraid of dying is free."),
    QuoteView(key="q5", text="Small habits compound like interest."),
)
IDEAS = (
    ConceptView(
        key="c1", title="Deep work", concept="Focus without distraction is rare and useful.", quotes=("q1", "q2")
    ),
    ConceptView(key="c2", title="Fear of death", concept="Whoever fears the end does not live freely.", quotes=("q3",)),
    ConceptView(key="c3", title="Freedom from fear", concept="Only the fearless can choose.", quotes=("q4",)),
    ConceptView(key="c4", title="Compound habits", concept="Small steps add up to large ones.", quotes=("q5",)),
)


def relation(words: str) -> RelationView:
    """`c1 OPPOSES c2` as a relation."""
    source, kind, target = words.split()
    return RelationView(source=source, target=target, type=RelationType(kind))


def good_proposal(language: str) -> CritiqueInput:
    """The good concepts of one language, each with a quote of its own."""
    with (Path(__file__).parent / "good.tsv").open(encoding="utf-8", newline="") as file:
        rows = [
            row for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["language"] == language
        ]
    ideas = [
        ConceptView(key=f"c{at}", title=row["title"], concept=row["concept"], quotes=(f"q{at}",))
        for at, row in enumerate(rows, 1)
    ]
    quotes = [QuoteView(key=f"q{at}", text=row["quote"]) for at, row in enumerate(rows, 1)]
    return CritiqueInput(language=language, concepts=tuple(ideas), quotes=tuple(quotes), relations=(), unattributed=())


def never_same(_one: ConceptView, _other: ConceptView) -> bool:
    return False


@pytest.fixture
def proposal() -> CritiqueInput:
    """Four good concepts on five quotes."""
    return CritiqueInput(language="en", concepts=IDEAS, quotes=QUOTES, relations=(), unattributed=())


@pytest.fixture
def remarks() -> Callable[..., list[Remark]]:
    """What one point says of a proposal."""

    def told(
        given: CritiqueInput, name: PointName, same: Callable[[ConceptView, ConceptView], bool] = never_same
    ) -> list[Remark]:
        points = {point.name: point for point in check_points(given, same)}
        assert points[name].passes == (not points[name].remarks)
        return list(points[name].remarks)

    return told
