"""Texts are compared by what they say, not by how they were typed."""

from studium.core.text.normal_form import (
    collapse_spaces,
    fold,
    fold_to_letters,
    markdown_to_text,
    mask_markdown,
    strip_accents,
)

FOLDED = (
    ("  The\n Router ", {}, "the router"),
    ("STRASSE Straße", {}, "strasse strasse"),
    ("ﬁne Ｗｉｄｅ", {}, "fine wide"),
    ("Cafe\u0301 Café", {}, "café café"),
    ("Café Ñandú", {"accents": False}, "cafe nandu"),
    ("Ёлка Йод", {"accents": False}, "елка йод"),
    ("が カ\u3099", {"accents": False}, "が ガ"),
    ("“It’s” – so", {"marks": False}, '"it\'s" - so'),
    ("“It’s”", {}, "“it’s”"),
    ("", {}, ""),
)
MARKDOWN = (
    ("**Bold** and *it* and `code`", "Bold and it and code"),
    ("snake_case and 2 * 3 * 4", "snake_case and 2 * 3 * 4"),
    ("[link](https://a.org) [[Note|shown]] [[Note]]", "link shown Note"),
    ("![alt](a.png)![[b.png]] text[^1]", "text"),
    ("# Title\n\n- item\n1. one\n- [ ] task\n> quoted", "Title item one task quoted"),
    ("==marked== ~~gone~~ __strong__", "marked gone strong"),
    ("a<br>b <span class='x'>c</span> 1 < 2", "ab c 1 < 2"),
    ("%%hidden%%shown <!-- no -->", "shown"),
    ("| a | b |\n|---|---|\n| c | d |", "| a | b | | c | d |"),
    ("```python\nx = 1\n```", "x = 1"),
    ("1 \\* 2", "1 * 2"),
    ("***", ""),
    ("", ""),
)


def test_folding():
    for text, options, folded in FOLDED:
        assert fold(text, **options) == folded
        assert fold(folded, **options) == folded


def test_only_letters_and_digits():
    assert fold_to_letters("O’Brien, J. (2nd)") == "obrienj2nd"
    assert fold_to_letters("…") == ""
    assert strip_accents("plain") == "plain"
    assert collapse_spaces(" a \n b ") == "a b"


def test_markdown_as_plain_text():
    for markdown, text in MARKDOWN:
        assert markdown_to_text(markdown, one_line=True) == text
    assert markdown_to_text("# A\n\nb *c*\n") == "A\n\nb c"


def test_masking_code_and_markup_keeps_positions():
    for text, masked in (
        ("a `b. c` d", "a XXXXXX d"),
        ("a ``b ` c`` d", "a XXXXXXXXX d"),
        ("it is $x. y$ here", "it is XXXXXX here"),
        ("it costs $5 or $6", "it costs $5 or $6"),
        ("[a](b.c) d", "[aXXXXXX d"),
        ("a <b>c</b>", "a XXXcXXXX"),
        ("plain", "plain"),
    ):
        assert mask_markdown(text) == masked
        assert len(mask_markdown(text)) == len(text)
    assert mask_markdown("```\na\n```\nb") == "X" * 9 + "\nb"
    assert mask_markdown("```\nopen") == "X" * 8
