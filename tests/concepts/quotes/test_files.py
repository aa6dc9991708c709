"""Every quote, section, page reference and note of files written by hand, in all the formats."""

from pathlib import Path

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


def read_as_expected(file):
    """The books of a file in the form of its expectation, and what was found wrong with it."""
    books = yaml.safe_load(file.read_text(encoding="utf-8"))
    reading = read_quotes(file.with_suffix(""))
    found = []
    for number, book in enumerate(reading.books):
        quotes = books[number]["quotes"] if number < len(books) else []
        padded = [*quotes, *({} for _ in book.quotes[len(quotes) :])]
        shown = [told(*pair) for pair in zip(book.quotes, padded, strict=False)]
        found.append({"title": book.title, "author": book.author, "quotes": shown})
    wrong = [str(finding) for finding in reading.findings if finding.severity is not Severity.INFO]
    wanted = [{key: book[key] for key in ("title", "author", "quotes")} for book in books]
    return (found, wrong), (wanted, [])


def test_all_of_every_file_is_read():
    read = {path.stem: read_as_expected(path) for path in EXPECTED}
    assert {name: found for name, (found, _) in read.items()} == {name: wanted for name, (_, wanted) in read.items()}


def test_the_set_is_as_large_as_promised():
    assert len(EXPECTED) >= 25
    assert {path.with_suffix("").suffix for path in EXPECTED} == {".md", ".txt", ".csv", ".html", ".annot"}
