"""What moves the nodes of a map: all push one another away, ties pull together, and the middle holds them all."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Points = NDArray[np.float64]
    Springs = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]

_FEW = 400
_CELLS = 16
_BESIDE = 6
_SOFTNESS = 0.1
_MIDDLE = 0.05


def pushed(points: "Points", *, closely: bool) -> "Points":
    """How hard each node is pushed by all others: in a large graph, by the crowds in the cells of a grid."""
    import numpy as np

    if len(points) <= _FEW:
        return _pushed_by(points, points, np.ones(len(points)))
    far = _pushed_by(points, *_cells(points))
    return far + _pushed_beside(points) if closely else far


def pulled(points: "Points", springs: "Springs") -> "Points":
    """How hard each node is pulled by those that it is tied to, and by the middle; who has many ties holds loosely."""
    import numpy as np

    one, other, _ = springs
    count = len(points)
    pull = (points[other] - points[one]) * _stiffness(count, springs)[:, None]
    held = [
        np.bincount(one, pull[:, axis], minlength=count) - np.bincount(other, pull[:, axis], minlength=count)
        for axis in (0, 1)
    ]
    return np.column_stack(held) - _MIDDLE * points


def balanced(points: "Points", springs: "Springs") -> "Points":
    """The same picture at the size at which pushing and pulling are equal in all."""
    import numpy as np

    one, other, _ = springs
    held = _stiffness(len(points), springs)[:, None] * (points[other] - points[one]) ** 2
    pull = held.sum() + _MIDDLE * (points**2).sum()
    return points * float(np.sqrt(len(points) * (len(points) - 1) / 2 / max(pull, 1e-9)))


def _stiffness(count: int, springs: "Springs") -> "NDArray[np.float64]":
    import numpy as np

    one, other, strength = springs
    ties = np.bincount(one, strength, minlength=count) + np.bincount(other, strength, minlength=count)
    return np.asarray(strength / np.sqrt(np.maximum(np.minimum(ties[one], ties[other]), 1)))


def _pushed_by(points: "Points", bodies: "Points", masses: "NDArray[np.float64]") -> "Points":
    import numpy as np

    # In halves of the usual precision, and without matrix products, whose threads fight over a busy machine.
    right, down = (
        np.subtract.outer(points[:, axis].astype(np.float32), bodies[:, axis].astype(np.float32)) for axis in (0, 1)
    )
    weight = right * right
    weight += down * down
    weight += np.float32(_SOFTNESS)
    np.divide(masses.astype(np.float32), weight, out=weight)
    by_all: Points = np.column_stack([np.einsum("ij,ij->i", weight, away) for away in (right, down)]).astype(float)
    return by_all


def _cells(points: "Points") -> "tuple[Points, NDArray[np.float64]]":
    """The middle of the nodes in each cell that has any, and how many they are."""
    import numpy as np

    columns = _gridded(points, _CELLS)
    cell = columns[:, 0] * _CELLS + columns[:, 1]
    masses = np.bincount(cell, minlength=_CELLS * _CELLS)
    sums = np.column_stack([np.bincount(cell, points[:, axis], minlength=_CELLS * _CELLS) for axis in (0, 1)])
    used = masses > 0
    return sums[used] / masses[used, None], masses[used].astype(np.float64)


def _pushed_beside(points: "Points") -> "Points":
    """How hard each is pushed by those it stands beside, whom a coarse cell does not tell apart."""
    import numpy as np

    force = np.zeros_like(points)
    fine = _gridded(points, _CELLS * 8)
    for rows, columns in ((fine[:, 0], points[:, 1]), (fine[:, 1], points[:, 0])):
        order = np.lexsort((columns, rows))
        there = points[order]
        for step in range(1, _BESIDE):
            away = there[step:] - there[:-step]
            push = away / ((away**2).sum(axis=1) + _SOFTNESS)[:, None]
            force[order[step:]] += push
            force[order[:-step]] -= push
    return force


def _gridded(points: "Points", cells: int) -> "NDArray[np.intp]":
    import numpy as np

    low, high = points.min(axis=0), points.max(axis=0)
    share = (points - low) / np.maximum(high - low, 1e-9)
    return np.asarray(np.minimum(share * cells, cells - 1), dtype=np.intp)
