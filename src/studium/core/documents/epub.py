"""Read EPUB books: the title and authors, then one page without a number for each chapter in reading order.

Only the text is unpacked, into memory, and never more of it than a file may have bytes.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING
from urllib.parse import unquote
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from studium.core.documents.html import html_chapter, parse_html
from studium.core.documents.markup.inline_text import inline_text
from studium.core.documents.markup.page_builder import (
    DocumentContents,
    MarkupPage,
    PageBuilder,
    ReadRemark,
    UnreadableDocument,
    read_markup_document,
)
from studium.core.documents.markup.parsing import MAX_ELEMENTS, bound_elements, parse_xml
from studium.core.documents.registry import ReadResult
from studium.core.domain.finding import Severity

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
# These only obfuscate fonts; the text is not locked.
_FONT_GARBLING = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_TEXT_TYPES = ("application/xhtml+xml", "text/html", "application/xml", "text/x-oeb1-document")
_ENCRYPTED_FLAG = 1
_ENTRY = b"PK\x01\x02"
_MAX_FILES = 20_000


def read(path: Path, *, max_bytes: int) -> ReadResult:
    """Read a book; missing or broken chapters become findings, the others are read."""
    return read_markup_document(path, max_bytes, lambda data: _contents(_Archive(data, max_bytes)))


class _Archive:
    """The files of a book, with limits on their number, their total unpacked size, and the elements in them."""

    def __init__(self, data: bytes, max_bytes: int) -> None:
        if data.count(_ENTRY) > _MAX_FILES:
            raise UnreadableDocument("limit", f"The book has more than {_MAX_FILES:,} files, the limit. Split it.")
        try:
            self._zip = ZipFile(BytesIO(data))
        except (BadZipFile, ValueError, NotImplementedError, UnicodeDecodeError) as error:
            raise UnreadableDocument(
                "broken", f"The book is not a readable ZIP archive ({error}). Download it again."
            ) from error
        self._max_bytes = self._room = max_bytes
        self.element_room = MAX_ELEMENTS
        self.names = frozenset(self._zip.namelist())

    def read(self, name: str) -> bytes:
        """A file of the archive; raises `KeyError` if it does not exist."""
        entry = self._zip.getinfo(name)
        if entry.flag_bits & _ENCRYPTED_FLAG:
            raise _locked()
        if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
            raise UnreadableDocument(
                "broken", f"`{name}` is compressed with a method that EPUB does not allow. Download the book again."
            )
        try:
            with self._zip.open(entry) as file:
                data = file.read(self._room + 1)
        except (BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
            raise UnreadableDocument(
                "broken", f"`{name}` in the book cannot be unpacked ({error}). Download it again."
            ) from error
        self._room -= len(data)
        if self._room < 0:
            most = f"{self._max_bytes / 1e6:.1f} MB"
            raise UnreadableDocument("unsafe", f"The book unpacks to more than {most} of text, the limit. Split it.")
        return data


@dataclass(frozen=True)
class _Item:
    """A file in the book's manifest."""

    name: str
    type: str = ""
    is_contents: bool = False


def _contents(archive: _Archive) -> DocumentContents:
    package_name = _package_name(archive)
    package = _xml(archive, package_name)
    spine = list(dict.fromkeys(_spine(package, dirname(package_name))))
    _check_unlocked(archive, spine)
    remarks: list[ReadRemark] = []
    chapters = [page for item in spine if (page := _chapter(archive, item, remarks)) is not None]
    if not any(page.text for page in chapters):
        raise UnreadableDocument("empty", _nothing_in(remarks))
    return DocumentContents("epub", (_title_page(package), *chapters), tuple(remarks))


def _package_name(archive: _Archive) -> str:
    roots = list(_xml(archive, _CONTAINER).iter("rootfile"))
    if not roots or not roots[0].get("full-path"):
        raise UnreadableDocument("broken", f"`{_CONTAINER}` names no book. Download the book again.")
    return normpath(roots[0].get("full-path", ""))


