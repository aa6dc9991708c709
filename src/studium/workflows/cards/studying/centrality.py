"""How central each note is to its vault: PageRank over the links between notes."""

from collections.abc import Collection, Mapping

DAMPING = 0.85
ENOUGH = 1e-6
MOST_ROUNDS = 100


def centrality(links: Mapping[str, Collection[str]]) -> dict[str, float]:
    """The rank of each note, 1 on average: a note is central if central notes that link to little else link to it.

    >>> {name: round(rank, 2) for name, rank in centrality({"a": ["c"], "b": ["c"], "c": []}).items()}
    {'a': 0.64, 'b': 0.64, 'c': 1.72}
    """
    names = list(links)
    place = {name: at for at, name in enumerate(names)}
    leads = [[place[other] for other in links[name]] for name in names]
    ranks = [1.0] * len(names)
    for _ in range(MOST_ROUNDS):
        fresh = _round(leads, ranks)
        moved = sum(abs(new - old) for new, old in zip(fresh, ranks, strict=True))
        ranks = fresh
        if moved <= ENOUGH * len(names):
            break
    return dict(zip(names, ranks, strict=True))


def _round(leads: list[list[int]], ranks: list[float]) -> list[float]:
    """Each note passes its rank on to those it links to; one without links passes it on to all."""
    idle = sum(rank for rank, others in zip(ranks, leads, strict=True) if not others)
    fresh = [1 - DAMPING + DAMPING * idle / len(ranks)] * len(ranks)
    for rank, others in zip(ranks, leads, strict=True):
        if others:
            share = DAMPING * rank / len(others)
            for other in others:
                fresh[other] += share
    return fresh
