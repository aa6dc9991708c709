"""An embedder that never embeds the same text twice."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from studium.core.domain.document import content_id
from studium.domain.ports import Embedder, VectorStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class CachedEmbedder:
    """Takes from the store what it knows, and asks the embedder for the rest."""

    def __init__(self, embedder: Embedder, store: VectorStore) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._store = store

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One row a text, in order."""
        import numpy as np

        keys = [content_id(text) for text in texts]
        known = self._store.recall(self.name, list(dict.fromkeys(keys)))
        unknown = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if unknown or not texts:
            vectors = self._embedder.embed(list(unknown.values()))
            if not texts:
                return vectors
            new = {key: row.astype("<f4").tobytes() for key, row in zip(unknown, vectors, strict=True)}
            self._store.remember(self.name, new)
            known = {**known, **new}
        return np.stack([np.frombuffer(known[key], dtype="<f4") for key in keys]).astype(np.float32, copy=False)

    def close(self) -> None:
        """Give the embedder's connections back, if it has any."""
        if close := getattr(self._embedder, "close", None):
            close()