def _xml(archive: _Archive, name: str) -> "Element":
    try:
        return parse_xml(archive.read(name))
    except KeyError as error:
        message = f"The archive has no `{name}`, so it is not an EPUB book. Download it again."
        raise UnreadableDocument("broken", message) from error
    except UnreadableDocument as refused:
        raise UnreadableDocument(refused.remark.code, f"`{name}`: {refused.remark.message}") from refused


def _spine(package: "Element", folder: str) -> Iterator[_Item]:
    """The chapters in reading order; one that is not in the manifest is named by its reference."""
    manifest = {item.get("id"): item for item in package.iter("item")}
    for reference in package.iter("itemref"):
        item = manifest.get(reference.get("idref"))
        if item is None:
            yield _Item(reference.get("idref", ""))
        else:
            name, properties = _inside(folder, item.get("href", "")), item.get("properties", "").split()
            yield _Item(name, item.get("media-type", ""), "nav" in properties)


def _inside(folder: str, reference: str) -> str:
    """The name in the archive of a file that is referenced from a folder."""
    return normpath(join(folder, unquote(reference.partition("#")[0]))).lstrip("/")


def _chapter(archive: _Archive, item: _Item, remarks: list[ReadRemark]) -> MarkupPage | None:
    """The page of a chapter; None for the table of contents and pictures."""
    if item.is_contents or (item.type and item.type not in _TEXT_TYPES):
        return None
    if archive.element_room <= 0:
        return None
    if item.name not in archive.names:
        remarks.append(
            ReadRemark(Severity.WARNING, "chapter_missing", f"The chapter `{item.name}` is not in the book.")
        )
        return None
    try:
        bounded = bound_elements(archive.read(item.name), archive.element_room)
        archive.element_room -= bounded.elements
        remarks += [bounded.remark] if bounded.remark else []
        page = html_chapter(parse_html(bounded.data))
    except UnreadableDocument as refused:
        if refused.remark.code == "unsafe":
            raise
        if refused.remark.code != "empty":
            message = f"The chapter `{item.name}` is skipped. {refused.remark.message}"
            remarks.append(ReadRemark(Severity.WARNING, "chapter_broken", message))
        return None
    return _with_sources(page, dirname(item.name))


def _with_sources(page: MarkupPage, folder: str) -> MarkupPage:
    """The page with image names as in the archive, and blank lines before the next chapter."""
    pictures = tuple(
        replace(each, source=_inside(folder, each.source))
        if each.source and not each.source.startswith(("data:", "http:", "https:"))
        else each
        for each in page.shown
    )
    return MarkupPage(page.text and page.text + "\n", pictures)


def _title_page(package: "Element") -> MarkupPage:
    draft = PageBuilder()
    metadata = next(package.iter("metadata"), package)
    said = {name: [text for each in metadata.iter(name) if (text := inline_text(each))] for name in _FACTS}
    for name, line in _FACTS.items():
        if said[name]:
            draft.write([line + (said[name][0] if name != "creator" else ", ".join(said[name]))])
    page = draft.page()
    return MarkupPage(page.text and page.text + "\n")


_FACTS = {"title": "# ", "creator": "Authors: ", "publisher": "Publisher: ", "date": "Published: "}


def _check_unlocked(archive: _Archive, spine: list[_Item]) -> None:
    """Refuse a book whose chapters are encrypted by its shop."""
    if _ENCRYPTION not in archive.names:
        return
    chapters = {item.name for item in spine}
    for entry in _xml(archive, _ENCRYPTION).iter("EncryptedData"):
        method = next((each.get("Algorithm") for each in entry.iter("EncryptionMethod")), None)
        files = {_inside("", each.get("URI", "")) for each in entry.iter("CipherReference")}
        if method not in _FONT_GARBLING and files & chapters:
            raise _locked()


def _locked() -> UnreadableDocument:
    return UnreadableDocument(
        "encrypted", "The book is encrypted (DRM) and cannot be read. Use a copy without copy protection."
    )


def _nothing_in(remarks: list[ReadRemark]) -> str:
    reasons = " ".join(remark.message for remark in remarks[:3])
    return f"The book contains no readable text. {reasons}".strip()
