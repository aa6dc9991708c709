"""Real files of markup, read the way every document is."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from studium.core.documents import ReadResult, read_document
from studium.core.domain.document import Document

CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>
<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""

PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/" version="3.0">
<metadata><dc:title>Routing Made Plain</dc:title><dc:creator>Ada Byron</dc:creator><dc:creator>Jon Moy</dc:creator>
<dc:date>1998-04-01</dc:date></metadata><manifest>{manifest}</manifest><spine>{spine}</spine></package>"""

CHAPTER = """<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
<head><title/><script src="page.js"/></head><body>{body}</body></html>"""


@pytest.fixture
def reading(tmp_path) -> Callable[[str, str | bytes], ReadResult]:
    """Write a file and read it."""

    def read(name: str, content: str | bytes) -> ReadResult:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_document(path)

    return read


@pytest.fixture
def document(reading) -> Callable[[str, str | bytes], Document]:
    """Write a file that nothing is wrong with and read it."""

    def read(name: str, content: str | bytes) -> Document:
        result = reading(name, content)
        assert result.findings == ()
        return result.document

    return read


@pytest.fixture
def book(tmp_path) -> Callable[..., Path]:
    """Bind a book: its chapters by file name in reading order, and any other files of the archive."""

    def bind(chapters: dict[str, str], **others: str | bytes) -> Path:
        items = "".join(
            f'<item id="c{n}" href="text/{quote(name)}" media-type="application/xhtml+xml"/>'
            for n, name in reversed(list(enumerate(chapters)))
        )
        spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
        path = tmp_path / "book.epub"
        with ZipFile(path, "w", ZIP_DEFLATED) as archive:
            archive.writestr("mimetype", "application/epub+zip")
            archive.writestr("META-INF/container.xml", CONTAINER)
            archive.writestr("OEBPS/book.opf", PACKAGE.format(manifest=items, spine=spine))
            for name, body in chapters.items():
                archive.writestr(f"OEBPS/text/{name}", CHAPTER.format(body=body))
            for name, content in others.items():
                archive.writestr(name, content)
        return path

    return bind


@pytest.fixture
def chapter() -> str:
    """The page around a chapter's text."""
    return CHAPTER
