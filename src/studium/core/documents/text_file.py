"""Read text files: plain ones, and those that are clearly AsciiDoc."""

from pathlib import Path

from studium.core.documents.asciidoc import asciidoc_document, is_asciidoc
from studium.core.documents.encodings import read_document_text
from studium.core.documents.files import display_path
from studium.core.documents.plain_text import TextPage
from studium.core.documents.registry import ReadResult
from studium.core.domain.document import Document, content_id


def read(path: Path, *, max_bytes: int) -> ReadResult:
    """Read a text file."""
    file = read_document_text(path, max_bytes=max_bytes)
    if file.text is None:
        return ReadResult(None, file.findings)
    if is_asciidoc(file.text) and (document := asciidoc_document(path, file.text)).text:
        return ReadResult(document, file.findings)
    document = Document(display_path(path), "text", content_id(file.text), (TextPage(file.text),))
    return ReadResult(document, file.findings)
