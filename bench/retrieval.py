"""Retrieval over 10,000 passages: the top 12 after load, with the query's vector at hand and with embedding it."""

import random
import statistics
import time
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from studium.core.domain.document import Passage, content_id
from studium.core.domain.finding import Locator
from studium.core.domain.ports import Embedder
from studium.core.llm.embeddings import DIMENSIONS, MiniLM
from studium.core.retrieval import HybridIndex
from studium.core.text.locate import Searchable

PASSAGES, WORDS, QUERY_WORDS, QUERIES = 10_000, 80, 8, 200


class RandomVectors:
    """An embedder with random vectors, as if all were cached; the figures do not depend on their meaning."""

    name = "random"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of unit length."""
        rows = np.random.default_rng(len(texts)).standard_normal((len(texts), DIMENSIONS)).astype(np.float32)
        units: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return units


class EmbedsQueries(RandomVectors):
    """Cached passages, but every query is new."""

    def __init__(self) -> None:
        self._minilm = MiniLM()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A single text is a query."""
        return self._minilm.embed(texts) if len(texts) == 1 else super().embed(texts)


def measure() -> list[tuple[str, float, str, str]]:
    """The figures: name, value, unit and target."""
    chance = random.Random(1)  # noqa: S311  not used for secrets
    passages = [_passage(_text(chance, WORDS)) for _ in range(PASSAGES)]
    queries = [_text(chance, QUERY_WORDS) for _ in range(QUERIES)]
    cases: list[tuple[str, Embedder | None, str]] = [
        ("top 12 of 10,000 passages, query vector cached", RandomVectors(), "<= 3"),
        ("top 12 of 10,000 passages, query embedded by MiniLM", EmbedsQueries(), "<= 3"),
        ("top 12 of 10,000 passages, words alone", None, ""),
    ]
    figures = []
    for what, embedder, target in cases:
        index = HybridIndex(passages, embedder)
        figures.append((f"{what}, p50", _p50(index.search, queries), "ms", target))
    return [*figures, ("MiniLM, passages embedded", _embedded_per_second(passages), "1/s", ""), _locating(passages)]


def _embedded_per_second(passages: Sequence[Passage]) -> float:
    minilm, texts = MiniLM(), [passage.text for passage in passages[:64]]
    minilm.embed(texts[:1])
    started = time.perf_counter()
    minilm.embed(texts)
    return len(texts) / (time.perf_counter() - started)


def _locating(passages: Sequence[Passage]) -> tuple[str, float, str, str]:
    text = Searchable("\n".join(passage.text for passage in passages)[:1_000_000] + " the \u201cvery\u201d end")
    text.locate('the "very" end')
    return ("a quote located in 1 MB, second time", _p50(text.locate, ['the "very" end'] * 20), "ms", "<= 100")


def _p50(call: Callable[[str], object], arguments: Sequence[str]) -> float:
    for argument in arguments[:10]:
        call(argument)
    return 1000 * statistics.median(_seconds(call, argument) for argument in arguments)


def _seconds(call: Callable[[str], object], argument: str) -> float:
    started = time.perf_counter()
    call(argument)
    return time.perf_counter() - started


def _text(chance: random.Random, count: int) -> str:
    """Words with the frequencies of a language (Zipf's law)."""
    words, weights = _vocabulary()
    return " ".join(chance.choices(words, cum_weights=weights, k=count))


@cache
def _vocabulary() -> tuple[list[str], list[float]]:
    pieces = files("studium.core.text").joinpath("data/word_pieces.txt").read_text(encoding="utf-8").split()
    words = [piece for piece in pieces[2000:] if piece.isalpha()]
    return words, list(accumulate(1 / rank for rank in range(1, len(words) + 1)))


def _passage(text: str) -> Passage:
    return Passage(content_id(text), text, Locator(path="bench.txt"))


if __name__ == "__main__":
    for what, figure, unit, target in measure():
        print(f"{what:60} {figure:10.2f} {unit:5} {target}")
