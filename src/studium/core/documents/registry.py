"""What comes of reading a file."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from studium.core.documents.files import MAX_BYTES, read_text, unreadable_finding
from studium.core.domain.document import Document
from studium.core.domain.finding import Finding


@dataclass(frozen=True)
class ReadResult:
    """The document, if there is one, and what was found wrong on the way."""

    document: Document | None
    findings: tuple[Finding, ...] = ()


READERS: Mapping[str, str] = {
    ".txt": "studium.core.documents.plain_text",
    ".text": "studium.core.documents.plain_text",
    ".md": "studium.core.documents.markdown",
    ".markdown": "studium.core.documents.markdown",
    ".pdf": "studium.core.documents.pdf",
    ".xml": "studium.core.documents.jats",
    ".nxml": "studium.core.documents.jats",
    ".html": "studium.core.documents.html",
    ".htm": "studium.core.documents.html",
    ".xhtml": "studium.core.documents.html",
    ".epub": "studium.core.documents.epub",
}


def read_document(path: Path, *, max_bytes: int = MAX_BYTES) -> ReadResult:
    """Read a file into a document; what is wrong with the file is in the findings."""
    module = READERS.get(path.suffix.lower())
    if module is None:
        if not path.is_file():
            return ReadResult(None, read_text(path).findings)
        formats = ", ".join(READERS)
        message = f"There is no reader for `{path.suffix or path.name}` files. Convert it to one of {formats}."
        return ReadResult(None, (unreadable_finding(path, "unknown_format", message),))
    reading: ReadResult = import_module(module).read(path, max_bytes=max_bytes)
    return reading
