"""PDF: text in reading order, what there is to see, and pages as images."""

from studium.readers.pdf.reading import read

__all__ = ["read"]
