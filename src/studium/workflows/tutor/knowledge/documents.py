"""Documents cut by their headings: each section is a passage that names its file, its heading and its lines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from studium.core.documents import find_files, read_document
from studium.core.documents.registry import READERS
from studium.core.domain.document import PASSAGE_LIMIT, Document, Passage, content_id
from studium.core.domain.finding import Finding


@dataclass(frozen=True)
class DocumentsRead:
    """The passages of a folder, and what in it could not be read."""

    passages: tuple[Passage, ...]
    findings: tuple[Finding, ...] = ()


def read_documents(folder: Path, kind: str = "user", shelf: str = "") -> DocumentsRead:
    """Read every document under a folder, or one file; a passage's path is told from the folder, under its shelf."""
    found = find_files(folder, READERS)
    passages: list[Passage] = []
    findings = list(found.findings)
    for path in found.paths:
        reading = read_document(path)
        findings += reading.findings
        if reading.document:
            name = path.name if path == folder else path.relative_to(folder).as_posix()
            passages += sections(reading.document, kind, f"{shelf}/{name}".lstrip("/"))
    return DocumentsRead(tuple(passages), tuple(findings))


def sections(document: Document, kind: str, path: str) -> Iterator[Passage]:
    """A document's passages, those under one heading joined as far as the limit on a passage's length allows."""
    for _, under in groupby(document.passages(), key=lambda passage: (passage.heading, passage.where.page)):
        for parts in _filled(list(under)):
            text = "\n\n".join(part.text for part in parts)
            where = parts[0].where.model_copy(update={"path": path, "end_line": parts[-1].where.end_line})
            yield replace(parts[0], id=content_id(text), text=text, where=where, kind=kind)


def _filled(passages: Sequence[Passage]) -> Iterator[list[Passage]]:
    """Neighbours together until the next would be too much."""
    parts: list[Passage] = []
    for passage in passages:
        if parts and sum(len(part.text) for part in parts) + len(passage.text) > PASSAGE_LIMIT:
            yield parts
            parts = []
        parts.append(passage)
    if parts:
        yield parts
