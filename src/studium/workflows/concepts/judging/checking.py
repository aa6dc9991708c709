"""The critic's checklist: six points that code answers, whoever the mind is, joined with what a mind says of them."""

from studium.workflows.concepts.judging.points.atomicity import atomicity
from studium.workflows.concepts.judging.points.coverage import quote_coverage
from studium.workflows.concepts.judging.points.distinctness import Same, distinctness
from studium.workflows.concepts.judging.points.edges import edge_cases
from studium.workflows.concepts.judging.points.language import language
from studium.workflows.concepts.judging.points.relations import relation_accuracy
from studium.workflows.concepts.skills import POINTS, CritiqueGiven, Point, PointName, Remark


def check_points(given: CritiqueGiven, same: Same) -> tuple[Point, ...]:
    """The six points, in their order; `same` says whether two concepts are one idea.

    Where code knows what to do, the remark's last sentence says so in words that refinement follows.
    """
    remarks: dict[PointName, tuple[Remark, ...]] = {
        "atomicity": tuple(atomicity(given)),
        "distinctness": tuple(distinctness(given, same)),
        "quote_coverage": tuple(quote_coverage(given)),
        "relation_accuracy": tuple(relation_accuracy(given)),
        "language": tuple(language(given)),
        "edge_cases": tuple(edge_cases(given)),
    }
    return tuple(Point(name=name, passes=not remarks[name], remarks=remarks[name]) for name in POINTS)


def join_points(code: tuple[Point, ...], told: tuple[Point, ...], given: CritiqueGiven) -> tuple[Point, ...]:
    """The six points as code and a mind answer them together: one passes only where nobody objects.

    What a mind leaves out is left to code; what it says twice is joined; keys that do not exist are dropped.
    """
    known = {idea.key for idea in given.concepts} | {quote.key for quote in given.quotes}
    return tuple(
        _joined(name, [*_of(name, code), *(_naming(point, known) for point in _of(name, told))]) for name in POINTS
    )


def _of(name: PointName, points: tuple[Point, ...]) -> list[Point]:
    return [point for point in points if point.name == name]


def _joined(name: PointName, points: list[Point]) -> Point:
    remarks = tuple(dict.fromkeys(remark for point in points for remark in point.remarks))
    return Point(name=name, passes=all(point.passes for point in points), remarks=remarks)


def _naming(point: Point, known: set[str]) -> Point:
    """A mind's point that names only what there is."""
    remarks = (
        remark.model_copy(
            update={
                "concepts": tuple(key for key in remark.concepts if key in known),
                "quotes": tuple(key for key in remark.quotes if key in known),
            }
        )
        for remark in point.remarks
    )
    return point.model_copy(update={"remarks": tuple(remarks)})
