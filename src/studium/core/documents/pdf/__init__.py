"""PDF: text in reading order, what there is to see, and pages as images."""

from studium.core.documents.pdf.reader import read

__all__ = ["read"]
