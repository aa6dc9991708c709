"""Bad input: each says what is wrong, and nothing is made up."""

import time

import pytest

from studium.concepts.quotes.match import match_quotes
from studium.core.domain.finding import Severity


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "file.empty"),
        (b" \n\n", "file.empty"),
        (b"PK\x03\x04\0\0\0\0binary\0\1\2", "file.binary"),
        (b"\xff\xd8\xff\xe0\x81\x8d\x90\x9d\x01\x02", "file.encoding"),
        (b"# Notes\n\nNothing was quoted here.\n", "file.no_quotes"),
        (b"# Citas\n\n# Notas\n\nTexto.\n", "file.no_quotes"),
        (b"Highlight,Book Title\n,Walden\n", "file.no_quotes"),
    ],
)
def test_what_cannot_be_read_is_refused(read, content, code):
    reading = read(content)
    assert reading.books == ()
    assert [(finding.code, finding.severity) for finding in reading.findings] == [(code, Severity.ERROR)]


def test_a_page_that_nests_too_deeply_is_refused(read):
    reading = read("<html><body>" + "<div>" * 20_000 + "a")
    assert reading.books == ()
    assert [finding.code for finding in reading.findings] == ["document.unsafe"]


def test_nested_block_quotes_are_read_in_linear_time(read):
    begin = time.process_time()
    reading = read("<html><body>" + "<blockquote class='chapter'>" * 1500 + "A quote.<p>" + "a " * 20_000)
    assert time.process_time() - begin < 5
    assert reading.books[0].quotes


def test_a_file_without_quotes_says_what_was_looked_for(read):
    message = str(read("Only prose.\n").findings[0])
    assert all(said in message for said in ("# Citas", "block quotes", "My Clippings", "Highlight"))


def test_an_old_encoding_is_read_and_reported(read):
    reading = read("# Citas\n\nEl corazón tiene razones que la razón no conoce.\n".encode("cp1252"))
    assert reading.books[0].quotes[0].text == "El corazón tiene razones que la razón no conoce."
    assert [finding.code for finding in reading.findings] == ["file.encoding"]


def test_utf_16_is_read(read):
    assert read("# Quotes\n\nYes.\n".encode("utf-16")).books[0].quotes[0].text == "Yes."


def test_a_broken_frontmatter_keeps_the_quotes(read):
    reading = read("---\ntitle: [\n---\n# Quotes\n\nYes.\n")
    assert [quote.text for quote in reading.books[0].quotes] == ["Yes."]
    assert [finding.code for finding in reading.findings] == ["frontmatter.broken"]


def test_a_note_without_highlight_and_a_clipping_limit_are_reported(read):
    clippings = (
        "Emma (Jane Austen)\n- Your Note on Location 9 | Added on x\n\nalone\n==========\n"
        "Emma (Jane Austen)\n- Your Highlight on Location 20-21 | Added on x\n\n"
        " <You have reached the clipping limit for this item>\n==========\n"
        "Emma (Jane Austen)\n- Your Highlight on Location 30-31 | Added on x\n\nkept\n==========\n"
    )
    reading = read(clippings, "notes.log")
    assert [quote.text for quote in reading.books[0].quotes] == ["kept"]
    assert {finding.code for finding in reading.findings} == {"quotes.note_alone", "quotes.clipping_limit"}


def test_a_table_with_an_endless_cell_keeps_what_stands_before_it(read):
    reading = read("Highlight,Book Title\nkept,Walden\n" + "x" * 200_000 + ",Walden\n")
    assert [quote.text for quote in reading.books[0].quotes] == ["kept"]
    assert [finding.code for finding in reading.findings] == ["quotes.broken_row"]


@pytest.mark.parametrize("kind", ["paragraphs", "bullets", "clippings", "one_place", "unbroken"])
@pytest.mark.parametrize("many", [4_000, pytest.param(20_000, marks=pytest.mark.endurance)])
def test_many_quotes_take_time_in_proportion(read, kind, many):
    def content(count):
        if kind == "unbroken":
            return "# Quotes\n" + "".join(f"Line {n} of an endless paragraph\n" for n in range(count))
        if kind == "bullets":
            return "# Quotes\n" + "".join(f"{' ' * (n % 40)}- A thought, number {n}. (p. {n})\n" for n in range(count))
        if kind == "paragraphs":
            return "# Quotes\n" + "".join(f"\nA thought, number {n}. (p. {n})\n" for n in range(count))
        step = 0 if kind == "one_place" else 3
        return "".join(
            f"Walden (Thoreau)\n- Your Highlight on Location {n * step}-{n * step + 1} | Added on x\n\nText {n}.\n"
            "==========\n"
            for n in range(count)
        )

    started = time.process_time()
    reading = read(content(many))
    assert time.process_time() - started < 10
    found = sum(len(book.quotes) for book in reading.books)
    assert found == (1 if kind == "unbroken" else many)


HUGE = "9" * 5_000


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        (f"Walden\n- Your Highlight on page {HUGE}\n\nMost men lead lives.\n==========\n", ["Most men lead lives."]),
        (
            f"Highlight,Book Title,Location\nMost men.,Walden,{HUGE}\nMost women.,Walden,{HUGE}\n",
            ["Most men.", "Most women."],
        ),
    ],
)
def test_a_page_number_of_thousands_of_digits_is_no_number(read, text, quotes):
    found = read(text).books[0].quotes
    assert [quote.text for quote in found] == quotes
    assert len(match_quotes(found, (), new_uuid=str).quotes) == len(quotes)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(" " * depth + "Chapter x" for depth in range(300)),
        "# x" + "-" * 60_000 + "x\n\n> quote",
        "#a" + " " * 40_000 + "#",
    ],
    ids=["indented", "heading", "spaces"],
)
def test_long_runs_of_spaces_and_marks_take_no_time(read, text):
    began = time.process_time()
    read(f"# Quotes\n\n{text}")
    read(text)
    assert time.process_time() - began < 3
