"""Read a document with the reader for its file type, and cache documents by path."""

import logging
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from studium.core.documents.files import MAX_BYTES, display_path, read_text, unreadable_finding
from studium.core.domain.document import Document
from studium.core.domain.errors import LimitPassed
from studium.core.domain.finding import DOCUMENT_FAULT, Finding, Locator, Severity, unusable_error
from studium.core.reader_process import is_reader, read_apart

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ReadResult:
    """The document, if the file could be read, and the problems that were found."""

    document: Document | None
    findings: tuple[Finding, ...] = ()


READERS: Mapping[str, str] = {
    ".txt": "studium.core.documents.text_file",
    ".text": "studium.core.documents.text_file",
    ".md": "studium.core.documents.markdown",
    ".markdown": "studium.core.documents.markdown",
    ".adoc": "studium.core.documents.asciidoc",
    ".asciidoc": "studium.core.documents.asciidoc",
    ".pdf": "studium.core.documents.pdf",
    ".xml": "studium.core.documents.jats",
    ".nxml": "studium.core.documents.jats",
    ".html": "studium.core.documents.html",
    ".htm": "studium.core.documents.html",
    ".xhtml": "studium.core.documents.html",
    ".epub": "studium.core.documents.epub",
}

_READ_APART = frozenset(f"studium.core.documents.{name}" for name in ("epub", "html", "jats"))
"""Formats that are read in a reader process. PDFs are too, some pages at a time. What text, Markdown and AsciiDoc cost
is bounded by their size, and a vault has thousands of them: they are read in this process."""


def read_document(path: Path, *, max_bytes: int = MAX_BYTES) -> ReadResult:
    """Read a file into a document; problems are in the findings."""
    module = READERS.get(path.suffix.lower())
    if module is None:
        if not path.is_file():
            return ReadResult(None, read_text(path).findings)
        return ReadResult(None, (unsupported_finding(path),))
    if module not in _READ_APART:
        return _read(module, path, max_bytes)
    try:
        return read_apart(_read, module, path, max_bytes, what=display_path(path))
    except LimitPassed as passed:
        return ReadResult(None, (limit_finding(path, passed),))


UNSUPPORTED = "file.unknown_format"


def unsupported_finding(path: Path) -> Finding:
    """The finding for a file of a type that no reader is for."""
    formats = ", ".join(READERS)
    message = f"There is no reader for `{path.suffix or path.name}` files. Convert it to one of {formats}."
    return unreadable_finding(path, UNSUPPORTED.removeprefix("file."), message)


def limit_finding(path: Path, passed: LimitPassed) -> Finding:
    """The finding for a file that passes a limit."""
    return unreadable_finding(path, f"limit_{passed.limit}", f"{passed} {passed.remedy}")


def _read(module: str, path: Path, max_bytes: int) -> ReadResult:
    reading: ReadResult
    try:
        reading = import_module(module).read(path, max_bytes=max_bytes)
    except Exception as error:
        if isinstance(error, MemoryError) or (isinstance(error, RecursionError) and is_reader()):
            raise  # a limit was passed
        log.exception("document could not be read", extra={"path": display_path(path)})
        return ReadResult(None, (fault_finding(display_path(path), error),))
    return reading


def fault_finding(path: str, error: Exception, page: int | None = None) -> Finding:
    """The finding for a file, or a page of it, at which a reader of ours failed."""
    place = traceback.extract_tb(error.__traceback__)[-1:]
    where = f" at {Path(place[0].filename).name}:{place[0].lineno}" if place else ""
    what = "The file" if page is None else f"Page {page}"
    message = (
        f"{what} could not be read: this is a fault of Studium ({type(error).__name__}{where}). "
        "Please report it, with the file if you may share it."
    )
    return Finding(code=DOCUMENT_FAULT, severity=Severity.ERROR, message=message, where=Locator(path=path, page=page))


class DocumentCache:
    """Reads documents by path and keeps them in memory."""

    def __init__(self) -> None:
        self._documents: dict[str, Document] = {}
        self._paths: dict[str, Path] = {}
        self._findings: dict[str, tuple[Finding, ...]] = {}

    def read(self, path: Path, name: str | None = None) -> tuple[Document | None, tuple[Finding, ...]]:
        """Read a document and keep it under its name; None if it cannot be read."""
        reading = read_document(path)
        key = name or str(path)
        self._paths[key], self._findings[key] = path, reading.findings
        if reading.document:
            self._documents[key] = reading.document
        return reading.document, reading.findings

    def document(self, path: str) -> Document:
        """The cached document, or the document read now."""
        if path not in self._documents:
            document, findings = self.read(self._paths.get(path, Path(path)), path)
            if document is None:
                raise unusable_error(findings)
        return self._documents[path]

    def findings(self, name: str) -> tuple[Finding, ...]:
        """The findings from when it was read, and from the pages that were read since."""
        document = self._documents.get(name)
        return (*self._findings.get(name, ()), *(document.page_findings if document else ()))

    def forget(self, name: str) -> None:
        """Drop a document from memory; it is read again if needed."""
        self._documents.pop(name, None)
