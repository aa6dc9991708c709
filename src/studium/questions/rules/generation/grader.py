"""The grader: a small model that has learnt from graded pairs which questions a teacher keeps.

MiniLM, fine-tuned by `scripts/train_grader.py`; it reads the question, its answer and the sentence they were made from.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from studium.core.text.word_pieces import CLS, SEP, load_word_pieces

_LONGEST = (48, 40, 80)


@dataclass(frozen=True)
class Pair:
    """A question with its answer, and the sentence they were made from."""

    question: str
    answer: str
    sentence: str


@dataclass(frozen=True)
class Grade:
    """How likely a teacher keeps a pair as it is, and how likely throws it away; else a small edit would do."""

    kept: float
    thrown: float

    @property
    def value(self) -> float:
        """What pairs are ranked by, from -1 to 1."""
        return self.kept - self.thrown


def grade_all(pairs: Sequence[Pair]) -> list[Grade]:
    """The grades of pairs, in order."""
    if not pairs:
        return []
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as threads:
        return list(threads.map(_grade, pairs))


def _grade(pair: Pair) -> Grade:
    # One by one: in a batch, the int8 weights would give a pair other chances than alone.
    import numpy as np

    ids, kinds = (np.array([each]) for each in pieces_of(pair))
    logits = _model().run(None, {"ids": ids, "kinds": kinds, "mask": np.ones_like(ids)})[0][0]
    kept, thrown = 1 / (1 + np.exp(-logits))
    return Grade(float(kept), float(thrown))


def pieces_of(pair: Pair) -> tuple[list[int], list[int]]:
    """The word pieces of a pair, and which of its parts each belongs to: 1 for the answer."""
    texts = load_word_pieces().encode_batch([pair.question, pair.answer, pair.sentence], add_special_tokens=False)
    question, answer, sentence = (each.ids[:most] for each, most in zip(texts, _LONGEST, strict=True))
    ids = [CLS, *question, SEP, *answer, SEP, *sentence, SEP]
    kinds = [0] * (len(question) + 2) + [1] * (len(answer) + 1) + [0] * (len(sentence) + 1)
    return ids, kinds


@cache
def _model() -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    weights = files(__package__).joinpath("weights/grader-int8.onnx").read_bytes()
    return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
