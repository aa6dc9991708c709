"""What documents, models and cards hold is shown, and none of it runs or is fetched from elsewhere."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cards.rendering.hostile import SHAPES
from tests.cards.rendering.test_hostile import Reading

from studium.core.text.html_policy import MEDIA_URL, safe_html, sandboxed_document

PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACw="


def faults(html: str) -> list[str]:
    """What could act in it; our own pictures and those in the text itself are none."""
    harmless = re.compile(rf"img src=(?:{MEDIA_URL}[^/]+|data:image/\w+;base64,.*)")
    return [fault for fault in Reading(safe_html(html)).faults if not harmless.fullmatch(fault) and fault[0] != "\\"]


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_hostile_stays(shape):
    assert faults(shape) == []


@given(
    st.lists(st.one_of(st.sampled_from(SHAPES), st.text(max_size=5), st.sampled_from(["<", ">", '"', "</", "<!--"])))
)
def test_nothing_hostile_stays_in_any_mixture(parts):
    assert faults("".join(parts)) == []


@pytest.mark.parametrize(
    "html",
    [
        '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>',
        '<ruby lang="ja">夜<rp>(</rp><rt>よる</rt><rp>)</rp></ruby>',
        '<pre><code class="language-python"><span class="kw">def</span> f</code></pre>',
        '<details class="callout callout-tip" open=""><summary>Tip</summary>x</details>',
        '<span class="cloze">[…]</span>',
        f'<img src="{PIXEL}" alt="dot" width="10">',
        '<a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer nofollow">x</a>',
        '<a href="obsidian://open?vault=v" rel="noopener noreferrer nofollow">x</a>',
        '<p style="color:red">x</p>',
    ],
)
def test_html_of_a_card_stays(html):
    assert safe_html(html) == html


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("studium-0123456789abcdef.png", f"{MEDIA_URL}studium-0123456789abcdef.png"),
        (f"{MEDIA_URL}a.png", f"{MEDIA_URL}a.png"),
        ("my%20picture.png", f"{MEDIA_URL}my%20picture.png"),
        ("夜.png", f"{MEDIA_URL}%E5%A4%9C.png"),
        ("https://evil.example/x.png", None),
        ("//evil.example/x.png", None),
        ("\\\\evil.example\\x.png", None),
        ("/api/v1/runs", None),
        (f"{MEDIA_URL}../runs", None),
        (f"{MEDIA_URL}..%2fruns.png", None),
        ("../x.png", None),
        ("data:text/html;base64,AAAA", None),
        ("data:image/svg+xml;base64,AAAA", None),
        ("blob:x.png", None),
    ],
)
def test_pictures_come_from_the_text_or_from_our_media(source, shown):
    found = re.search(r'src="([^"]*)"', safe_html(f'<img src="{source}">'))
    assert (found[1] if found else None) == shown


def test_classes_of_the_page_are_removed():
    assert safe_html('<div class="fixed inset-0 q-dialog callout z-max">x</div>') == '<div class="callout">x</div>'


def test_thousands_of_nested_elements_take_no_time():
    began = time.monotonic()
    assert safe_html("<div>" * 100_000).startswith("<pre>")
    assert time.monotonic() - began < 5


def test_thousands_of_open_paragraphs_are_not_nested():
    assert "<li>" in safe_html("<ul>" + "<li>x" * 5_000)


def test_a_frame_has_its_own_policy():
    page = sandboxed_document("<script>hit()</script><p>夜</p>", ".card { color: red }", dark=True)
    assert "default-src &#x27;none&#x27;" in page
    assert "script-src" not in page
    assert "<script" not in page
    assert "nightMode" in page
    assert "nightMode" not in sandboxed_document("x", "")


def test_a_style_sheet_cannot_end_itself():
    assert "<script" not in sandboxed_document("x", "</style><script>hit()</script>")
