"""The same thing has the same id, whoever wrote it how; another thing has another."""

from unicodedata import normalize
from uuid import UUID

from studium.concepts.domain import author_uuid, book_uuid, concept_uuid, quote_uuid


def test_ids_are_the_same_today_and_tomorrow():
    assert book_uuid("Walden", "Henry David Thoreau") == "4c575fc2-ad81-522c-8ed5-d0b4f208ee90"
    assert UUID(book_uuid("Walden", "")).version == 5


def test_case_white_space_and_forms_of_marks_make_no_other_id():
    assert author_uuid("  simone   WEIL ") == author_uuid("Simone Weil")
    assert book_uuid("La gravedad y la GRACIA", "Simone Weil") == book_uuid("La gravedad y la gracia", "simone weil")
    assert quote_uuid("b", "It’s “so”") == quote_uuid("b", 'it\'s\n"so"')
    assert quote_uuid("b", normalize("NFD", "atención")) == quote_uuid("b", "atención")


def test_accents_books_and_kinds_make_another_id():
    assert quote_uuid("b", "mas") != quote_uuid("b", "más")
    assert quote_uuid("a", "x") != quote_uuid("b", "x")
    assert book_uuid("a b", "") != book_uuid("a", "b")
    assert author_uuid("Walden") != book_uuid("Walden", "")


def test_a_concept_is_known_by_its_book_title_and_quotes_in_any_order():
    assert concept_uuid("b", "Deep work", ["1", "2"]) == concept_uuid("b", "deep work", ["2", "1", "1"])
    assert concept_uuid("b", "Deep work", ["1"]) != concept_uuid("b", "Deep work", ["1", "2"])
