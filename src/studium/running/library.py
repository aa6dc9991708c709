"""The documents of a run: each is read once, and stays what it was when the run began."""

from pathlib import Path

from studium.domain.document import Document
from studium.domain.errors import BadInput
from studium.domain.finding import Finding
from studium.readers.registry import read_document


class Library:
    """Reads documents by path and keeps them."""

    def __init__(self) -> None:
        self._documents: dict[str, Document] = {}

    def read(self, path: Path, name: str | None = None) -> tuple[Document | None, tuple[Finding, ...]]:
        """The document and what was found on reading it, None where it cannot be read; it is kept by its name."""
        reading = read_document(path)
        if reading.document:
            self._documents[name or str(path)] = reading.document
        return reading.document, reading.findings

    def document(self, path: str) -> Document:
        """A document that was read before, or is read now."""
        if path not in self._documents:
            document, findings = self.read(Path(path))
            if document is None:
                raise BadInput("; ".join(map(str, findings)))
        return self._documents[path]
