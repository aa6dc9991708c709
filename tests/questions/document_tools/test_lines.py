import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studium.core.documents.plain_text import TextPage
from studium.core.domain.document import Document
from studium.questions.document_tools import (
    MAX_CHARACTERS,
    ReadLines,
    document_tools,
    read_all_lines,
    read_lines,
    strip_line_numbers,
)


def test_lines_come_with_their_numbers_and_the_count(written):
    document = written("one\ntwo\nthree\nfour\n")
    assert read_lines(document, ReadLines(start_line=2, end_line=3)).text == "2: two\n3: three\n(4 lines in all)"
    assert read_lines(document, ReadLines(start_line=3)).text == "3: three\n4: four\n(4 lines in all)"


def test_invalid_ranges_are_reported(written):
    document = written("one\ntwo\n")
    assert read_lines(document, ReadLines(start_line=3)).text == "The document has only 2 lines."
    assert read_lines(document, ReadLines(start_line=2, end_line=1)).text == "end_line 1 is before start_line 2."


def test_a_long_document_is_read_in_parts(written):
    document = written("".join(f"line {number}\n" for number in range(1, 1001)))
    reply = read_lines(document, ReadLines(start_line=1)).text
    assert reply.endswith("200: line 200\n(1000 lines in all; continue with start_line 201)")


def test_long_lines_make_a_reply_of_fewer_lines(written):
    document = written(("x" * 3000 + "\n") * 20)
    reply = read_lines(document, ReadLines(start_line=1)).text
    assert reply.endswith("(20 lines in all; continue with start_line 7)")
    assert strip_line_numbers(reply) == ["x" * 3000] * 6


def test_a_line_too_long_for_one_reply_is_read_in_parts(written):
    document = written("short\n" + "x" * 45_000 + "\nend\n")
    reply = read_lines(document, ReadLines(start_line=2)).text
    assert len(reply) < MAX_CHARACTERS + 200
    assert reply.endswith("(3 lines in all; continue with start_line 2, from_character 20001)")
    rest = read_lines(document, ReadLines(start_line=2, from_character=40_001)).text
    assert rest == f"2: {'x' * 5000}\n3: end\n(3 lines in all)"


@pytest.mark.parametrize("text", ["one", "a\n\n\nb\n", "12: numbered\n 7: too\n", "y" * 70_000 + "\nend"])
async def test_the_whole_document_can_be_read(written, text):
    document = written(text)
    (read, *_) = document_tools(document, "textual")
    assert await read_all_lines(read) == [line.text for line in document.lines()]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.text("ab 1:\u2028\x0c", max_size=9), st.sampled_from([1, 700, 9000])), max_size=30))
async def test_any_document_can_be_read_whole(lines):
    text = "\n".join(part * times for part, times in lines)
    document = Document("any.txt", "text", "id", (TextPage(text),))
    (read, *_) = document_tools(document, "textual")
    assert await read_all_lines(read) == [line.text for line in document.lines()]
