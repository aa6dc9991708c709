"""What Anki's editor changes by itself is no change."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studium.core.text.html import is_balanced, same_html, tokenize_html, visible_text

ALIKE = {
    "a break's spelling": ("one<br>two", "one<br />two<BR/>"),
    "lines wrapped in div": ("one<br>two<br>three", "one<div>two</div><div>three</div>"),
    "all lines wrapped in div": ("one<br>two", "<div>one</div><div>two</div>"),
    "an empty line in a div": ("one<br><br>two", "one<div><br></div><div>two</div>"),
    "a break at the end of a div": ("one<br>two", "<div>one<br></div>two"),
    "breaks at the end": ("one", "one<br><br>"),
    "a break at the end of a paragraph": ("<p>one</p>", "<p>one<br></p>"),
    "nbsp": ("one two", "one&nbsp;two"),
    "double spaces as Anki types them": ("one  two", "one&nbsp; two"),
    "the character nbsp": ("one two", "one\xa0two"),
    "space around blocks": ("<p>one</p>\n<p>two</p>\n", "<p>one</p><p>two</p>"),
    "space in lists": ("<ul>\n<li>one</li>\n</ul>", "<ul><li>one</li></ul>"),
    "the order of attributes": ('<img src="a.png" alt="x">', "<img alt='x' src='a.png' />"),
    "unquoted attributes": ('<td colspan="2">x</td>', "<TD colspan=2>x</TD>"),
    "style spelling": ('<b style="color: red; top:1px">x</b>', '<b style="color:red;top: 1px;">x</b>'),
    "entities in attributes": ('<a href="?a=1&amp;b=2">x</a>', '<a href="?a=1&b=2">x</a>'),
    "quotes as entities": ("say &quot;it&#39;s&quot;", 'say "it\'s"'),
    "letters as entities": ("caf&eacute;", "café"),
    "numeric entities": ("a&#38;b &#x3C; c", "a&amp;b &lt; c"),
    "a bare ampersand": ("R&D < X", "R&amp;D &lt; X"),
    "NFC and NFD": ("café", "cafe\u0301"),
    "an empty span": ("one two", 'one <span style="color:red"></span>two'),
    "an empty bold in an empty italic": ("one", "one<i><b></b></i>"),
    "a span that says nothing": ("one", "<span>one</span>"),
    "inside a cloze": ("{{c1::say &quot;x&quot;<br>y}}", '{{c1::say "x"<br />y}}'),
    "CRLF in code": ("<pre>a\r\nb</pre>", "<pre>a\nb</pre>"),
    "a break in code": ("<pre>a\nb</pre>", "<pre>a<br>b</pre>"),
}
DIFFERENT = {
    "a word": ("one", "two"),
    "case": ("one", "One"),
    "bold": ("one", "<b>one</b>"),
    "a tag and its text": ("<b>", "&lt;b&gt;"),
    "a cloze and its text": ("{{c1::x}}", "&#123;&#123;c1::x}}"),
    "cloze numbers": ("{{c1::x}}", "{{c2::x}}"),
    "a hint": ("{{c1::x}}", "{{c1::x::y}}"),
    "a line break": ("one two", "one<br>two"),
    "an empty line": ("one<br>two", "one<br><br>two"),
    "joined words": ("one two", "onetwo"),
    "paragraphs": ("<p>one two</p>", "<p>one</p><p>two</p>"),
    "a picture": ('<img src="a.png">', '<img src="b.png">'),
    "a sound": ("[sound:a.mp3]", "[sound:b.mp3]"),
    "a formula": (r"\(x+1\)", r"\(x-1\)"),
    "a comment": ("one", "one<!-- mine -->"),
    "a class": ('<div class="a">x</div>', '<div class="b">x</div>'),
    "a div that has a class": ('<div class="a">x</div>', "x"),
    "indentation in code": ("<pre>if a:\n  b</pre>", "<pre>if a:\n    b</pre>"),
    "line ends in code": ("<pre>a\nb</pre>", "<pre>a b</pre>"),
    "emptiness": ("", "x"),
}


@pytest.mark.parametrize(("one", "other"), ALIKE.values(), ids=ALIKE)
def test_no_change(one, other):
    assert same_html(one, other)
    assert same_html(other, one)


@pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_a_change(one, other):
    assert not same_html(one, other)
    assert not same_html(other, one)


@given(st.text(), st.text())
def test_any_strings_can_be_compared(one, other):
    assert same_html(one, one)
    assert same_html(one, other) == same_html(other, one)


@given(st.text(alphabet="<>/&;\"'= abdivspanre{}c1:[]\\()!-\n", max_size=80))
def test_the_normal_form_is_its_own_normal_form(html):
    normal = "".join(token.text for token in tokenize_html(html))
    assert same_html(normal, "".join(token.text for token in tokenize_html(normal)))


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Paris is the {{c1::capital::role}} of&nbsp;<b>France</b></p>", "Paris is the capital of France"),
        ("one<br>two<div>three</div>", "one two three"),
        ("foo<b>bar</b>", "foobar"),
        ("<ul><li>a</li><li>b</li></ul>", "a b"),
        ("x &lt;b&gt; y &amp; z", "x <b> y & z"),
        ("hear [sound:a.mp3] it<img src='a.png'>", "hear it"),
        ("<style>p { color: red }</style>seen<script>x()</script><!-- unseen -->", "seen"),
        (r"\(a<b\) holds", r"\(a<b\) holds"),
        ("nested {{c1::outer {{c2::inner}} end}}", "nested outer inner end"),
        ("cafe\u0301", "café"),
        ("a < b and c > d", "a < b and c > d"),
        ("", ""),
    ],
)
def test_the_visible_text(html, text):
    assert visible_text(html) == text


@given(st.text())
def test_any_string_can_be_read(html):
    assert visible_text(html) == " ".join(visible_text(html).split())


@pytest.mark.parametrize(
    ("html", "balanced"),
    [
        ("<p>a<br>b</p>", True),
        ("<b><i>x</i></b>", True),
        ("<b><i>x</b></i>", False),
        ("<p>x", False),
        ("x</p>", False),
        ("{{c1::<b>x}}</b>", True),
    ],
)
def test_balance(html, balanced):
    assert is_balanced(html) is balanced
