"""From a file to a document: what every reader of markup does before and after it reads."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from studium.domain.document import Document, content_id
from studium.domain.finding import Finding, Locator, Severity
from studium.readers.files import read_bytes, shown
from studium.readers.markup.draft import MarkupPage
from studium.readers.reading import Reading

_UNDECODED = "\ufffd"


class Refused(Exception):
    """Why a file becomes no document; it leaves a reader as a Finding."""

    def __init__(self, code: str, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.remark = Remark(Severity.ERROR, code, message, line)


@dataclass(frozen=True)
class Remark:
    """Something to say about a file, before it is known which."""

    severity: Severity
    code: str
    message: str
    line: int | None = None

    def finding(self, path: Path) -> Finding:
        """The same as a finding about this file."""
        where = Locator(path=shown(path), line=self.line)
        return Finding(code=f"document.{self.code}", severity=self.severity, message=self.message, where=where)


@dataclass(frozen=True)
class Contents:
    """What a file holds: pages of a kind, and remarks on them."""

    kind: str
    pages: tuple[MarkupPage, ...]
    remarks: tuple[Remark, ...] = ()


def open_document(path: Path, max_bytes: int, contents_of: Callable[[bytes], Contents]) -> Reading:
    """Read a file's bytes, have them taken apart, and make a document of what they hold."""
    file = read_bytes(path, max_bytes=max_bytes)
    if file.data is None:
        return Reading(None, file.findings)
    try:
        contents = contents_of(file.data)
    except Refused as refused:
        return Reading(None, (refused.remark.finding(path),))
    text = "".join(page.text for page in contents.pages)
    findings = tuple(remark.finding(path) for remark in (*contents.remarks, *_remarks_on(text, file.data)))
    document = Document(shown(path), contents.kind, content_id(text), contents.pages) if text else None
    return Reading(document, findings)


def _remarks_on(text: str, data: bytes) -> list[Remark]:
    if not text:
        return [Remark(Severity.ERROR, "empty", "The file holds no text. Check that it was saved completely.")]
    if _UNDECODED in text and _UNDECODED.encode() not in data:
        message = f"Some characters cannot be decoded and stand as `{_UNDECODED}`. Save the file as UTF-8."
        return [Remark(Severity.WARNING, "encoding", message)]
    return []
