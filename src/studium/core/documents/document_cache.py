"""The documents of a run, by name."""

from pathlib import Path

from studium.core.documents.registry import read_document
from studium.core.domain.document import Document
from studium.core.domain.errors import BadInput
from studium.core.domain.finding import Finding


class DocumentCache:
    """Reads documents by path and keeps them."""

    def __init__(self) -> None:
        self._documents: dict[str, Document] = {}
        self._paths: dict[str, Path] = {}
        self._findings: dict[str, tuple[Finding, ...]] = {}

    def read(self, path: Path, name: str | None = None) -> tuple[Document | None, tuple[Finding, ...]]:
        """The document and what was found on reading it, None where it cannot be read; it is kept by its name."""
        reading = read_document(path)
        key = name or str(path)
        self._paths[key], self._findings[key] = path, reading.findings
        if reading.document:
            self._documents[key] = reading.document
        return reading.document, reading.findings

    def document(self, path: str) -> Document:
        """A document that was read before, or is read now."""
        if path not in self._documents:
            document, findings = self.read(self._paths.get(path, Path(path)), path)
            if document is None:
                raise BadInput("; ".join(map(str, findings)))
        return self._documents[path]

    def findings(self, name: str) -> tuple[Finding, ...]:
        """What was found when it was read."""
        return self._findings.get(name, ())

    def forget(self, name: str) -> None:
        """Let go of a document that is hardly needed any more; it is read again if it is."""
        self._documents.pop(name, None)
