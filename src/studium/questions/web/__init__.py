"""Questions: a document is asked about, and every pair stands beside its proof."""

from studium.questions.web import page

__all__ = ["page"]
