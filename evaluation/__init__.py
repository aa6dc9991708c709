"""Scores the product on labelled material from a folder, which is only read."""
