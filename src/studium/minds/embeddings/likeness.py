"""How alike two texts are in meaning; the embedder is loaded when it is first asked."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from studium.domain.ports import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Likeness:
    """From 0 to 1 how alike two texts are; without an embedder nobody can tell, and it is 0."""

    def __init__(self, embedder: Callable[[], Embedder | None]) -> None:
        self._load = embedder

    def __call__(self, one: str, other: str) -> float:
        """The cosine of the two texts."""
        if self._embedder is None:
            return 0.0
        first, second = self._embedder.embed([one, other])
        return max(0.0, float(first @ second))

    def vectors(self, texts: Sequence[str]) -> "NDArray[np.float32] | None":
        """The texts as vectors of unit length, one row a text; without an embedder there are none."""
        return None if self._embedder is None else self._embedder.embed(texts)

    def close(self) -> None:
        """Give the embedder's connections back, if it was loaded and has any."""
        close = getattr(self.__dict__.get("_embedder"), "close", None)
        if close:
            close()

    @cached_property
    def _embedder(self) -> Embedder | None:
        return self._load()
