"""The Questions pages: generate questions, follow a run, browse the pairs with their evidence."""

from studium.questions.web import page

__all__ = ["page"]
