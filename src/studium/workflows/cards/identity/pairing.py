"""Which pairing of many makes the most of their scores."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf

Pair = tuple[int, int]

_LARGE = 100  # beyond so many on a side the best pairing takes seconds, and the next best will do


def best_pairing(scores: Mapping[Pair, float]) -> list[Pair]:
    """The pairs, each side used once, whose scores add up to the most."""
    return [pair for part in _connected(scores) for pair in _best_of(part, scores)]


def _connected(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    """The pairs in groups that have no side in common."""
    by_left, by_right = defaultdict(list), defaultdict(list)
    for pair in pairs:
        by_left[pair[0]].append(pair)
        by_right[pair[1]].append(pair)
    while by_left:
        waiting = by_left.pop(next(iter(by_left)))
        part: dict[Pair, None] = {}
        while waiting:
            pair = waiting.pop()
            part[pair] = None
            waiting += by_left.pop(pair[0], []) + by_right.pop(pair[1], [])
        yield list(part)


def _best_of(part: Sequence[Pair], scores: Mapping[Pair, float]) -> list[Pair]:
    lefts, rights = (sorted({pair[side] for pair in part}) for side in (0, 1))
    if max(len(lefts), len(rights)) > _LARGE:
        return _next_best(part, scores)
    if len(lefts) > len(rights):
        turned = {(right, left): scores[left, right] for left, right in part}
        return [(left, right) for right, left in _best_of(list(turned), turned)]
    costs = [[-scores.get((left, right), 0.0) for right in rights] for left in lefts]
    pairs = [(lefts[row], rights[column]) for row, column in enumerate(_cheapest(costs))]
    return [pair for pair in pairs if pair in scores]


def _next_best(part: Iterable[Pair], scores: Mapping[Pair, float]) -> list[Pair]:
    """The highest score first, and so on with what is left."""
    lefts: set[int] = set()
    rights: set[int] = set()
    chosen = []
    for left, right in sorted(part, key=lambda pair: (-scores[pair], pair)):
        if left not in lefts and right not in rights:
            chosen.append((left, right))
            lefts.add(left)
            rights.add(right)
    return chosen


def _cheapest(costs: Sequence[Sequence[float]]) -> list[int]:
    """The column of each row in the cheapest assignment (the Hungarian method); no more rows than columns."""
    width = len(costs[0])
    row_price, column_price = [0.0] * len(costs), [0.0] * (width + 1)
    row_of = [-1] * (width + 1)  # the last column is where each row starts from
    for row in range(len(costs)):
        row_of[width] = row
        column = width
        slack, came_from, seen = [inf] * (width + 1), [width] * width, [False] * (width + 1)
        while row_of[column] >= 0:
            seen[column] = True
            here = row_of[column]
            unseen = [each for each in range(width) if not seen[each]]
            for each in unseen:
                cost = costs[here][each] - row_price[here] - column_price[each]
                if cost < slack[each]:
                    slack[each], came_from[each] = cost, column
            column = min(unseen, key=slack.__getitem__)
            step = slack[column]
            for each, was_seen in enumerate(seen):
                if was_seen:
                    row_price[row_of[each]] += step
                    column_price[each] -= step
                else:
                    slack[each] -= step
        while column != width:
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
    columns = {row: column for column, row in enumerate(row_of[:width])}
    return [columns[row] for row in range(len(costs))]
