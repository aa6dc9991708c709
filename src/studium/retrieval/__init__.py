"""Passages in, ranked passages out: words and vectors, fused by rank."""
