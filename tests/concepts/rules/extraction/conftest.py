"""Books as the extractor is given them."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

from studium.concepts.rules.extract import extract_rule
from studium.concepts.skills import ExtractInput, ExtractOutput, QuoteView
from studium.core.llm.embeddings import build_embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Draft = Callable[..., ExtractOutput]


def drafted(*quotes: str | QuoteView, language: str = "en", author: str = "", embedded: bool = False) -> ExtractOutput:
    """What the rule makes of quotes."""
    shown = tuple(
        each if isinstance(each, QuoteView) else QuoteView(key=f"q{at}", text=each) for at, each in enumerate(quotes, 1)
    )
    given = ExtractInput(title="A book", author=author, summary="", language=language, quotes=shown)
    found = extract_rule(_minilm if embedded else _nothing)(given, ())
    assert isinstance(found, ExtractOutput)
    return found


def _nothing(_texts: Sequence[str]) -> "NDArray[np.float32] | None":
    return None


def _minilm(texts: Sequence[str]) -> "NDArray[np.float32] | None":
    embedder = build_embedder("minilm")
    assert embedder is not None
    return embedder.embed(texts)


@pytest.fixture
def draft() -> Draft:
    """Draws concepts from quotes: `draft("One.", "Two.", language="en")`."""
    return drafted
