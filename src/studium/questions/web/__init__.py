"""The Questions pages: generate questions, follow a run, browse the pairs with their evidence, and review them."""

from studium.questions.web import page, review_page

__all__ = ["page", "review_page"]
