"""Who wrote a book, from the first sentences of an encyclopedia."""

import pytest

from studium.concepts.rules.summaries import author_rule
from studium.concepts.skills import AuthorInput, AuthorOutput


def told(name: str, *pages: str, language: str = "en", title: str = "") -> AuthorOutput:
    return author_rule(AuthorInput(name=name, title=title, language=language, pages=pages), ())


@pytest.mark.parametrize(
    ("name", "language", "page", "occupation"),
    [
        (
            "Jane Austen",
            "en",
            "Jane Austen (16 December 1775 – 18 July 1817) was an English novelist known primarily for her six novels.",
            "English novelist",
        ),
        (
            "Henry David Thoreau",
            "en",
            "Henry David Thoreau (born David Henry Thoreau; 1817–1862) was an American naturalist, essayist, and poet.",
            "American naturalist, essayist, and poet",
        ),
        ("Cal Newport", "en", "Calvin C. Newport is an American author, who teaches.", "American author"),
        (
            "Benito Pérez Galdós",
            "es",
            "Benito Pérez Galdós (Las Palmas, 1843-Madrid, 1920) fue un novelista español, conocido por sus Episodios.",
            "Novelista español",
        ),
        ("Marco Aurelio", "es", "Marco Aurelio Antonino (Roma, 121-180) fue emperador romano.", "Emperador romano"),
        (
            "Blaise Pascal",
            "fr",
            "Blaise Pascal, né le 19 juin 1623, est un mathématicien, physicien et philosophe français.",
            "Mathématicien, physicien et philosophe français",
        ),
        ("Immanuel Kant", "de", "Immanuel Kant (1724–1804) war ein deutscher Philosoph.", "Deutscher Philosoph"),
    ],
)
def test_the_first_sentence_tells_what_the_author_was(name: str, language: str, page: str, occupation: str) -> None:
    assert told(name, page, language=language).occupation == occupation


def test_the_summaries_are_the_page_s_own_sentences() -> None:
    page = "Jane Austen (1775–1817) was an English novelist. She wrote six novels. Her plots explore dependence."
    found = told("Jane Austen", page)
    assert found.summary == "Jane Austen was an English novelist. She wrote six novels. Her plots explore dependence."
    assert found.summary_short == "Jane Austen was an English novelist."


@pytest.mark.parametrize(
    "page",
    [
        "Jane Austen is a cargo ship that was built in 1900.",
        "Jane Austen may refer to several people.",
        "Cassandra Austen was an English painter.",
        "Thoreau is a town in New Mexico.",
        "",
    ],
)
def test_a_page_about_something_else_tells_nothing(page: str) -> None:
    assert told("Jane Austen", page) == AuthorOutput()


def test_no_pages_tell_nothing() -> None:
    assert told("Jane Austen") == AuthorOutput()


def test_of_two_people_of_one_name_the_one_who_wrote_the_book_is_meant() -> None:
    painter = "John Martin (1789–1854) was an English painter. He loved the sublime."
    writer = "John Martin is an American historian. He wrote The Long Road."
    assert told("John Martin", painter, writer, title="The Long Road").occupation == "American historian"
