"""`search` in a document of 5 MB, after the first search; and hostile patterns."""

import random
import statistics
import time
from importlib.resources import files
from itertools import accumulate

from studium.core.documents.plain_text import TextPage
from studium.core.domain.document import Document
from studium.questions.document_tools import Search, search

SIZE, ROUNDS = 5_000_000, 7
LINE_WORDS = 14


def measure() -> list[tuple[str, float, str, str]]:
    """The figures: name, value, unit and target."""
    document = _document(_prose())
    hostile = _document("a" * SIZE + "!")
    return [
        ("5 MB, literal that occurs", _p50(document, "network"), "ms", "<= 10"),
        ("5 MB, literal that occurs in nearly every line", _p50(document, "the"), "ms", "<= 10"),
        ("5 MB, two words that never meet", _p50(document, "political network"), "ms", "<= 10"),
        ("5 MB, regular expression", _p50(document, r"\bnet\w+\s+the$", regex=True), "ms", "<= 60"),
        ("5 MB, regular expression with lookahead", _p50(document, r"\bnet\w+(?=\s+the)", regex=True), "ms", ""),
        ("5 MB, (a+)+$ over prose", _p50(document, "(a+)+$", regex=True), "ms", "<= 1000"),
        ("5 MB, (a+)+$ over one line of a", _p50(hostile, "(a+)+$", regex=True), "ms", "<= 1000"),
        ("5 MB, (?=a)(a+)+$ over one line of a", _p50(hostile, "(?=a)(a+)+$", regex=True), "ms", "<= 1000"),
    ]


def _document(text: str) -> Document:
    return Document("bench.txt", "text", "bench", (TextPage(text),))


def _prose() -> str:
    """Words with the frequencies of a language (Zipf's law)."""
    chance = random.Random(1)  # noqa: S311  not used for secrets
    pieces = files("studium.core.text").joinpath("data/word_pieces.txt").read_text(encoding="utf-8").split()
    words = [piece for piece in pieces[2000:] if piece.isalpha()]
    weights = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))
    lines = (" ".join(chance.choices(words, cum_weights=weights, k=LINE_WORDS)) for _ in range(SIZE // 60))
    return "\n".join(lines)[:SIZE]


def _p50(document: Document, pattern: str, *, regex: bool = False) -> float:
    wanted = Search(pattern=pattern, regex=regex)
    search(document, wanted)
    return 1000 * statistics.median(_seconds(document, wanted) for _ in range(ROUNDS))


def _seconds(document: Document, wanted: Search) -> float:
    started = time.perf_counter()
    search(document, wanted)
    return time.perf_counter() - started


if __name__ == "__main__":
    for what, figure, unit, target in measure():
        print(f"{what:60} {figure:10.2f} {unit:5} {target}")
