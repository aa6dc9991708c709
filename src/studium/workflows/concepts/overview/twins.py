"""Finds the pairs of concepts that are most alike, among all of a graph at once."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ROWS = 512


def near_pairs(
    vectors: "Mapping[str, NDArray[np.float32]]", *, threshold: float, nearest: int
) -> list[tuple[str, str, float]]:
    """Pairs of ids with their cosine, the most similar first: each id with the few nearest to it, if near enough."""
    import numpy as np

    if not vectors:
        return []
    uuids = sorted(vectors)
    rows = np.stack([vectors[uuid] for uuid in uuids]).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    found: dict[tuple[int, int], float] = {}
    # A few rows at a time: the cosines of all with all would not fit in memory for a large graph.
    for start in range(0, len(uuids), _ROWS):
        cosines = rows[start : start + _ROWS] @ rows.T
        for near in _nearest(cosines, start, threshold, nearest):
            found |= near
    ranked = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(uuids[one], uuids[other], cosine) for (one, other), cosine in ranked]


def _nearest(
    cosines: "NDArray[np.float32]", start: int, threshold: float, nearest: int
) -> list[dict[tuple[int, int], float]]:
    """For each row the pairs with its nearest, each pair with the smaller place first."""
    import numpy as np

    here = np.arange(len(cosines))
    cosines[here, start + here] = -np.inf
    # Rounding must not keep out a pair that is exactly at the threshold.
    close = [np.flatnonzero(row >= threshold - 1e-6) for row in cosines]
    best = [
        some[np.argsort(-row[some], kind="stable")[:nearest]].tolist() for row, some in zip(cosines, close, strict=True)
    ]
    return [
        {(min(one, other), max(one, other)): round(float(min(1.0, cosines[one - start, other])), 6) for other in some}
        for one, some in enumerate(best, start)
    ]
