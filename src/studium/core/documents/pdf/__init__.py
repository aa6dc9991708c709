"""Read PDFs: text in reading order, figures and tables, and pages as images."""

from studium.core.documents.pdf.bounded import read

__all__ = ["read"]
