"""Which concepts belong together: the connected parts of the graph, and the communities within a part."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

Pair = tuple[str, str]


def connected_components(uuids: Iterable[str], pairs: Iterable[Pair]) -> list[list[str]]:
    """The connected parts of the graph, the largest first, then by id."""
    import networkx as nx

    graph = nx.Graph(pairs)
    graph.add_nodes_from(uuids)
    return sorted(map(sorted, nx.connected_components(graph)), key=lambda part: (-len(part), part))


def communities(
    uuids: Sequence[str], pairs: Iterable[Pair], last: Mapping[str, int] = MappingProxyType({})
) -> dict[str, int]:
    """The Louvain community of each concept, 0 for the largest; the same graph always gives the same communities.

    A community keeps the number that most of its members had the `last` time, so that it keeps its colour on the map.
    """
    import networkx as nx

    ordered = sorted(uuids)
    # Numbers instead of ids: the order of a set of strings differs from process to process.
    place = {uuid: number for number, uuid in enumerate(ordered)}
    graph = nx.Graph()
    graph.add_nodes_from(range(len(ordered)))
    graph.add_edges_from(sorted((place[one], place[other]) for one, other in pairs))
    found = nx.community.louvain_communities(graph, seed=0)
    return _numbered([sorted(ordered[number] for number in some) for some in found], last)


def _numbered(found: Iterable[list[str]], last: Mapping[str, int]) -> dict[str, int]:
    ranked = sorted(found, key=lambda some: (-len(some), some))
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
