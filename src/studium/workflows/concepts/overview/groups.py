"""Which concepts hang together: parts of the graph that no link connects, and crowds within a part."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

Pair = tuple[str, str]
Weights = dict[int, dict[int, float]]


def connected(uuids: Iterable[str], pairs: Iterable[Pair]) -> list[list[str]]:
    """The parts of the graph between which there is no link: the largest first, then by id."""
    near: dict[str, list[str]] = {uuid: [] for uuid in uuids}
    for one, other in pairs:
        near[one].append(other)
        near[other].append(one)
    seen: set[str] = set()
    parts = [sorted(_reached(start, near, seen)) for start in near if start not in seen]
    return sorted(parts, key=lambda part: (-len(part), part))


def _reached(start: str, near: dict[str, list[str]], seen: set[str]) -> list[str]:
    reached = [start]
    seen.add(start)
    for uuid in reached:
        for other in near[uuid]:
            if other not in seen:
                seen.add(other)
                reached.append(other)
    return reached


def communities(uuids: Sequence[str], pairs: Iterable[Pair]) -> dict[str, int]:
    """The crowd of each concept, 0 for the largest: within a crowd there are more links than chance would give.

    This is the method of Louvain: each node goes to the crowd where it has most links beyond chance; then the crowds
    are nodes themselves, until none moves. Same graph, same crowds.
    """
    ordered = sorted(uuids)
    place = {uuid: number for number, uuid in enumerate(ordered)}
    weights: Weights = {number: defaultdict(float) for number in range(len(ordered))}
    for one, other in pairs:
        weights[place[one]][place[other]] += 1
        weights[place[other]][place[one]] += 1
    crowd = list(range(len(ordered)))
    while (moved := _moved(weights)) != {node: node for node in weights}:
        crowd = [moved[number] for number in crowd]
        weights = _joined(weights, moved)
    return _by_size(ordered, crowd)


def _moved(weights: Weights) -> dict[int, int]:
    """Where each node goes, when each in turn goes where it has most links beyond chance."""
    degrees = {node: sum(others.values()) for node, others in weights.items()}
    total = sum(degrees.values())
    crowd = {node: node for node in weights}
    sizes = dict(degrees)
    moving = len(weights)
    # The last few would go to and fro for long, and change little.
    while moving > len(weights) // 100:
        moving = 0
        for node, others in weights.items():
            links: dict[int, float] = defaultdict(float)
            for other, weight in others.items():
                if other != node:
                    links[crowd[other]] += weight
            here, chance = crowd[node], degrees[node] / (total or 1)
            sizes[here] -= degrees[node]
            stay = links[here] - sizes[here] * chance
            gain, best = max((weight - sizes[to] * chance, -to) for to, weight in links.items())
            crowd[node] = -best if gain > stay + 1e-9 else here
            sizes[crowd[node]] += degrees[node]
            moving += crowd[node] != here
    return crowd


def _joined(weights: Weights, moved: dict[int, int]) -> Weights:
    """The crowds as nodes."""
    joined: Weights = {to: defaultdict(float) for to in sorted(set(moved.values()))}
    for node, others in weights.items():
        for other, weight in others.items():
            joined[moved[node]][moved[other]] += weight
    return joined


def _by_size(ordered: Sequence[str], crowd: Sequence[int]) -> dict[str, int]:
    members: dict[int, list[str]] = defaultdict(list)
    for uuid, number in zip(ordered, crowd, strict=True):
        members[number].append(uuid)
    ranked = sorted(members.values(), key=lambda some: (-len(some), some))
    return {uuid: number for number, some in enumerate(ranked) for uuid in some}
