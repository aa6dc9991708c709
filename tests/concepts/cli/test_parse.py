"""`studium concepts parse`: what a reader's files become, and what a second look at them changes."""

from pathlib import Path

import pytest
from tests.concepts.cli.conftest import done
from tests.run_cli import studium


def test_a_book_is_kept_with_its_author_sections_and_pages(letters):
    (book,) = done(studium("concepts", "parse", letters, "--json")).json["books"]
    assert (book["title"], book["author"]) == ("Letters on Time", "Ada Stone")
    assert (book["quotes"], book["added"], book["edited"]) == (5, 5, 0)
    assert book["sections"] == ["Mornings", "Evenings"]
    (kept,) = done(studium("concepts", "stats", "--json")).json["books"]
    assert (kept["title"], kept["quotes"], kept["processed_date"]) == ("Letters on Time", 5, None)


def test_what_was_read_before_is_not_new(letters):
    done(studium("concepts", "parse", letters))
    (book,) = done(studium("concepts", "parse", letters, "--json")).json["books"]
    assert (book["quotes"], book["added"], book["edited"]) == (5, 0, 0)
    assert done(studium("concepts", "stats", "--json")).json["counts"]["Quote"] == 5


def test_an_edited_quote_is_the_same_quote(letters):
    done(studium("concepts", "parse", letters))
    text = letters.read_text("utf-8").replace("how it will be spent", "how it shall be spent")
    letters.write_text(text + "\nRest is work that nobody sees. (p. 30)\n", "utf-8")
    (book,) = done(studium("concepts", "parse", letters, "--json")).json["books"]
    assert (book["quotes"], book["added"], book["edited"]) == (6, 1, 1)
    assert done(studium("concepts", "stats", "--json")).json["counts"]["Quote"] == 6


def test_the_table_says_what_to_do_next(letters):
    told = done(studium("concepts", "parse", letters)).out
    assert "Letters on Time  Ada Stone" in told
    assert "studium concepts extract 'Letters on Time'" in told


def test_every_book_of_a_kindle_file_is_kept(clippings):
    books = done(studium("concepts", "parse", clippings, "--json")).json["books"]
    assert [(each["title"], each["author"], each["quotes"]) for each in books] == [
        ("On Rivers", "Lena Brook", 2),
        ("Las horas", "Ana Río", 1),
    ]


def test_a_title_chooses_one_book_of_several(clippings):
    done(studium("concepts", "parse", clippings, "--title", "las horas"))
    counts = done(studium("concepts", "stats", "--json")).json["counts"]
    assert (counts["Content"], counts["Quote"]) == (1, 1)


def test_a_title_that_no_book_of_the_file_has_is_reported_with_those_there_are(clippings):
    refused = studium("concepts", "parse", clippings, "--title", "On Lakes")
    assert refused.code == 2
    assert "On Rivers (2 quotes)" in refused.err
    assert "Las horas (1 quotes)" in refused.err


def test_title_and_author_name_a_book_that_does_not_say_its_own(tmp_path):
    path = tmp_path / "notes.md"
    path.write_text("> A door is a wall that has changed its mind.\n", "utf-8")
    (book,) = done(studium("concepts", "parse", path, "--title", "Doors", "--author", "Iris Lock", "--json")).json[
        "books"
    ]
    assert (book["title"], book["author"], book["quotes"]) == ("Doors", "Iris Lock", 1)


def test_a_book_without_an_author_is_kept_and_says_so(tmp_path):
    path = tmp_path / "Doors.md"
    path.write_text("> A door is a wall that has changed its mind.\n", "utf-8")
    told = done(studium("concepts", "parse", path)).out
    assert "Name the author with --author" in told.replace("\n", " ")


def test_a_dry_run_shows_the_quotes_and_keeps_none(letters):
    told = done(studium("concepts", "parse", letters, "--dry-run")).out
    assert "Letters on Time — Ada Stone" in told
    assert "Patience is when we go on hoping" in told
    (book,) = done(studium("concepts", "parse", letters, "--dry-run", "--json")).json
    assert [quote["page_reference"] for quote in book["quotes"]] == ["3", "4", "7-8", "21", ""]
    assert done(studium("concepts", "stats", "--json")).json["counts"]["Quote"] == 0


@pytest.mark.parametrize("text", ["", "# Shopping\n\nbread, milk\n"])
def test_a_file_without_quotes_is_refused(tmp_path, text):
    path = Path(tmp_path, "list.md")
    path.write_text(text, "utf-8")
    refused = studium("concepts", "parse", path)
    assert refused.code == 2
    assert "list.md" in refused.err
