"""Vocabulary: a song as a reader, its words looked up, chosen and put on cards."""

from studium.web.vocabulary import page

__all__ = ["page"]
