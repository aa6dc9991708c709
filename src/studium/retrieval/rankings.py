"""The two rankings that are fused: by words (BM25) and by vectors (FAISS, exact)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from studium.domain.ports import Embedder
from studium.retrieval.words import words_asked, words_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class WordRanking:
    """Texts by how much their words say about a query's."""

    def __init__(self, texts: Sequence[str]) -> None:
        from bm25s import BM25

        self._bm25 = BM25()
        # A text without a single word must still keep its place.
        self._bm25.index([words_of(text) or [""] for text in texts], show_progress=False)

    def best(self, query: str, depth: int, allowed: "NDArray[np.bool_] | None") -> list[int]:
        """The places of the texts that share a word with the query, best first."""
        import numpy as np

        known = [word for word in words_asked(query) if word in self._bm25.vocab_dict]
        if not known:
            return []
        scores: NDArray[np.float32] = self._bm25.get_scores(known)
        if allowed is not None:
            scores = np.where(allowed, scores, np.float32(0))
        return _best(scores, np.flatnonzero(scores), depth)


class VectorRanking:
    """Texts by how near their vectors are to a query's."""

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        from faiss import IndexFlatIP, omp_set_num_threads

        # One query over some thousands of rows takes less time than waking a second thread for it.
        omp_set_num_threads(1)
        vectors = embedder.embed(texts)
        self._embedder = embedder
        self._faiss = IndexFlatIP(vectors.shape[1])
        self._faiss.add(vectors)

    def best(self, query: str, depth: int, allowed: "NDArray[np.bool_] | None") -> list[int]:
        """The places of the nearest texts, nearest first."""
        import numpy as np
        from faiss import IDSelectorBitmap, SearchParameters

        vector, chosen = self._embedder.embed([query]), None
        if allowed is not None:
            bits = np.packbits(allowed, bitorder="little")
            chosen = SearchParameters()
            bitmap: Any = IDSelectorBitmap  # it takes the array alone, whatever its types say
            chosen.sel = bitmap(bits)
        scores, places = self._faiss.search(vector, min(depth, self._faiss.ntotal), params=chosen)
        found = zip((-scores[0]).tolist(), places[0].tolist(), strict=True)
        return [place for _, place in sorted(found) if place >= 0]


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
