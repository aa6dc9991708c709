"""Concepts outside the graphs: the notes they are published as."""
