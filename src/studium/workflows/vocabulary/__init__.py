"""Vocabulary: songs become words to learn, each with its reading, its meaning and its line."""
