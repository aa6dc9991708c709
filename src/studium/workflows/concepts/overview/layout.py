"""Places the nodes of a graph on a square, so that what is linked stands together; the same graph, the same places."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Points = NDArray[np.float64]

_STEPS = 50
_FEW = 400
_CELLS = 20
_GOLDEN_ANGLE = 2.399963229728653
_MARGIN = 0.02
_SOFTNESS = 0.1


def placed(crowds: Sequence[int], edges: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    """Where each node stands, x and y from 0 to 1; nodes are numbers, and come with the crowd that each belongs to."""
    import numpy as np

    if not crowds:
        return []
    points = _spiral(np.asarray(crowds))
    ends = np.asarray(sorted(edges), dtype=np.intp).reshape(-1, 2)
    # Springs hold linked nodes, all others push one another away; the steps get shorter until nothing moves.
    for step in range(_STEPS):
        force = _pushed(points) + _pulled(points, ends) - 0.05 * points
        length = np.maximum(np.hypot(force[:, 0], force[:, 1]), 1e-9)
        reach = np.sqrt(len(points)) * 0.1 * (1 - step / _STEPS)
        points = points + force * (np.minimum(length, reach) / length)[:, None]
    return [(round(x, 4), round(y, 4)) for x, y in _squared(points).tolist()]


def _spiral(crowds: "NDArray[np.intp]") -> "Points":
    """A start where no two nodes stand in one place, and a crowd stands together: the turns of a sunflower."""
    import numpy as np

    turn = np.empty(len(crowds))
    turn[np.argsort(crowds, kind="stable")] = np.arange(len(crowds))
    angle = turn * _GOLDEN_ANGLE
    centre = np.sqrt(crowds + 0.5) * np.sqrt(len(crowds) / (crowds.max() + 1))
    around = crowds * _GOLDEN_ANGLE
    members = np.sqrt(turn % max(1.0, len(crowds) / (crowds.max() + 1)) + 0.5)
    return np.column_stack(
        (centre * np.cos(around) + members * np.cos(angle), centre * np.sin(around) + members * np.sin(angle))
    )


def _pushed(points: "Points") -> "Points":
    """How hard each node is pushed by all others: in a large graph, by the crowds in the cells of a grid."""
    import numpy as np

    bodies, masses = (points, np.ones(len(points))) if len(points) <= _FEW else _cells(points)
    # In halves of the usual precision, and without matrix products, whose threads fight over a busy machine.
    right, down = (
        np.subtract.outer(points[:, axis].astype(np.float32), bodies[:, axis].astype(np.float32)) for axis in (0, 1)
    )
    weight = right * right
    weight += down * down
    weight += np.float32(_SOFTNESS)
    np.divide(masses.astype(np.float32), weight, out=weight)
    pushed: Points = np.column_stack([np.einsum("ij,ij->i", weight, away) for away in (right, down)]).astype(float)
    return pushed


def _cells(points: "Points") -> "tuple[Points, NDArray[np.float64]]":
    """The middle of the nodes in each cell that has any, and how many they are."""
    import numpy as np

    columns = np.minimum(_squared(points) * _CELLS, _CELLS - 1).astype(np.intp)
    cell = columns[:, 0] * _CELLS + columns[:, 1]
    masses = np.bincount(cell, minlength=_CELLS * _CELLS)
    sums = np.column_stack([np.bincount(cell, points[:, axis], minlength=_CELLS * _CELLS) for axis in (0, 1)])
    used = masses > 0
    return sums[used] / masses[used, None], masses[used].astype(np.float64)


def _pulled(points: "Points", ends: "NDArray[np.intp]") -> "Points":
    """How hard each node is pulled by those that it is linked to; a node with many links holds each more loosely."""
    import numpy as np

    count = len(points)
    degrees = np.maximum(np.bincount(ends.ravel(), minlength=count), 1)
    one, other = ends[:, 0], ends[:, 1]
    pull = (points[other] - points[one]) / np.sqrt(np.minimum(degrees[one], degrees[other]))[:, None]
    return np.column_stack(
        [
            np.bincount(one, pull[:, axis], minlength=count) - np.bincount(other, pull[:, axis], minlength=count)
            for axis in (0, 1)
        ]
    )


def _squared(points: "Points") -> "Points":
    """The points moved and scaled into the square, with a margin."""
    import numpy as np

    low, high = points.min(axis=0), points.max(axis=0)
    flat = high == low
    inside: Points = (points - low) / np.where(flat, 1, high - low) + np.where(flat, 0.5, 0)
    return _MARGIN + (1 - 2 * _MARGIN) * inside
