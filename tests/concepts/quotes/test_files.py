"""Every quote, section, page reference and note of files written by hand, in all the formats."""

from pathlib import Path

import pytest
import yaml

from studium.concepts.quotes.reader import read_quotes
from studium.core.domain.finding import Severity

FILES = Path(__file__).parent / "files"
EXPECTED = sorted(FILES.glob("*.yaml"))


def told(quote, expected):
    """A quote as the expectation writes it: without what is empty, and with the line only where one is expected."""
    said = {"text": quote.text, "section": quote.section, "page": quote.page_reference, "note": quote.note}
    shown = {key: value for key, value in said.items() if value}
    return shown | ({"line": quote.line} if "line" in expected else {})


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda path: path.stem)
def test_all_of_a_file_is_read(expected):
    books = yaml.safe_load(expected.read_text(encoding="utf-8"))
    reading = read_quotes(expected.with_suffix(""))
    assert [(book.title, book.author) for book in reading.books] == [(book["title"], book["author"]) for book in books]
    for found, book in zip(reading.books, books, strict=True):
        padded = [*book["quotes"], *({} for _ in found.quotes[len(book["quotes"]) :])]
        assert [told(*pair) for pair in zip(found.quotes, padded, strict=False)] == book["quotes"]
    assert not [finding for finding in reading.findings if finding.severity is not Severity.INFO]


def test_the_set_is_as_large_as_promised():
    assert len(EXPECTED) >= 25
    assert {path.with_suffix("").suffix for path in EXPECTED} == {".md", ".txt", ".csv", ".html", ".annot"}
