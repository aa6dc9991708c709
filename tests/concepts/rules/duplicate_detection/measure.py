"""How well duplicates are recognised, on pairs that were labelled by hand.

`python -m tests.concepts.rules.duplicate_detection.measure natural.tsv` prints precision, recall and F1 of `same`, by
language, and F1 of the best threshold on the cosine alone (which is chosen on the very pairs).

`natural.tsv` holds notes as two readers write them, `pairs.tsv` pairs that are hard on purpose: the related ones share
more words than the same ones. Thresholds and words were chosen with these two and with `dev.tsv`. The two held-out
files were measured when all was done.
"""

import csv
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from studium.concepts.dependencies import Embed
from studium.concepts.rules.duplicate_detection import compare_concepts, full_text
from studium.concepts.rules.spanish_gloss import embed_with_gloss
from studium.concepts.skills import ConceptView

HERE = Path(__file__).parent
LANGUAGES = ("en", "es", "en-es")


class Pair(NamedTuple):
    """Two concepts, what they are to each other, and how similar they are."""

    label: str
    languages: str
    one: ConceptView
    other: ConceptView
    similarity: float = 0.0


class Score(NamedTuple):
    """How well `same` is found."""

    precision: float
    recall: float
    f1: float


def labelled(name: str) -> list[Pair]:
    """The pairs of a file in this folder."""
    with (HERE / name).open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [Pair(row["label"], row["languages"], _idea(row, "1"), _idea(row, "2")) for row in rows]


def embedded(pairs: Sequence[Pair], embed: Embed) -> list[Pair]:
    """The pairs with how similar they are."""
    ones, others = embed([full_text(pair.one) for pair in pairs]), embed([full_text(pair.other) for pair in pairs])
    cosines = np.sum(ones * others, axis=1)
    return [pair._replace(similarity=float(cosine)) for pair, cosine in zip(pairs, cosines, strict=True)]


def score(pairs: Sequence[Pair], is_same: Callable[[Pair], bool]) -> Score:
    """Precision, recall and F1 of `same`."""
    found = [pair for pair in pairs if is_same(pair)]
    right = sum(pair.label == "same" for pair in found)
    wanted = sum(pair.label == "same" for pair in pairs)
    return Score(right / max(1, len(found)), right / max(1, wanted), 2 * right / max(1, len(found) + wanted))


def judged_same(pair: Pair) -> bool:
    """What the rule says."""
    return compare_concepts(pair.one, pair.other, pair.similarity).verdict == "same"


def cosine_alone(pairs: Sequence[Pair]) -> float:
    """The F1 of the threshold on the cosine of title and text that is best for these very pairs."""
    near = [pair.similarity for pair in pairs]
    return max(_f1(pairs, [each >= floor for each in near]) for floor in near)


def _f1(pairs: Sequence[Pair], verdicts: Sequence[bool]) -> float:
    chosen = dict(zip(map(id, pairs), verdicts, strict=True))
    return score(pairs, lambda pair: chosen[id(pair)]).f1


def _idea(row: dict[str, str], side: str) -> ConceptView:
    return ConceptView(key=f"c{side}", title=row[f"title{side}"], concept=row[f"text{side}"])


def main(names: Sequence[str]) -> None:
    """Print the figures of these files, taken together."""
    from studium.core.llm.embeddings import build_embedder

    embedder = build_embedder("minilm")
    assert embedder is not None
    pairs = embedded([pair for name in names for pair in labelled(name)], embed_with_gloss(embedder.embed))
    for group in ("all", *LANGUAGES):
        own = [pair for pair in pairs if group in {"all", pair.languages}]
        found = score(own, judged_same)
        words = score(own, lambda pair: compare_concepts(pair.one, pair.other, None).verdict == "same")
        sys.stdout.write(
            f"{group:6}{len(own):4} pairs: P {found.precision:.3f} R {found.recall:.3f} F1 {found.f1:.3f};"
            f" cosine alone {cosine_alone(embedded(own, embedder.embed)):.3f}; words alone {words.f1:.3f}\n"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
