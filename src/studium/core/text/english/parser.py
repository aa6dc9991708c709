"""The English parser: MiniLM with a biaffine head, trained on the Universal Dependencies treebank EWT, on onnxruntime.

`scripts/train_english.py` trains the weights. Parsed sentences are cached by their text.
"""

import json
import os
import re
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from threading import Lock
from typing import TYPE_CHECKING, Any

from studium.core.text.english.tree import ROOT, ParsedText, Word
from studium.core.text.english.words import Span, letter_case, split_english
from studium.core.text.word_lists import load_word_pairs
from studium.core.text.word_pieces import CLS, SEP, UNKNOWN, is_known_word, load_word_pieces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_WORDS = 90
"""A longer sentence is a list or a table that lost its lines: nobody asks about it, and parsing it would be a guess."""
_MAX_PIECES = 400
_KEPT = 6_000
_IMPOSSIBLE = -1e9
_SHORT = 2
# A path, an address or an identifier: the parser was not trained on them, and reads them as a name.
_TECHNICAL = re.compile(r"^[~.]?/\w|\w/\w+/|\w_\w|[A-Za-z]\.[a-z]\w|\w\(\)|\w::\w|^--?[a-z]|^\.[a-z]")
_NEEDS_E = ("ur", "ir", "at", "iz", "is", "yz", "id", "ut", "c", "g", "s", "u", "v", "z")

_kept: "OrderedDict[str, ParsedText | None]" = OrderedDict()
_lock = Lock()


def parse(text: str) -> ParsedText | None:
    """The tree of one sentence; none if it is empty or longer than any sentence is."""
    return parse_all([text])[0]


def parse_all(texts: Sequence[str]) -> list[ParsedText | None]:
    """The trees of many sentences, in order."""
    with _lock:
        found = {text: _kept[text] for text in texts if text in _kept}
    unknown = [text for text in dict.fromkeys(texts) if text not in found]
    if unknown:
        found |= zip(unknown, parse_split(unknown, [split_english(text) for text in unknown]), strict=True)
        with _lock:
            for text in unknown:
                _kept[text] = found[text]
            while len(_kept) > _KEPT:
                _kept.popitem(last=False)
    return [found[text] for text in texts]


