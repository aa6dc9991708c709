"""Vocabulary: a song as a reader, its words looked up, chosen and put on cards."""

from studium.vocabulary.web import page

__all__ = ["page"]
