"""Passages in, ranked passages out: words and vectors, fused by rank."""

from studium.retrieval.index import Index, Ranked

__all__ = ["Index", "Ranked"]
