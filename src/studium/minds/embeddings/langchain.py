"""Any LangChain embedder behind our port: unit vectors, patient with passing faults, clear about the others."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studium.domain.errors import ServiceDown
from studium.minds.faults import diagnose, final_error
from studium.minds.providers import ModelSpec

if TYPE_CHECKING:
    import numpy as np
    from langchain_core.embeddings import Embeddings
    from numpy.typing import NDArray

BATCH = 64


@dataclass(frozen=True)
class Connection:
    """A LangChain embedder and the way to give its connections back."""

    embeddings: "Embeddings"
    close: Callable[[], None]


class LangChainEmbedder:
    """Embeds over the wire, a batch at a time."""

    def __init__(self, spec: ModelSpec, connection: Connection, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self.name = spec.name
        self._spec = spec
        self._connection = connection
        self._sleep = sleep

    def close(self) -> None:
        """Give the connections back."""
        self._connection.close()

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One row of unit length a text."""
        import numpy as np

        rows = [row for at in range(0, len(texts), BATCH) for row in self._embed_batch(list(texts[at : at + BATCH]))]
        vectors = np.array(rows, dtype=np.float32).reshape(len(texts), -1) if rows else np.empty((0, 0), np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        lengths[lengths == 0] = 1
        units: NDArray[np.float32] = vectors / lengths
        return units

    def _embed_batch(self, texts: list[str]) -> list[list[float]]:
        attempt = 1
        while True:
            try:
                rows = self._connection.embeddings.embed_documents(texts)
            except Exception as error:  # every client has exceptions of its own; what is none of theirs goes on
                fault = diagnose(error)
                if fault is None:
                    raise
                if not fault.is_transient or attempt > self._spec.retries:
                    down = ServiceDown(f"{self._spec.address} gave no vectors for {self.name}: {fault}")
                    raise final_error(fault, self._spec) or down from error
                self._sleep(fault.delay(attempt, random.random))
                attempt += 1
            else:
                return rows
