"""`python -m evaluation.english TREEBANK.conllu[.gz] [--limit N]`: how well the shipped parser reads a UD treebank.

The words are the treebank's own; tags, lemmas, heads and relations are the parser's. `words_found` is the share of the
treebank's words that our own splitting gives, too. LAS counts a relation with its subtype.
"""

import argparse
import gzip
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluation.material import share
from studium.core.text.english.parser import MAX_WORDS, parse_split
from studium.core.text.english.tree import ROOT
from studium.core.text.english.words import Span, split_english


@dataclass
class GoldSentence:
    """A sentence of a treebank: its text, where its words are, and their columns."""

    text: str
    spans: list[Span]
    rows: list[list[str]]


def read_treebank(path: Path) -> Iterator[GoldSentence]:
    """The sentences of a CoNLL-U file."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        rows: list[list[str]] = []
        for line in file:
            if line.strip() and not line.startswith("#"):
                row = line.rstrip("\n").split("\t")
                if row[0].isdigit():
                    rows.append(row)
            elif not line.strip() and rows:
                yield _sentence(rows)
                rows = []


def _sentence(rows: list[list[str]]) -> GoldSentence:
    text, spans = "", []
    for row in rows:
        spans.append((len(text), len(text) + len(row[1])))
        text += row[1] + ("" if "SpaceAfter=No" in row[9] else " ")
    return GoldSentence(text.rstrip(), spans, rows)


def score(sentences: list[GoldSentence]) -> dict[str, float]:
    """The shares that are right, and the words a second of processor time."""
    began = time.process_time()
    trees = parse_split([each.text for each in sentences], [each.spans for each in sentences])
    seconds = time.process_time() - began
    right = dict.fromkeys(("upos", "xpos", "lemma", "uas", "las"), 0)
    words = found = 0
    for gold, tree in zip(sentences, trees, strict=True):
        words += len(gold.rows)
        found += len(set(gold.spans) & set(split_english(gold.text)))
        for row, word in zip(gold.rows, tree.words if tree else (), strict=tree is not None):
            head = 0 if word.head == ROOT else word.head + 1
            right["upos"] += word.pos == row[3]
            right["xpos"] += word.tag == row[4]
            right["lemma"] += word.lemma == row[2].lower()
            right["uas"] += head == int(row[6])
            right["las"] += head == int(row[6]) and word.relation == row[7]
    figures = {name: share(count, words) for name, count in right.items()}
    return figures | {"words_found": share(found, words), "words": words, "words_a_second": round(words / seconds)}


def main() -> None:
    """Print the figures of a treebank."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebank", type=Path)
    parser.add_argument("--limit", type=int, default=None, help="read only this many sentences")
    given = parser.parse_args()
    sentences = [each for each in read_treebank(given.treebank) if len(each.spans) <= MAX_WORDS][: given.limit]
    print(json.dumps(score(sentences), indent=1))


if __name__ == "__main__":
    main()
