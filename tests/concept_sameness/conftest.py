from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from studium.core.llm.embeddings import build_embedder
from studium.workflows.concepts.sameness.glossing import understanding_spanish


@pytest.fixture(scope="session")
def embed() -> Callable[[Sequence[str]], NDArray[np.float32]]:
    embedder = build_embedder("minilm")
    assert embedder is not None
    return understanding_spanish(embedder.embed)
