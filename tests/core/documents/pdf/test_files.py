"""PDFs as they lie on disks: large, broken, locked; and read no further than asked for."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption

from studium.core.documents.pdf import pdfium, read

NO_PAGES = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
    b"trailer<</Root 1 0 R>>\n"
)


def refused(path, **options) -> tuple[str, str]:
    reading = read(path, **({"max_bytes": 50_000_000} | options))
    assert reading.document is None
    (finding,) = reading.findings
    assert finding.severity == "error"
    assert finding.where.path == str(path)
    return finding.code, finding.message


def hello(sheet, number):
    sheet.write(72, 700, f"Hello from page {number}.")


def test_the_id_is_a_hash_of_the_file(written):
    path = written(hello)
    document = read(path, max_bytes=10**6).document
    assert document.id == sha256(path.read_bytes()).hexdigest()[:16]
    assert (document.kind, document.path) == ("pdf", str(path))


def test_a_locked_file_is_refused_with_what_to_do(written):
    code, message = refused(written(hello, encrypt=StandardEncryption("secret", ownerPassword="owner")))
    assert code == "file.encrypted"
    assert "password" in message


def test_a_file_with_an_owner_password_is_read(written):
    path = written(hello, encrypt=StandardEncryption("", ownerPassword="owner"))
    assert read(path, max_bytes=10**6).document.text.strip() == "Hello from page 1."


@pytest.mark.parametrize(
    "data", [b"no pdf at all", b"%PDF-1.7\n", b"%PDF-1.4\n\xff\xfe\x00garbage" * 50, b"\x00" * 5000]
)
def test_garbage_is_refused(tmp_path, data):
    path = tmp_path / "garbage.pdf"
    path.write_bytes(data)
    assert refused(path)[0] in ("file.broken", "file.no_pages")


def test_a_truncated_file_is_refused_or_read_in_part(written, tmp_path):
    whole = written(hello, 20).read_bytes()
    path = tmp_path / "cut.pdf"
    for length in range(10, len(whole), len(whole) // 25):
        path.write_bytes(whole[:length])
        reading = read(path, max_bytes=10**6)
        if reading.document is None:
            assert reading.findings[0].code in ("file.broken", "file.no_pages")
        else:
            assert all(page.text.endswith("\n") for page in reading.document.pages)
            assert reading.document.visuals() == ()


def test_a_file_without_pages_is_refused(tmp_path):
    path = tmp_path / "none.pdf"
    path.write_bytes(NO_PAGES)
    assert refused(path)[0] in ("file.no_pages", "file.broken")


def test_missing_empty_and_too_large_files_are_refused(tmp_path, written):
    assert refused(tmp_path / "missing.pdf")[0] == "file.missing"
    (tmp_path / "empty.pdf").touch()
    assert refused(tmp_path / "empty.pdf")[0] == "file.empty"
    assert refused(written(hello), max_bytes=100)[0] == "file.too_large"


@pytest.fixture
def opened(monkeypatch) -> list[int]:
    """The pages that were opened."""
    seen: list[int] = []
    page = pdfium.Pdf.page

    def remember(self, index):
        seen.append(index)
        return page(self, index)

    monkeypatch.setattr(pdfium.Pdf, "page", remember)
    return seen


def test_only_the_needed_pages_are_read(written, opened):
    path = written(hello, 500)
    document = read(path, max_bytes=10**7).document
    opening = len(opened)
    assert document.pages[2].text.strip() == "Hello from page 3."
    assert opening <= 3
    assert set(opened[opening:]) <= {0, 1, 2, 3, 4}


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.endurance)])
def test_thousands_of_pages_open_at_once(written, count):
    path = written(hello, count)
    started = time.perf_counter()
    document = read(path, max_bytes=50_000_000).document
    assert document.pages[-1].text.strip() == f"Hello from page {count}."
    assert time.perf_counter() - started < 10
    assert len(document.pages) == count


def test_pages_are_a_sequence(written):
    pages = read(written(hello, 5), max_bytes=10**6).document.pages
    assert [page.number for page in pages] == [1, 2, 3, 4, 5]
    assert [page.number for page in pages[1:3]] == [2, 3]
    assert pages[-1] is pages[4]
    with pytest.raises(IndexError):
        pages[5]


def test_many_threads_read_and_render_at_once(written):
    paths = [written(hello, 8) for _ in range(3)]
    started = threading.Barrier(6)

    def work(path):
        started.wait()
        document = read(path, max_bytes=10**6).document
        return [page.text.strip() for page in document.pages], [
            len(document.paint(number).data) for number in range(1, 9)
        ]

    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(work, paths * 2))
    assert all(texts == [f"Hello from page {number}." for number in range(1, 9)] for texts, _ in results)
