"""Cards: a vault becomes a plan, the plan is looked at, and carried out or taken back."""

from studium.web.cards import page

__all__ = ["page"]
