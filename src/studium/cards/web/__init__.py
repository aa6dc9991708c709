"""Cards: a vault becomes a plan, the plan is looked at, and carried out or taken back."""

from studium.cards.web import page

__all__ = ["page"]
