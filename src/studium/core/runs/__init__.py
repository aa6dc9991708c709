"""Runs a graph over many items: concurrency, progress, checkpoints, resuming."""
