"""Questions: a document is asked about, and every pair stands beside its proof."""

from studium.web.questions import page

__all__ = ["page"]
