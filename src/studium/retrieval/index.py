"""The index: passages by their words and by their vectors, the two rankings fused."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from studium.core.domain.document import Passage
from studium.domain.ports import Embedder
from studium.retrieval.rankings import VectorRanking, WordRanking

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEPTH = 60
RANK_OFFSET = 60  # the usual constant of reciprocal rank fusion: how little the very first ranks stand out


@dataclass(frozen=True)
class Ranked:
    """A passage that was found: its fused score, and its place (from 1) in each ranking that has it."""

    passage: Passage
    score: float
    lexical_rank: int | None
    vector_rank: int | None


class Index:
    """Finds passages by words and, given an embedder, by meaning. Building it embeds every passage once."""

    def __init__(self, passages: Sequence[Passage], embedder: Embedder | None = None) -> None:
        self.passages = tuple(passages)
        texts = searched_texts(self.passages)
        self._words = WordRanking(texts) if texts else None
        self._vectors = VectorRanking(texts, embedder) if texts and embedder else None

    def search(self, query: str, k: int = 12, kinds: Collection[str] | None = None) -> list[Ranked]:
        """The best passages for a query, best first, of these kinds only if any are given."""
        allowed = self._allowed(kinds)
        if not query.strip() or (allowed is not None and not allowed.any()):
            return []
        depth = max(DEPTH, k)
        lexical = self._words.best(query, depth, allowed) if self._words else []
        vector = self._vectors.best(query, depth, allowed) if self._vectors else []
        return self._fused(lexical, vector)[:k]

    def _allowed(self, kinds: Collection[str] | None) -> "NDArray[np.bool_] | None":
        if kinds is None:
            return None
        import numpy as np

        return np.isin(self._kinds, list(kinds))

    @cached_property
    def _kinds(self) -> "NDArray[np.str_]":
        import numpy as np

        return np.array([passage.kind for passage in self.passages], dtype=np.str_)

    def _fused(self, lexical: list[int], vector: list[int]) -> list[Ranked]:
        """Both rankings as one: a passage scores by its ranks; of equals, the one with the better words comes first."""
        by_words = {index: rank for rank, index in enumerate(lexical, 1)}
        by_vector = {index: rank for rank, index in enumerate(vector, 1)}
        found = [
            (_reciprocal(by_words.get(index)) + _reciprocal(by_vector.get(index)), index)
            for index in by_words.keys() | by_vector.keys()
        ]
        found.sort(key=lambda scored: (-scored[0], by_words.get(scored[1], len(self.passages)), scored[1]))
        return [
            Ranked(self.passages[index], score, by_words.get(index), by_vector.get(index)) for score, index in found
        ]


def searched_texts(passages: Sequence[Passage]) -> list[str]:
    """The texts that passages are found by."""
    return [f"{passage.heading}\n{passage.text}" if passage.heading else passage.text for passage in passages]


def _reciprocal(rank: int | None) -> float:
    return 0.0 if rank is None else 1 / (RANK_OFFSET + rank)
