"""Which reader reads which file; adding a format is one line here."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from studium.readers.files import MAX_BYTES, read_text, refuse
from studium.readers.reading import Reading

READERS: Mapping[str, str] = {
    ".txt": "studium.readers.text",
    ".text": "studium.readers.text",
    ".md": "studium.readers.markdown",
    ".markdown": "studium.readers.markdown",
    ".pdf": "studium.readers.pdf",
    ".xml": "studium.readers.jats",
    ".nxml": "studium.readers.jats",
    ".html": "studium.readers.html",
    ".htm": "studium.readers.html",
    ".xhtml": "studium.readers.html",
    ".epub": "studium.readers.epub",
}


def read_document(path: Path, *, max_bytes: int = MAX_BYTES) -> Reading:
    """Read a file into a document; what is wrong with the file is in the findings."""
    module = READERS.get(path.suffix.lower())
    if module is None:
        if not path.is_file():
            return Reading(None, read_text(path).findings)
        formats = ", ".join(READERS)
        message = f"There is no reader for `{path.suffix or path.name}` files. Convert it to one of {formats}."
        return Reading(None, (refuse(path, "unknown_format", message),))
    reading: Reading = import_module(module).read(path, max_bytes=max_bytes)
    return reading
