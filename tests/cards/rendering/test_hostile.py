"""Nothing in a note, or in what a model wrote, runs in Anki."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cards.rendering.hostile import SHAPES
from tests.real.chromium import rendered as in_chromium

from studium.cards.models import ProposedCard
from studium.cards.rendering import CardRenderer
from studium.core.documents.vault import Vault

ACTIVE_TAGS = {
    "script", "style", "iframe", "object", "embed", "form", "input", "button", "meta", "link", "base", "svg", "math",
    "video", "audio", "body",
}  # fmt: skip
SAFE_ADDRESS = re.compile(r"(?:https?|mailto|obsidian|tel|zotero):|studium-[0-9a-f]{16}\.\w+$")
COMMAND = re.compile(r"\[(?:sound:(?!\w[\w .()-]*\.\w{2,4}\])|latex\]|\$\$?\]|anki:)", re.IGNORECASE)
TEX_MACRO = re.compile(r"\\(?:href|style|class|cssId|require|mmlToken|unicode)(?![A-Za-z])")

RENDERER = CardRenderer(Vault(Path("vault"), "v", ("x.png", "Note.md")))


class Reading(HTMLParser):
    """Reads HTML and gathers what could act in it."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.faults: list[str] = []
        self.code = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.code += tag == "code"
        if tag in ACTIVE_TAGS:
            self.faults.append(f"<{tag}>")
        for name, value in attrs:
            if name.startswith("on") or name in {"srcdoc", "srcset", "formaction", "id", "name"}:
                self.faults.append(f"{tag} {name}")
            if name in {"href", "src"} and not SAFE_ADDRESS.match(value or ""):
                self.faults.append(f"{tag} {name}={value}")
            if name == "style" and ("url" in value or "position" in value):
                self.faults.append(value)

    def handle_endtag(self, tag):
        self.code -= tag == "code"

    def handle_data(self, data):
        if not self.code and (found := TEX_MACRO.search(data)):
            self.faults.append(found[0])


def faults(markdown: str) -> list[str]:
    card = ProposedCard(deck_name="D", fields={"Front": markdown})
    html = RENDERER.render(card, note_path="a.md", card_id="k").fields["Front"]
    commands = [found[0] for found in COMMAND.finditer(html)]
    clozes_in_tags = re.findall(r"<[^<>]*\{\{[^<>]*>", html) if re.search(r"\{\{c\d+::", markdown) else []
    return Reading(html).faults + commands + clozes_in_tags


@pytest.mark.parametrize("shape", SHAPES)
def test_a_hostile_shape_is_harmless(shape):
    assert faults(shape) == []


@pytest.mark.parametrize(
    "html",
    [
        "<script>x</script>",
        '<img src="https://a" onerror="x">',
        '<a href="javascript:x">',
        r"\(\href{x}{y}\)",
        "[sound:-x]",
    ],
)
def test_the_check_itself_sees_what_acts(html):
    reading = Reading(html)
    assert reading.faults or COMMAND.search(html)


MARKS = (
    "<", ">", '"', "'", "`", "\n", "\n\n", "> ", "- ", "$", "$$", "{{c1::", "}}", "[[", "]]", "![[", "|", "\\", "x",
    "<code>", "</code>", "<pre>", "<span data-math-style=inline>", "</span>", "<a href=x data-wikilink=true>", "</a>",
    "<blockquote>", "[!note]", "%%", "==", "```python\n", "&lt;", "&#x3c;", " onerror=hit() ",
)  # fmt: skip
PIECES = st.sampled_from(SHAPES + MARKS)


@given(st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=12).map("".join))
def test_no_mixture_of_hostile_pieces_acts(markdown):
    assert faults(markdown) == []


@pytest.mark.part("chromium")
@pytest.mark.parametrize(
    "wrapped", ["{}", "{{{{c1::{}}}}}", "```python\n{}\n```", "> [!note] {}", "| a |\n|---|\n| {} |"]
)
def test_a_browser_runs_nothing_of_it(tmp_path, wrapped):
    """All shapes on one page; one that acts would change its title."""
    page = ["<!doctype html><meta charset=utf-8><title>calm</title>"]
    page.append("<script>function hit() { document.title = 'hit' }</script>")
    for shape in SHAPES:
        card = ProposedCard(deck_name="D", fields={"Front": wrapped.format(shape)})
        html = RENDERER.render(card, note_path="a.md", card_id="k").fields["Front"]
        # What Anki makes of a cloze is part of the page.
        page.append(re.sub(r"\{\{c\d+::(.*?)\}\}", r'<span class="cloze">\1</span>', html, flags=re.DOTALL))
    page.append("<script>for (const a of document.links) if (!/^(https|obsidian)/.test(a.href)) hit()</script>")
    (tmp_path / "page.html").write_text("<div>".join(page), encoding="utf-8")
    assert "<title>calm</title>" in in_chromium((tmp_path / "page.html").as_uri())


@pytest.mark.parametrize(
    "markdown",
    [
        "word " * 400_000,
        "> " * 20_000 + "x",
        "<blockquote>" * 50_000,
        "<code>" * 100_000,
        "![[a|" * 50_000,
        "\\\\(" * 20_000,
    ],
    ids=lambda markdown: markdown[:8],
)
def test_two_megabytes_of_anything_are_rendered_in_a_moment(markdown):
    assert faults(markdown) == []
