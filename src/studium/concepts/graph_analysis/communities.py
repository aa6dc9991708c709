"""Which concepts hang together: parts of the graph that no link connects, and crowds within a part."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

Pair = tuple[str, str]
Weights = dict[int, dict[int, float]]

_MOST_TURNS = 10


def connected_components(uuids: Iterable[str], pairs: Iterable[Pair]) -> list[list[str]]:
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


def communities(
    uuids: Sequence[str], pairs: Iterable[Pair], last: Mapping[str, int] = MappingProxyType({})
) -> dict[str, int]:
    """The crowd of each concept, 0 for the largest: within a crowd there are more links than chance would give.

    A crowd keeps the number that most of it had the `last` time, so that what is known keeps its colour.

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
    return _numbered(ordered, crowd, last)


def _moved(weights: Weights) -> dict[int, int]:
    """Where each node goes, when each in turn goes where it has most links beyond chance."""
    degrees = {node: sum(others.values()) for node, others in weights.items()}
    total = sum(degrees.values()) or 1
    crowd = {node: node for node in weights}
    sizes = dict(degrees)
    # Who has moved makes those it is linked to think again; the last few would go to and fro for long, for little.
    asked, waiting = deque(weights), set(weights)
    for _ in range(_MOST_TURNS * len(weights)):
        if not asked:
            break
        node = asked.popleft()
        waiting.discard(node)
        here, chance = crowd[node], degrees[node] / total
        sizes[here] -= degrees[node]
        to = _best(node, weights[node], crowd, sizes, chance)
        sizes[to] += degrees[node]
        if to != here:
            crowd[node] = to
            roused = [other for other in weights[node] if crowd[other] != to and other not in waiting]
            asked.extend(roused)
            waiting.update(roused)
    return crowd


def _best(
    node: int, others: Mapping[int, float], crowd: Mapping[int, int], sizes: Mapping[int, float], chance: float
) -> int:
    """The crowd where a node has most links beyond chance: its own, unless another is truly better."""
    links: dict[int, float] = {}
    for other, weight in others.items():
        if other != node:
            there = crowd[other]
            links[there] = links.get(there, 0.0) + weight
    best = here = crowd[node]
    most = links.get(here, 0.0) - sizes[here] * chance + 1e-9
    for to, weight in links.items():
        gain = weight - sizes[to] * chance
        if gain > most:
            best, most = to, gain
    return best


def _joined(weights: Weights, moved: dict[int, int]) -> Weights:
    """The crowds as nodes."""
    joined: Weights = {to: defaultdict(float) for to in sorted(set(moved.values()))}
    for node, others in weights.items():
        for other, weight in others.items():
            joined[moved[node]][moved[other]] += weight
    return joined


def _numbered(ordered: Sequence[str], crowd: Sequence[int], last: Mapping[str, int]) -> dict[str, int]:
    members: dict[int, list[str]] = defaultdict(list)
    for uuid, number in zip(ordered, crowd, strict=True):
        members[number].append(uuid)
    ranked = sorted(members.values(), key=lambda some: (-len(some), some))
    kept: dict[int, list[str]] = {}
    others = []
    for some in ranked:
        had = Counter(last[uuid] for uuid in some if uuid in last).most_common(1)
        if had and had[0][0] not in kept and 0 <= had[0][0] < len(ranked):
            kept[had[0][0]] = some
        else:
            others.append(some)
    free = (number for number in range(len(ranked)) if number not in kept)
    kept |= dict(zip(free, others, strict=True))
    return {uuid: number for number, some in kept.items() for uuid in some}
