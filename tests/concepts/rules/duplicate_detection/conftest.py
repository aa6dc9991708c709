from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from studium.concepts.rules.spanish_gloss import embed_with_gloss
from studium.core.llm.embeddings import build_embedder


@pytest.fixture(scope="session")
def embed() -> Callable[[Sequence[str]], NDArray[np.float32]]:
    embedder = build_embedder("minilm")
    assert embedder is not None
    return embed_with_gloss(embedder.embed)
