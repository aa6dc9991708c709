"""Hybrid search over passages: BM25 over words, and vectors where there is an embedder."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from unicodedata import normalize

from studium.core.domain.document import Passage
from studium.core.domain.ports import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


# Kana, Han and Thai are written without spaces.
_WORD = re.compile(
    r"(?P<unspaced>[\u0e00-\u0eff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+)|[^\W_\u0e00-\u0eff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
_SHORTEST_PLURAL = 4
_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        """a an and are as at be by can did do does for from had has have how i if in into is it its me my of on or so
        than that the their them then there these they this to was we were what when where which while who whose why
        will with you your""",
    )
)


def index_terms(text: str) -> list[str]:
    """The words of a text that are indexed."""
    return [word for match in _words(text) for word in _indexed(match)]


def query_terms(text: str) -> list[str]:
    """The words to search for, without stop words if there are others.

    In a script without spaces, a single character counts only if it is the whole run.
    """
    found = list(_words(text))
    telling = [match for match in found if match[0] not in _FUNCTION_WORDS] or found
    return [word for match in telling for word in (_pairs(match[0]) if match["unspaced"] else _indexed(match))]


def _words(text: str) -> Iterator[re.Match[str]]:
    return _WORD.finditer(normalize("NFKC", text).casefold())


def _indexed(match: re.Match[str]) -> list[str]:
    word = match[0]
    return [*_pairs(word), *word] if match["unspaced"] and len(word) > 1 else [_singular(word)]


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _singular(word: str) -> str:
    """English plurals as singulars (Harman's S-stemmer): `routers` becomes `router`; `bus` and `class` stay."""
    if len(word) < _SHORTEST_PLURAL or not word.isascii() or not word.endswith("s"):
        return word
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    return word if word.endswith(("us", "ss")) else word[:-1]


class WordRanking:
    """Ranks texts by their words (BM25)."""

    def __init__(self, texts: Sequence[str]) -> None:
        from bm25s import BM25

        self._bm25 = BM25()
        # A text without words must keep its position.
        self._bm25.index([index_terms(text) or [""] for text in texts], show_progress=False)

    def best(self, query: str, depth: int, allowed: "NDArray[np.bool_] | None") -> list[int]:
        """The positions of the texts that share a word with the query, best first."""
        import numpy as np

        known = [word for word in query_terms(query) if word in self._bm25.vocab_dict]
        if not known:
            return []
        scores: NDArray[np.float32] = self._bm25.get_scores(known)
        if allowed is not None:
            scores = np.where(allowed, scores, np.float32(0))
        return _best(scores, np.flatnonzero(scores), depth)


class VectorRanking:
    """Ranks texts by the similarity of their vectors."""

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        self._vectors = embedder.embed(texts)
        self._embedder = embedder

    def best(self, query: str, depth: int, allowed: "NDArray[np.bool_] | None") -> list[int]:
        """The positions of the nearest texts, nearest first."""
        import numpy as np

        # Row by row: a matrix product would wake a second thread, which takes longer than all of it.
        scores: NDArray[np.float32] = np.vecdot(self._vectors, self._embedder.embed([query])[0])
        among = np.arange(len(scores)) if allowed is None else np.flatnonzero(allowed)
        return _best(scores, among, depth)


def _best(scores: "NDArray[np.float32]", candidates: "NDArray[np.intp]", depth: int) -> list[int]:
    """The highest scores among the candidates; of equals, the earlier text first."""
    import numpy as np

    own = scores[candidates]
    if len(candidates) > depth:
        least = np.partition(own, -depth)[-depth]
        candidates = candidates[own >= least]
        own = scores[candidates]
    order = np.lexsort((candidates, -own))
    best: list[int] = candidates[order][:depth].tolist()
    return best


DEPTH = 60
RANK_OFFSET = 60  # the usual constant of reciprocal rank fusion; the higher, the less the first ranks dominate


@dataclass(frozen=True)
class SearchHit:
    """A found passage: its fused score, and its rank (from 1) in each ranking that has it."""

    passage: Passage
    score: float
    lexical_rank: int | None
    vector_rank: int | None


class HybridIndex:
    """Finds passages by words and, given an embedder, by meaning. Building it embeds every passage once."""

    def __init__(self, passages: Sequence[Passage], embedder: Embedder | None = None) -> None:
        self.passages = tuple(passages)
        texts = texts_to_index(self.passages)
        self._words = WordRanking(texts) if texts else None
        self._vectors = VectorRanking(texts, embedder) if texts and embedder else None

    def search(self, query: str, k: int = 12, kinds: Collection[str] | None = None) -> list[SearchHit]:
        """The best passages for a query, best first; of these kinds only, if given."""
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

    def _fused(self, lexical: list[int], vector: list[int]) -> list[SearchHit]:
        """Fuse both rankings by reciprocal ranks; ties go to the better word ranking."""
        by_words = {index: rank for rank, index in enumerate(lexical, 1)}
        by_vector = {index: rank for rank, index in enumerate(vector, 1)}
        found = [
            (_reciprocal(by_words.get(index)) + _reciprocal(by_vector.get(index)), index)
            for index in by_words.keys() | by_vector.keys()
        ]
        found.sort(key=lambda scored: (-scored[0], by_words.get(scored[1], len(self.passages)), scored[1]))
        return [
            SearchHit(self.passages[index], score, by_words.get(index), by_vector.get(index)) for score, index in found
        ]


def texts_to_index(passages: Sequence[Passage]) -> list[str]:
    """The searchable texts of passages."""
    return [f"{passage.heading}\n{passage.text}" if passage.heading else passage.text for passage in passages]


def _reciprocal(rank: int | None) -> float:
    return 0.0 if rank is None else 1 / (RANK_OFFSET + rank)
