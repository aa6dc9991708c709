"""Concepts: the graph of ideas, the books they come from, and the review of what is proposed."""

from studium.web.concepts import page

__all__ = ["page"]
