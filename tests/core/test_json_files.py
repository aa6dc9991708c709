"""JSON that others wrote is read, or refused with its line."""

import time

import pytest

from studium.core.json_files import UnreadableJson, load_json

BEYOND_A_LIMIT = (
    ("[" * 50_000, "nested"),
    ("[" * 1_000_000, "values"),
    ('{"a":' * 200, "nested"),
    ("[" * 60 + '{"a":' * 60, "nested"),
    ("]" * 200 + "[" * 301, "nested"),
    ('"' + "\\\\" * 1_000 + '"' + "[" * 200, "nested"),
    ('{"a": ' + "9" * 20_000 + "}", "digits"),
    ("{" + ",".join(f'"key{number}": 1' for number in range(300_000)) + "}", "values"),
    ("[" + "1," * 300_000 + "1]", "values"),
    ('"' + '\\"' * 1_000_000, "unterminated"),
    ('"\\', "unterminated"),
    (b"[\n\xff]", "UTF-8"),
    ('["x"]'.encode("utf-16"), "UTF-8"),
    ("[1,\n]", "column"),
    ("", "expecting value"),
)


@pytest.mark.parametrize(("text", "reason"), BEYOND_A_LIMIT)
def test_what_goes_beyond_a_limit_is_refused_before_it_is_parsed(text, reason):
    began = time.process_time()
    with pytest.raises(UnreadableJson, match=reason) as caught:
        load_json(text, name="quotes.json", remedy="Correct it.", max_values=100_000)
    assert time.process_time() - began < 1
    assert str(caught.value).startswith(f"quotes.json:{caught.value.line} is not readable as JSON: ")
    assert caught.value.remedy == "Correct it."


def test_a_problem_has_its_line():
    for text in ('{"a": 1,\n}', '{"a": 1,\n"b": ' + "9" * 5_000 + "}", "[1,\n" + "[" * 200, b"[1,\n\xff]"):
        with pytest.raises(UnreadableJson) as caught:
            load_json(text)
        assert caught.value.line == 2


def test_what_only_looks_like_too_much_is_read():
    text = "[" * 5_000 + "9" * 5_000
    assert load_json(f'{{"{text}": ["{text}", 1.5e3]}}') == {text: [text, 1500.0]}
    assert load_json('"' + r"\"[" * 1_000 + '"') == '"[' * 1_000
    assert load_json(b"\xef\xbb\xbf[1]") == [1]


def test_half_an_emoji_is_replaced():
    assert load_json(r'["\ud83d", "\ud83d\ude00", "\\ud83d"]') == ["\ufffd", "\U0001f600", r"\ud83d"]