def parse_split(texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> list[ParsedText | None]:
    """The trees of sentences whose words are known."""
    pieces = [
        _pieces(text, words) if 0 < len(words) <= MAX_WORDS else [] for text, words in zip(texts, spans, strict=True)
    ]

    def run(at: int) -> ParsedText | None:
        # One by one: in a batch, the int8 weights would give a sentence other scores than alone.
        return _parse_one(texts[at], spans[at], pieces[at]) if pieces[at] else None

    if len(texts) == 1:
        return [run(0)]
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as threads:
        return list(threads.map(run, range(len(texts))))


def _pieces(text: str, words: Sequence[Span]) -> list[list[int]]:
    """The word pieces of each word; none for a text that the model cannot take."""
    read = ["Linux" if _TECHNICAL.search(text[start:end]) else text[start:end] for start, end in words]
    encoded = load_word_pieces().encode_batch(read, add_special_tokens=False)
    pieces = [each.ids[:16] or [UNKNOWN] for each in encoded]
    return pieces if sum(map(len, pieces)) <= _MAX_PIECES else []


def _parse_one(text: str, spans: Sequence[Span], pieces: list[list[int]]) -> ParsedText:
    import numpy as np

    session, labels, relations = _model()
    first = np.cumsum([1, *map(len, pieces)])
    places = np.array([[0, *first[:-1]]]), np.array([[0, *(first[1:] - 1)]])
    words = [text[start:end] for start, end in spans]
    case = [5, *(1 if _TECHNICAL.search(word) else letter_case(word) for word in words)]
    ids = np.array([[CLS, *(piece for own in pieces for piece in own), SEP]])
    given = {"ids": ids, "att": np.ones_like(ids), "first": places[0], "last": places[1], "shape": np.array([case])}
    arcs, heads, dependents, *classes = (each[0] for each in session.run(None, given))
    return _tree(text, spans, arcs, heads, dependents, tuple(classes), labels, relations)


def _tree(  # noqa: PLR0913, PLR0917 - what the model says of one sentence
    text: str,
    spans: Sequence[Span],
    arcs: "NDArray[np.float32]",
    heads: "NDArray[np.float32]",
    dependents: "NDArray[np.float32]",
    classes: "tuple[NDArray[np.float32], ...]",
    labels: dict[str, list[str]],
    relations: "NDArray[np.float32]",
) -> ParsedText:
    import numpy as np

    size = len(spans) + 1
    scores = arcs[:size, :size].copy()
    np.fill_diagonal(scores, _IMPOSSIBLE)
    head = best_heads(scores)
    chances = np.exp(scores - scores.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    certain = chances[np.arange(1, size), head[1:]]
    # For each word, the relation that fits it and its head best.
    fit = (dependents[1:size] @ relations).reshape(size - 1, -1, heads.shape[1])
    relation = np.matmul(fit, heads[head[1:], :, None])[:, :, 0].argmax(1)
    pos, tag, lemma = (each[1:size].argmax(1) for each in classes)
    words = tuple(
        Word(
            index=at,
            text=text[start:end],
            start=start,
            end=end,
            lemma=_lemma(text[start:end], labels["lemma"][lemma[at]], labels["upos"][pos[at]]),
            pos=labels["upos"][pos[at]],
            tag=labels["xpos"][tag[at]],
            head=int(head[at + 1]) - 1 if head[at + 1] else ROOT,
            relation="root" if head[at + 1] == 0 else labels["deprel"][relation[at]],
        )
        for at, (start, end) in enumerate(spans)
    )
    return ParsedText(text, _with_names(words), float(certain.mean()), float(certain.min()))


def _with_names(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """`Hello packets are sent`: an exclamation right before a noun, without a comma, is a name."""
    return tuple(
        replace(word, head=after.index, relation="compound", pos="PROPN")
        if word.relation == "discourse" and after is not None and after.pos == "NOUN" and after.head != word.index
        else word
        for word, after in zip_longest(words, words[1:])
    )


def _lemma(word: str, rule: str, pos: str) -> str:
    """The base form by the rule `cut|add` for the end of the word."""
    cut, _, add = rule.partition("|")
    word = word.lower()
    irregular = load_word_pairs(__package__, "irregular_verbs.txt")
    if pos == "VERB" and word in irregular:
        return irregular[word]
    base = word[: len(word) - int(cut)] + add if int(cut) <= len(word) else word
    # `activat`, `undergoe`, `boaste`: a rule for the end of another word.
    if pos == "VERB" and base == word and word.endswith("es"):  # `comprises`
        return _regular_base(word, base)
    return base if base == word or is_known_word(base) else _regular_base(word, base)


def _regular_base(word: str, base: str) -> str:
    """The known word that a regular form belongs to, or else the form without its ending."""
    for ending in ("ies", "ied", "es", "ed", "ing", "s"):
        if word.endswith(ending) and len(word) > len(ending) + _SHORT:
            stem = word.removesuffix(ending)
            doubled = stem[:-1] if stem[-1] == stem[-2] else stem
            likely = (f"{stem}y",) if ending in ("ies", "ied") else (stem, f"{stem}e", doubled)
            known = next((each for each in likely if is_known_word(each)), None)
            return known or (f"{stem}e" if stem.endswith(_NEEDS_E) else likely[0])
    return base


def best_heads(scores: "NDArray[np.float32]") -> "NDArray[np.int64]":
    """The heads that together score best and make one tree with one root; row and column 0 are the root's."""
    import numpy as np

    scores = scores.copy()
    heads: NDArray[np.int64] = scores.argmax(1)
    roots = [at for at in range(1, len(heads)) if heads[at] == 0]
    only = max(roots or range(1, len(heads)), key=lambda at: scores[at, 0])
    scores[:, 0] = _IMPOSSIBLE
    scores[only] = _IMPOSSIBLE
    scores[only, 0] = 0
    heads = scores.argmax(1)
    heads[0] = -1
    while cycle := _cycle(heads):
        # Break the cycle where another head costs least.
        inside = np.array(cycle)
        outside = np.setdiff1d(np.arange(len(heads)), inside)
        losses = scores[np.ix_(inside, outside)].max(1) - scores[inside, heads[inside]]
        broken = inside[losses.argmax()]
        scores[np.ix_([broken], inside)] = _IMPOSSIBLE
        heads[broken] = scores[broken].argmax()
    return heads


def _cycle(heads: "NDArray[np.int64]") -> list[int]:
    """Words that depend on each other in a circle, if there are any."""
    reaches_root = {0}
    for start in range(1, len(heads)):
        path: list[int] = []
        at = start
        while at not in reaches_root and at not in path:
            path.append(at)
            at = int(heads[at])
        if at in path:
            return path[path.index(at) :]
        reaches_root.update(path)
    return []


@cache
def _model() -> "tuple[Any, dict[str, list[str]], NDArray[np.float32]]":
    import numpy as np
    import onnxruntime

    folder = files(__package__).joinpath("weights")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    weights = folder.joinpath("english-ewt-int8.onnx").read_bytes()
    session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    labels: dict[str, list[str]] = json.loads(folder.joinpath("labels.json").read_text(encoding="utf-8"))
    with folder.joinpath("relations.npz").open("rb") as file:
        bilinear: NDArray[np.float32] = np.load(file)["R"].astype(np.float32)
    # One matrix, by which a word is multiplied for all relations at once.
    relations = np.ascontiguousarray(bilinear.transpose(1, 0, 2).reshape(bilinear.shape[1], -1))
    return session, labels, relations
