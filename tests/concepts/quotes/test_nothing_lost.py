"""Whatever a reader writes under the heading, every word of it is in a quote, its note, its section or its page."""

import re
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from studium.concepts.quotes.reader import read_quotes

WORDS = st.text("abcdefghijkmnoñáéüßあ漢", min_size=1, max_size=9)
SENTENCES = st.builds(
    lambda words, stop: " ".join(words) + stop,
    st.lists(WORDS, min_size=1, max_size=12),
    st.sampled_from([".", "!", "", "…"]),
)
PLACES = st.builds(
    lambda form, first, more: form.format(first, first + more),
    st.sampled_from(
        ["", " (p. {0})", " (pp. {0}–{1})", " [p. {0}]", "\n\n(p. {0})", "\n\npágina {0}", " (Loc. {0}-{1})"]
    ),
    st.integers(1, 900),
    st.integers(1, 9),
)
SHAPES = st.sampled_from(["{}", "- {}", "> {}", "1. {}", "“{}”", "* **{}**"])
ENDS = st.sampled_from(["\n", "\r\n"])


@given(st.lists(st.tuples(SHAPES, SENTENCES, PLACES), min_size=1, max_size=8), ENDS)
def test_no_quote_of_markdown_is_lost(quotes, end):
    blocks = [shape.format(text) + place for shape, text, place in quotes]
    found = read_text(end.join("\n\n".join(["# Citas", *blocks, "# Notas", "zzz"]).split("\n")))
    assert [bare(quote.text) for quote in found] == [bare(text) for _, text, _ in quotes]
    assert [numbers(quote.page_reference) for quote in found] == [numbers(place) for _, _, place in quotes]


@given(st.text("ab1 \n\t>-*#p.()[]“”:!`\\|_=<", min_size=1, max_size=120))
def test_no_word_of_any_text_is_lost(text):
    found = read_text(f"# Quotes\n\nFirst.\n\n{text}\n\nLast.\n")
    kept = " ".join(f"{quote.text} {quote.note} {quote.section} {quote.page_reference}" for quote in found)
    sections = re.findall(r"^ {0,3}#{1,6}(?:\s.*)?$|^.*\n {0,3}(?:=+|-+)\s*$", text, re.MULTILINE)
    if not sections and "](" not in text and "`" not in text:
        assert [word for word in re.findall(r"[ab]+", text) if word not in kept] == []


def read_text(text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.md"
        path.write_bytes(text.encode())
        books = read_quotes(path).books
    return books[0].quotes if books else ()


def bare(text):
    return re.sub(r"[\W_]+", " ", text).strip()


def numbers(place):
    return re.findall(r"\d+", place)
