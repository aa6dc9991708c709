"""The vocabulary pages: read a song, look up its words, and choose those for cards."""

from studium.vocabulary.web import page

__all__ = ["page"]
