"""The pages of cards: plan a sync, check it, apply it, undo it."""

from studium.cards.web import page

__all__ = ["page"]
