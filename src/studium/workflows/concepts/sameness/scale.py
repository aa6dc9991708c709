"""One scale for the cosines of every embedder: some find even unrelated texts half alike."""

from collections.abc import Sequence
from functools import lru_cache

from studium.workflows.concepts.desk import Embed
from studium.workflows.concepts.sameness.lists import word_lists

UNRELATED = 0.04  # the cosine of unrelated texts by the embedder that our thresholds are set for


def similarities(embed: Embed, one: str, others: Sequence[str]) -> list[float | None]:
    """How similar others are to one, on our scale; None each where there is no embedder."""
    vectors = embed([one, *others])
    if vectors is None:
        return [None] * len(others)
    return [on_our_scale(embed, float(cosine)) for cosine in vectors[1:] @ vectors[0]]


def on_our_scale(embed: Embed, cosine: float) -> float:
    """What a cosine of this embedder is on our scale."""
    unrelated = _unrelated(embed)
    return cosine if unrelated is None else 1 - (1 - cosine) * (1 - UNRELATED) / (1 - unrelated)


@lru_cache(maxsize=8)
def _unrelated(embed: Embed) -> float | None:
    """The mean cosine that this embedder gives to texts that have nothing to do with each other."""
    vectors = embed(word_lists()["unrelated"])
    if vectors is None:
        return None
    count = len(vectors)
    return float((vectors @ vectors.T).sum() - count) / (count * (count - 1))
