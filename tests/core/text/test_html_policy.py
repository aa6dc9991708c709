"""One policy lets through what a text may hold, and each use adds to it what it needs."""

import time

from studium.core.text.html_policy import build_cleaner, is_deeply_nested

STAYS = (
    "<p>one</p>",
    '<p dir="rtl" lang="ar" style="color:red">x</p>',
    '<td colspan="2" align="left">x</td>',
    '<ol start="3"><li>x</li></ol>',
    '<details open=""><summary>s</summary>x</details>',
    '<font color="red">x</font>',
    "<ruby>夜<rt>よる</rt></ruby>",
    '<img src="a.png" alt="a" width="10">',
    '<a href="https://example.org/">x</a>',
    '<a href="obsidian://open?vault=v">x</a>',
)
GOES = (
    ("<script>hit()</script>x", "x"),
    ("<style>p{}</style>x", "x"),
    ("<blink>x</blink>", "x"),
    ('<p onclick="hit()">x</p>', "<p>x</p>"),
    ('<p style="position:fixed;color:red">x</p>', '<p style="color:red">x</p>'),
    ('<a href="javascript:hit()">x</a>', "<a>x</a>"),
    ('<img src="data:image/png;base64,AA==">', "<img>"),
    ('<p class="q-dialog">x</p>', "<p>x</p>"),
    ('<img style="color:red">', "<img>"),
    ("<footer>x</footer>", "x"),
)


def inside_its_parents(html):
    """A cell stands in a table, or no parser keeps it."""
    return f"<table><tbody><tr>{html}</tr></tbody></table>" if html.startswith("<td") else html


def test_allowed_html_stays():
    cleaner = build_cleaner()
    for html in map(inside_its_parents, STAYS):
        assert cleaner.clean(html) == html


def test_scripts_and_overlays_are_removed():
    cleaner = build_cleaner()
    for html, left in GOES:
        assert cleaner.clean(html) == left


def test_each_policy_adds_what_it_needs():
    cleaner = build_cleaner(
        extra_tags={"footer"},
        extra_attributes={"span": {"data-math-style"}},
        unformed_tags={"b"},
        classes={"li": {"task-list-item"}},
        extra_schemes={"data"},
        extra_emptied_tags={"svg"},
        link_rel="nofollow",
    )
    for html in (
        "<footer>x</footer>",
        '<span data-math-style="inline">x</span>',
        '<img src="data:image/png;base64,A">',
    ):
        assert cleaner.clean(html) == html
    assert cleaner.clean('<li class="task-list-item wide">x</li>') == '<li class="task-list-item">x</li>'
    assert cleaner.clean('<b style="color:red">x</b>') == "<b>x</b>"
    assert cleaner.clean("<svg><text>x</text></svg>y") == "y"
    assert cleaner.clean('<a href="https://a.org/">x</a>') == '<a href="https://a.org/" rel="nofollow">x</a>'


def test_thousands_of_nested_elements_are_detected_quickly():
    began = time.monotonic()
    assert is_deeply_nested("<div>" * 100_000)
    assert time.monotonic() - began < 5
    assert is_deeply_nested("<ul><li>" * 501)
    assert not is_deeply_nested("<ul>" + "<li>x" * 5_000)
    assert not is_deeply_nested("<div>x</div>" * 5_000)
    assert not is_deeply_nested("<p>x<br>" * 5_000)
