"""A quote is found however it was typeset, and nothing is ever taken for it."""

import re
import time
from itertools import product
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studium.core.text.locate import Searchable, locate


def found(text: str, quote: str) -> str | None:
    span = locate(text, quote)
    return None if span is None else text[span.start : span.end]


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("OSPF floods LSAs.", "floods LSAs", "floods LSAs"),
        ("The routers\n   exchange\thellos.", "routers exchange hellos", "routers\n   exchange\thellos"),
        (
            "She said \u201cno\u201d \u2013 twice\u2026",
            'said "no" - twice...',
            "said \u201cno\u201d \u2013 twice\u2026",
        ),
        ("caf\u00e9 au lait", "cafe\u0301 au", "caf\u00e9 au"),
        (normalize("NFD", "\uac01 \ub098\ub77c"), "\uac01 \ub098\ub77c", normalize("NFD", "\uac01 \ub098\ub77c")),
        ("a \ufb01ne o\ufb03ce", "fine office", "\ufb01ne o\ufb03ce"),
        ("an exam-\nple of it", "an example of", "an exam-\nple of"),
        ("a well-\n  known fact", "well-known fact", "well-\n  known fact"),
        ("a well-\nknown exam-\nple", "well-known example", "well-\nknown exam-\nple"),
        ("an exam-\nple of it", "exam- ple of", "exam-\nple of"),
        ("an example of it", "exam-\nple of", "example of"),
        ("a well-known fact", "well-\nknown fact", "well-known fact"),
        ("an exam\u00ad\nple, co\u00adoperate", "example, cooperate", "exam\u00ad\nple, co\u00adoperate"),
        ("pages 10-\n20 of it", "pages 10-20", "pages 10-\n20"),
        ("> one two\n> three four", "one two three four", "one two\n> three four"),
        ("> one two\n> three four", "> one two > three", "> one two\n> three"),
        ("> an exam-\n> ple of it", "example of", "exam-\n> ple of"),
        ("\u65e5\u672c\u8a9e\u306e\n\u6587\u7ae0\u3067\u3059", "\u8a9e\u306e\u6587", "\u8a9e\u306e\n\u6587"),
        ("CPU\u306f\u901f\u3044", "CPU", "CPU"),
        ("\uff11\uff17\u6708 \uff76\uff9e\uff7d", "17\u6708 \u30ac\u30b9", "\uff11\uff17\u6708 \uff76\uff9e\uff7d"),
        ("It is 7.", "7", "7"),
        ("an _important_ word", "important", "important"),
        ("Ohm\u2019s law", "Ohm", "Ohm"),
        ("dans l\u2019eau froide", "eau froide", "eau froide"),
        ("cat. cat", "cat", "cat"),
        ("a b", "  a\u200b b\n", "a b"),
    ],
)
def test_a_quote_is_found_with_its_original_text(text, quote, expected):
    assert found(text, quote) == expected


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("17 and 7.5 and 1,700 and 0,7", "7"),
        ("1,700 and 1\u202f700", "700"),
        ("-5 degrees", "5 degrees"),
        ("pages 3-5", "-5"),
        ("10-\n20", "1020"),
        ("x = 10\u00b2", "102"),
        ("x = 10\u00b2", "10"),
        ("2\u00bd cups", "21/2 cups"),
        ("concatenate", "cat"),
        ("con\u00adcat\u00adenate", "cat"),
        ("cat_name", "cat"),
        ("an exam-\nple of it", "an exam"),
        ("an exam-\nple of it", "ple of"),
        ("I don\u2019t know", "I don"),
        ("caf\u00e9", "cafe"),
        ("cafe\u0301", "cafe"),
        (normalize("NFD", "\uac01"), "\uac00"),
        ("\ufb01ne", "f"),
        ("\U0001f469\u200d\U0001f680 flies", "\U0001f469"),
        ("to get her", "together"),
        ("together", "to get her"),
        ("wellknown", "well-known"),
        ("well known", "well-known"),
        ("5 3", "5\n> 3"),
        ("Router", "router"),
        ("anything", ""),
        ("anything at all", " \n\t\u200b"),
        ("", "x"),
    ],
)
def test_other_text_never_matches_the_quote(text, quote):
    assert found(text, quote) is None


def test_the_first_free_occurrence_counts():
    assert locate("concat 17 cat 7", "cat") == (10, 13)
    assert locate("concat 17 cat 7", "7") == (14, 15)


