"""The published fp32 weights by the plainest forward pass there is: tokens in, vectors out, both as JSON."""

import json
import math
import sys

import numpy as np
from safetensors.numpy import load_file


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


if __name__ == "__main__":
    vectors = forward(load_file(sys.argv[1]), json.load(sys.stdin))
    json.dump(vectors.tolist(), sys.stdout)
