"""AsciiDoc: `.adoc`, `.asciidoc`, and texts that are written in it."""

from studium.core.documents.asciidoc.reader import asciidoc_document, is_asciidoc, read

__all__ = ["asciidoc_document", "is_asciidoc", "read"]
