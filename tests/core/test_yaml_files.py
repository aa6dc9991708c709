"""YAML that others wrote is read, or refused with its line."""

import time
from itertools import pairwise

import pytest

from studium.core.domain.errors import BadInput
from studium.core.text.word_lists import load_word_list, load_word_pairs, load_word_sections, load_word_table
from studium.core.yaml_files import UnreadableYaml, load_yaml

READ = (
    ("a: 1\nb: [x, y]", {"a": 1, "b": ["x", "y"]}),
    ('{"a": null}', {"a": None}),
    ("", None),
    ("# nothing", None),
    ("- &x 1\n- *x", [1, 1]),
)
REFUSED = (
    ("a: 1\nb: [x", 2),
    ("a: b: c", 1),
    ("x\ty: {", 1),
    ("a: 2024-13-45", 1),
    ("a: !!bool maybe", 1),
    ('a: !!int ""', 1),
    ("a: !!timestamp no", 1),
    ("ok: 1\na: !!python/object:os.system x", 2),
    ("a: \x01", 1),
    ("a: *nobody", 1),
    ("? [1]\n: 2", 1),
    ("- " * 5 + "[" * 20_000, 1),
)


def test_valid_yaml_is_read():
    for text, value in READ:
        assert load_yaml(text) == value


def test_every_problem_is_reported_with_its_line():
    for text, line in REFUSED:
        with pytest.raises(UnreadableYaml) as caught:
            load_yaml(text, name="quiz.yaml", remedy="Correct it.")
        assert isinstance(caught.value, BadInput)
        assert caught.value.line >= line
        assert caught.value.reason
        assert str(caught.value).startswith(f"quiz.yaml:{caught.value.line} is not readable as YAML: ")
        assert caught.value.remedy == "Correct it."
    with pytest.raises(UnreadableYaml, match="Line 2 is not readable"):
        load_yaml("a: 1\nb: c: d")


def test_aliases_can_be_refused():
    bomb = "a: &a [1, 1]\n" + "".join(f"{new}: &{new} [*{old}, *{old}]\n" for old, new in pairwise("abcdefghi"))
    began = time.monotonic()
    with pytest.raises(UnreadableYaml, match="alias") as caught:
        load_yaml(bomb, aliases=False)
    assert caught.value.line == 2
    assert time.monotonic() - began < 2
    assert load_yaml("a: 2 * 3", aliases=False) == {"a": "2 * 3"}


def _laughs(value: str, reference: str) -> str:
    """Aliases that stand for 2 ** 20 values."""
    names = "abcdefghijklmnopqrstu"
    return f"a: &a {value}\n" + "".join(f"{new}: &{new} {reference.format(old)}\n" for old, new in pairwise(names))


BEYOND_A_LIMIT = (
    ("a: " + "[" * 40_000, "nested"),
    ("a: " + "[" * 60 + "{x: " * 60, "nested"),
    ("- " * 40_000, "nested"),
    ("? " * 40_000, "nested"),
    ("? - " * 40_000, "nested"),
    ("\n".join(" " * indent + "a:" for indent in range(600)), "nested"),
    ("\n".join(" " * indent + "-" for indent in range(600)), "nested"),
    (f"a: &a {'[' * 60}{']' * 60}\nb: {'[' * 60}*a{']' * 60}", "nested"),
    ("a: &a [x, *a]", "inside the value that it names"),
    ("a: &a {x: {y: *a}}", "inside the value that it names"),
    (_laughs("[1, 1]", "[*{0}, *{0}]"), "values"),
    (_laughs("{x: 1}", "{{<<: [*{0}, *{0}]}}"), "values"),
    ("- 1\n" * 60_000, "values"),
    ("a: " + "x" * 1_100_000, "characters"),
    ("a: " + "9" * 20_000, "digits"),
    ("a: -0x" + "f" * 20_000, "digits"),
    ("a: 1" + ":59" * 100_000, "digits"),
    ("a: 1" + ":59" * 400 + ".5", "digits"),
    ('a: !!int "' + "\\x31" * 20_000 + '"', "digits"),
    ('a: !!int "' + "1:\\\n  " * 20_000 + '1"', "digits"),
    ("".join(f"{step * (2**61 - 1)}: x\n" for step in range(1, 20_000)), "digits"),
    ("a: \udc80", "not text"),
)


@pytest.mark.parametrize(("text", "reason"), BEYOND_A_LIMIT)
def test_what_goes_beyond_a_limit_is_refused_before_it_is_parsed(text, reason):
    began = time.process_time()
    with pytest.raises(UnreadableYaml, match=reason):
        load_yaml(text, name="corpus.yaml")
    assert time.process_time() - began < 1


def test_what_only_looks_like_too_much_is_read():
    brackets, digits = "[" * 5_000, "1" * 5_000
    assert load_yaml(f'a: "{brackets}"\nb: x{brackets}\n# {brackets}') == {"a": brackets, "b": "x" + brackets}
    assert load_yaml(f"a: '{digits}'\nb: x{digits}\nc: 1 {digits}") == {
        "a": digits,
        "b": f"x{digits}",
        "c": f"1 {digits}",
    }
    assert load_yaml("a: |\n" + "  - [\n" * 5_000) == {"a": "- [\n" * 5_000}
    assert len(load_yaml("- a-b: http://x?y=[1]\n" * 5_000)) == 5_000
    assert load_yaml("base: &base {x: 1}\nmore: {<<: *base, y: 2}")["more"] == {"x": 1, "y": 2}


def test_shipped_lists_are_read_once():
    package = "studium.core.text"
    assert "the" in load_word_list(package, "data/stop_words/en.txt")
    assert "#" not in load_word_list(package, "data/stop_words/en.txt")
    assert set(load_word_sections(package, "data/stop_words/it.txt")) == {
        "function_words",
        "negations",
        "question_words",
    }
    assert load_word_pairs(package, "data/irregular_forms/en.txt")["written"] == "write"
    table = load_word_table("studium.concepts.rules", "critique_words.yaml")
    assert table is load_word_table("studium.concepts.rules", "critique_words.yaml")
    assert "nameable" in table
