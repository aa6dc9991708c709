"""Documents that cost too much: each gets a finding that names the limit, and the next one is read."""

import zipfile
import zlib
from pathlib import Path

import pytest

from studium.core import reader_process
from studium.core.documents.registry import read_document
from studium.core.process_limits import ReadLimits
from studium.core.reader_process import use_limits


@pytest.fixture(autouse=True)
def _small_limits():
    use_limits(ReadLimits(cpu_seconds=2, memory=150_000_000))
    yield
    use_limits(ReadLimits())


def pdf_with(content: bytes, path: Path, pages: int = 1) -> Path:
    """A PDF whose pages all have this content, compressed."""
    packed = zlib.compress(content)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (b" 3 0 R" * pages, pages),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(packed), packed),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    whole = b"%PDF-1.4\n"
    for number, body in enumerate(objects, start=1):
        whole += b"%d 0 obj%s\nendobj\n" % (number, body)
    path.write_bytes(whole + b"trailer<</Size 6/Root 1 0 R>>\n%%EOF")
    return path


def epub_with(chapter: str, path: Path) -> Path:
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><manifest>'
        '<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="c"/></spine></package>'
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
        '<rootfiles><rootfile full-path="p.opf"/></rootfiles></container>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("META-INF/container.xml", container)
        book.writestr("p.opf", package)
        book.writestr("c.xhtml", chapter)
    return path


def test_a_pdf_of_millions_of_strings_gets_a_finding_and_the_next_is_read(tmp_path):
    strings = b"BT /F1 9 Tf 9 700 Td " + b"(aaaa) Tj " * 150_000 + b"ET"
    bomb = pdf_with(strings, tmp_path / "bomb.pdf", pages=30)
    good = pdf_with(b"BT /F1 12 Tf 72 700 Td (The lighthouse was built in 1859.) Tj ET", tmp_path / "good.pdf")
    refused = read_document(bomb)
    assert refused.document is None
    assert refused.findings[0].code in {"file.limit_cpu", "file.limit_memory"}
    assert "bomb.pdf needs more than" in refused.findings[0].message
    assert "raise `limits." in refused.findings[0].message
    read = read_document(good)
    assert "built in 1859" in read.document.text
    assert read.document.paint(1).data.startswith(b"\xff\xd8")


def test_an_epub_of_a_million_paragraphs_gets_a_finding(tmp_path):
    chapter = "<html><body>" + "<p>a</p>" * 3_000_000 + "</body></html>"
    read = read_document(epub_with(chapter, tmp_path / "bomb.epub"))
    assert read.findings[0].where.path.endswith("bomb.epub")
    assert "limit" in read.findings[0].message
    assert read.document is None or len(read.document.text) < 1_000_000


def test_the_pages_of_a_pdf_are_read_by_another_process(tmp_path, monkeypatch):
    asked = []
    run = reader_process.ReaderPool.run
    monkeypatch.setattr(
        reader_process.ReaderPool,
        "run",
        lambda pool, *args, what, **more: asked.append(what) or run(pool, *args, what=what, **more),
    )
    path = pdf_with(b"BT /F1 12 Tf 72 700 Td (One sentence is enough here.) Tj ET", tmp_path / "small.pdf")
    assert "One sentence" in read_document(path).document.text
    assert asked == [str(path)] * 2
