import pytest
from evaluation.concepts import score_merges, score_quotes

CLIPPING = """\
The Walk (Ada Brandt)
- Your Highlight on page 12 | Added on Monday, 4 May 2026 10:00:00

The road is longer at night.
==========
"""
QUOTE = {"text": "The road is longer at night.", "page": "12"}
BOOK = {"title": "The Walk", "author": "Ada Brandt", "quotes": [QUOTE]}


@pytest.fixture
def expect(write):
    """Puts a file of quotes beside what is expected of it."""

    def put(name, books, text=CLIPPING):
        write(f"concepts/quotes/{name}", text)
        write(f"concepts/quotes/{name}.expected.json", {"file": name, "kind": "ours", "books": books})

    return put


def test_only_files_read_exactly_count(expect, material):
    expect("right.txt", [BOOK])
    expect("wrong.txt", [BOOK | {"quotes": [QUOTE | {"page": "13"}]}])
    score = score_quotes(material("concepts"))
    assert score.figures == {"exact": 1, "of": 2}
    assert score.wrong == ["wrong.txt: place '12', expected '13', of 'The road is longer at night.'"]


def test_every_kind_of_difference_is_reported(expect, material):
    expect("author.txt", [BOOK | {"author": "Brandt"}])
    expect("extra.txt", [BOOK | {"quotes": []}])
    expect("lost.txt", [BOOK | {"quotes": [QUOTE, {"text": "Another."}]}])
    expect("note.txt", [BOOK | {"quotes": [QUOTE | {"note": "Yes."}]}])
    expect("nothing.txt", [BOOK], text="")
    score = score_quotes(material("concepts"))
    assert score.figures == {"exact": 0, "of": 5}
    assert [case.split()[1] for case in score.wrong] == ["book", "extra", "lost", "note", "no"]


def test_unlabelled_fields_and_files_without_quotes_may_be_exact(expect, material):
    expect("unjudged.txt", [BOOK | {"title": None, "author": None}])
    expect("nothing.txt", [], text="")
    assert score_quotes(material("concepts")).figures == {"exact": 2, "of": 2}


def test_duplicate_concepts_are_counted(write, material):
    columns = ["verdict", "languages", "book_a", "title_a", "text_a", "book_b", "title_b", "text_b"]
    night = ("Night lengthens roads", "A road seems longer when it is walked at night.")
    again = ("Roads are longer at night", "When it is walked at night, a road seems longer.")
    bread = ("Bread must rest", "Dough that rested overnight bakes into better bread.")
    rows = [
        ("same", "en-en", "One", *night, "Two", *again),
        ("different", "en-en", "One", *night, "Two", *bread),
        ("different", "en-en", "One", *night, "Two", *again),  # a wrong label makes a false merge
        ("same", "en-en", "One", *night, "Two", *bread),
    ]
    write("concepts/merges.tsv", "\n".join("\t".join(row) for row in [columns, *rows]))
    score = score_merges(material("concepts"))
    assert score.figures == {"false": 1, "different": 2, "found": 1, "same": 2}
    assert len(score.wrong) == 2
