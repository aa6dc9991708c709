"""Force layout: places linked nodes close together on a square; deterministic."""

from collections.abc import Sequence
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


def repulsion(points: "Points", *, closely: bool) -> "Points":
    """How hard each node is pushed by all others: in a large graph, by the groups in the cells of a grid."""
    import numpy as np

    if len(points) <= _FEW:
        return _pushed_by(points, points, np.ones(len(points)))
    far = _pushed_by(points, *_cells(points))
    return far + _pushed_beside(points) if closely else far


def attraction(points: "Points", springs: "Springs") -> "Points":
    """How hard each node is pulled by those it is tied to, and by the middle; each of many ties pulls less."""
    import numpy as np

    one, other, _ = springs
    count = len(points)
    pull = (points[other] - points[one]) * _stiffness(count, springs)[:, None]
    held = [
        np.bincount(one, pull[:, axis], minlength=count) - np.bincount(other, pull[:, axis], minlength=count)
        for axis in (0, 1)
    ]
    return np.column_stack(held) - _MIDDLE * points


def rescale(points: "Points", springs: "Springs") -> "Points":
    """The same layout at the size at which all pushes and pulls balance."""
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

    # In single precision, and without matrix products, whose threads slow each other down on a busy machine.
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
    """The push of each node's near neighbours, which share a coarse cell."""
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


Position = tuple[float, float]
WeightedEdge = tuple[int, int, float]

_STEPS = 50
_FEW_STEPS = 8
_CLOSE_STEPS = 10
_GOLDEN_ANGLE = 2.399963229728653
_MARGIN = 0.02


def force_layout(
    groups: Sequence[int], ties: Sequence[WeightedEdge], last: Sequence[Position | None] = ()
) -> list[Position]:
    """The position of each node, x and y from 0 to 1; nodes are numbers, given with the group of each.

    A tie is two nodes and how strongly they hold each other. Where most nodes had a place on the last map, they begin
    there and move little, and the new ones begin beside those that they are tied to.
    """
    import numpy as np

    if not groups:
        return []
    springs = _springs(ties)
    group = np.asarray(groups)
    known = np.asarray([place is not None for place in last] or [False] * len(groups))
    if 2 * known.sum() <= len(groups):
        points = _settled(_spiral(group), springs, _STEPS, 0.1)
    else:
        start = _start_points(np.asarray([place or (0.5, 0.5) for place in last]), known, group, springs)
        points = _settled(rescale(start, springs), springs, _FEW_STEPS, 0.02)
    return [(round(x, 4), round(y, 4)) for x, y in _squared(points).tolist()]


def _springs(ties: Sequence[WeightedEdge]) -> "Springs":
    import numpy as np

    table = np.asarray(sorted(ties), dtype=float).reshape(-1, 3)
    return table[:, 0].astype(np.intp), table[:, 1].astype(np.intp), table[:, 2]


def _settled(points: "Points", springs: "Springs", steps: int, stride: float) -> "Points":
    """Springs hold tied nodes, all others push one another away; the steps get shorter until nothing moves."""
    import numpy as np

    for step in range(steps):
        force = repulsion(points, closely=step >= steps - _CLOSE_STEPS) + attraction(points, springs)
        length = np.maximum(np.hypot(force[:, 0], force[:, 1]), 1e-9)
        reach = np.sqrt(len(points)) * stride * (1 - step / steps)
        points = points + force * (np.minimum(length, reach) / length)[:, None]
    return points


def _spiral(groups: "NDArray[np.intp]") -> "Points":
    """A start with the nodes of a group together and no two at one place, like the seeds of a sunflower."""
    import numpy as np

    turn = np.empty(len(groups))
    turn[np.argsort(groups, kind="stable")] = np.arange(len(groups))
    share = len(groups) / (groups.max() + 1)
    return _turned(np.sqrt((groups + 0.5) * share), groups) + _turned(np.sqrt(turn % max(1.0, share) + 0.5), turn)


def _start_points(
    places: "Points", known: "NDArray[np.bool_]", groups: "NDArray[np.intp]", springs: "Springs"
) -> "Points":
    """New nodes start beside those they are tied to, else in their group, else with their group at the rim."""
    import numpy as np

    points, count = places - 0.5, len(places)
    spacing = 1 / np.sqrt(count)
    for _ in range(3):  # a new node may be tied to new ones only, as those of a new book are
        one, other, _strength = springs
        pairs = np.concatenate((np.column_stack((one, other)), np.column_stack((other, one))))
        pairs = pairs[known[pairs[:, 1]] & ~known[pairs[:, 0]]]
        beside = np.bincount(pairs[:, 0], minlength=count)
        new = beside > 0
        for axis in (0, 1):
            sums = np.bincount(pairs[:, 0], points[pairs[:, 1], axis], minlength=count)
            points[new, axis] = sums[new] / beside[new]
        points[new] += _turned(np.full(new.sum(), spacing / 2), np.arange(count)[new])
        known = known | new
    lost = np.flatnonzero(~known)
    points[lost] = _turned(np.full(len(lost), 0.5), groups[lost]) + _turned(
        spacing * np.sqrt(np.arange(len(lost))) / 2, np.arange(len(lost))
    )
    return points


def _turned(radius: "NDArray[np.float64]", turn: "NDArray[np.float64] | NDArray[np.intp]") -> "Points":
    """Points on a spiral around the centre, one golden angle apart."""
    import numpy as np

    return np.column_stack((radius * np.cos(turn * _GOLDEN_ANGLE), radius * np.sin(turn * _GOLDEN_ANGLE)))


def _squared(points: "Points") -> "Points":
    """The points moved and scaled into the square, with a margin."""
    import numpy as np

    low, high = points.min(axis=0), points.max(axis=0)
    inside: Points = (points - (low + high) / 2) / (max(high - low) or 1)
    return np.asarray(0.5 + (1 - 2 * _MARGIN) * inside)