def test_a_megabyte_is_searched_fast_the_second_time():
    sentence = "The quick brown fox jumps over the \u201clazy\u201d dog, an exam-\nple at that.\n"
    text = Searchable(sentence * (1_000_000 // len(sentence)) + "The end\u2014at last.")
    assert text.locate("end - at last") is None
    started = time.process_time()
    span = text.locate("end-at last")
    assert span is not None
    assert text.text[span.start : span.end] == "end\u2014at last"
    assert time.process_time() - started < 0.1


# An oracle that shares no code with the implementation: every way a text can be read, spelled out.

_MARKS = str.maketrans(
    dict.fromkeys("\u2018\u2019", "'") | dict.fromkeys("\u201c\u201d", '"') | dict.fromkeys("\u2013\u2014", "-")
)


def readings(text: str) -> set[str]:
    hyphenated = re.sub("\u00ad(?=[ \t]*\n)", "\1", text)
    plain = normalize("NFKD", re.sub("[\u00ad\u200b]", "", hyphenated).translate(_MARKS))
    parts = re.split(r"((?<=[^\W\d_]|[\u0300-\u036f])[-\1][ \t]*\n\s*(?=[^\W\d_]))", plain)
    broken = {"-": ("", "-", "- "), "\1": ("", "-", " ")}
    choices = [broken[part[0]] if index % 2 else (part,) for index, part in enumerate(parts)]
    joined = {"".join(chosen).replace("\1", "") for chosen in product(*choices)}
    joined |= {re.sub(r"-\s*\n\s*", "-", reading) for reading in joined}
    return {" ".join(reading.split()) for reading in joined}


LETTERS = "abcxyz\u00e9\u00f1\u0436\u0439\ufb01"
words = st.text(LETTERS, min_size=1, max_size=5) | st.sampled_from(
    ["7", "17", "7.5", "1,700", "don't", "well-known", "it's"]
)
joints = st.sampled_from([" ", " ", " ", "\n", "  \n ", ", ", ". ", " - ", " \u2014 ", ' "', '" ', "\u2026 "])


@st.composite
def texts(draw: st.DrawFn, most: int = 12) -> str:
    parts = draw(st.lists(st.tuples(words, joints), min_size=1, max_size=most))
    return "".join(word + joint for word, joint in parts)


noise = st.text("ab7 -\n.,'\u0301\u00ad\u200b>\u201c\u2014e\u00e9\ufb01", max_size=12)


@settings(max_examples=400, deadline=None)
@given(text=texts() | noise, quote=texts(3) | noise)
def test_every_match_reads_like_the_quote(text, quote):
    span = locate(text, quote)
    if span is not None:
        assert readings(text[span.start : span.end]) & readings(quote)


@settings(max_examples=300, deadline=None)
@given(text=texts(), data=st.data())
def test_every_run_of_words_is_found_however_it_was_typeset(text, data):
    spots = [match.span() for match in re.finditer(r"[^\s,.\"\u2014\u2026-](?:\S*[^\s,.\"\u2014\u2026-])?", text)]
    first, last = sorted(data.draw(st.integers(0, len(spots) - 1)) for _ in range(2))
    piece = text[spots[first][0] : spots[last][1]]
    quote = data.draw(mangled(piece))
    span = locate(text, quote)
    assert span is not None
    assert readings(text[span.start : span.end]) & readings(quote)


@st.composite
def mangled(draw: st.DrawFn, text: str) -> str:
    """The same words as another program would print them."""
    text = normalize(draw(st.sampled_from(["NFC", "NFD"])), text)
    text = draw(
        st.sampled_from([text, text.replace('"', "\u201c"), text.replace("'", "\u2019"), text.replace("\u2014", "-")])
    )
    text = text.replace("\u2026", "...") if draw(st.booleans()) else text
    if draw(st.booleans()):
        text = re.sub(r"\s+", lambda _: draw(st.sampled_from([" ", "\n", " \n  "])), text)
    breaks = [match.start() for match in re.finditer(r"(?<=[a-z])(?=[a-z])", text)]
    if breaks and draw(st.booleans()):
        at = draw(st.sampled_from(breaks))
        text = f"{text[:at]}{draw(st.sampled_from(['-', chr(0xAD)]))}\n{text[at:]}"
    return text


@settings(max_examples=300, deadline=None)
@given(text=texts(), word=st.sampled_from(["quokka", "31415", "\u0449\u0443\u043a\u0430"]), data=st.data())
def test_a_word_inside_a_longer_one_is_never_found(text, word, data):
    glue = data.draw(st.sampled_from(["b", "3", "\u00e9", "\u00ad9", "_x", "\u200bz"]))
    inside = data.draw(st.sampled_from([glue + word, word + glue, glue + word + glue]))
    at = data.draw(st.integers(0, len(text)))
    assert locate(f"{text[:at]} {inside} {text[at:]}", word) is None
