"""The language of short texts, as cards have them."""

from pathlib import Path

import pytest

from studium.core.text.language_detection import detect_language

LABELLED = [
    line.split("\t", 1) for line in Path(__file__).with_name("languages.tsv").read_text(encoding="utf-8").splitlines()
]


def test_nearly_all_labelled_texts_are_detected_correctly():
    wrong = [(code, detect_language(text), text) for code, text in LABELLED if detect_language(text).code != code]
    assert len(LABELLED) >= 100
    assert len({code for code, _ in LABELLED}) >= 20
    assert len(wrong) / len(LABELLED) <= 0.02, wrong


def test_no_text_is_taken_for_another_language():
    taken = [(code, detect_language(text), text) for code, text in LABELLED]
    assert [(code, told, text) for code, told, text in taken if told.code not in (code, "und")] == []


@pytest.mark.parametrize("text", ["", "42", "OSPF", "TCP/IP", "Paris", "x", "$\\frac{a}{b}$", "`return x`", "\u2192"])
def test_a_text_that_is_too_short_is_undetermined(text):
    assert detect_language(text).code == "und"


def test_code_addresses_and_formulas_do_not_count():
    english = "```python\nfor the_item in this_list:\n    print(the_item)\n```\n$\\text{where the}$ https://en.example.org/the\n"
    assert (
        detect_language(
            english
            + "\u0427\u0442\u043e \u0434\u0435\u043b\u0430\u0435\u0442 \u044d\u0442\u043e\u0442 \u043a\u043e\u0434?"
        ).code
        == "ru"
    )


def test_confidence_is_between_0_and_1():
    assert all(0 <= detect_language(text).confidence <= 1 for _, text in LABELLED)
    assert detect_language("\u732b\u304c\u597d\u304d\u3067\u3059").confidence == 1
