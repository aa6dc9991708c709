"""A formula is untrusted code: nothing in it runs, hangs or stops the server."""

import re
import time
from html import escape, unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cards.rendering.hostile import SHAPES

from studium.core.text.formulas import render_formulas
from studium.core.text.html_policy import sandboxed_document

HARMLESS = re.compile(r'</?(?:m[a-z]+|b|code|em|i|s|span|u)(?: (?!on|href|id|src|style)[a-z]+="[\w.%+# -]*")*>')
HOSTILE = [
    r"\href{javascript:hit()}{x}",
    r"\style{background:url(//evil.example)}{x}",
    r"\class{q-dialog}{x}",
    r"\cssId{x}{y}",
    r"\html{<script>hit()</script>}",
    r"\unicode{60}script\unicode{62}",
    r"\text{<script>hit()</script>}",
    r"\text{</math><img src=x onerror=hit()>}",
    r"\texttt{<b onclick=hit()>}",
    r"<script>hit()</script>",
    r"</math><script>hit()</script>",
    r"&lt;script&gt;hit()&lt;/script&gt;",
    r"\operatorname{\lt script\gt hit()\lt/script\gt}",
    r"\operatorname{\lt/mi\gt\lt mi onclick=hit()\gt}",
    r"\operatorname{\lt} script \operatorname{\gt}",  # which the library does not escape
    r"\textcolor{red;background:url(x)}{x}",
    r'\color{"onload=hit()}{x}',
    r"\begin{align}x\label{\"><b>}\end{align}\ref{x}",
    r"\begin{<script>}x\end{<script>}",
    r"\hspace{1em\" onclick=\"hit()}",
    r"\tag{<script>hit()</script>}x",
]
WORDS = [
    *HOSTILE, r"\frac", r"\sqrt", r"\left(", r"\right)", r"\begin{matrix}", r"\end{matrix}", r"\operatorname", r"\lt",
    r"\gt", r"\text", r"\color{red}", r"\overline", r"\underline", "{", "}", "[", "]", "^", "_", "&", r"\\", "'", '"',
    "<", ">", "x", "#", "$", "%", "\n", "\x00", "é", "🙂",
]  # fmt: skip
DEEP = {
    "braces": "{" * 100_000 + "x" + "}" * 100_000,
    "open braces": "{" * 100_000,
    "closed braces": "}" * 100_000,
    "groups": "{" * 590 + "x" + "}" * 590,
    "roots": r"\sqrt" * 600 + " x",
    "roots in groups": r"\sqrt{" * 300 + "x" + "}" * 300,
    "fractions": r"\frac{" * 300 + "x" + "}{2}" * 300,
    "brackets": r"\left(" * 300 + "x" + r"\right)" * 300,
    "tables": r"\begin{matrix}" * 150 + "x" + r"\end{matrix}" * 150,
    "colours": r"\color{red}" * 300 + "x",
    "negations": r"\not" * 600 + "=",
    "sets": r"\set{" * 300 + "x" + "}" * 300,
    "a command of itself": r"\def\a{\a\a}\a",
    "a command in itself": r"\newcommand{\a}{\sqrt{\a}}\a",
    "commands of commands": r"\def\a{" + "{" * 1_000 + r"\b" + "}" * 1_000 + r"}\let\b\a\a",
    "brackets that are not closed": "(" * 100,
    "primes": "x" + "'" * 3_990,
    "cells": r"\begin{matrix}" + "&" * 3_900 + r"\end{matrix}",
}


class Elements(HTMLParser):
    """The names of all elements of a page, and of their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}


def formula(tex: str) -> str:
    return rf"\({escape(tex)}\)"


def drawn(letter: str) -> str:
    return f"<math><mi>{letter}</mi></math>"


def left_over(html: str) -> str:
    """What is markup, and no element of a formula."""
    return "".join(re.findall(r"[<>]", HARMLESS.sub("", html)))


@pytest.mark.parametrize("tex", HOSTILE)
def test_nothing_hostile_comes_out_of_a_formula(tex):
    assert left_over(render_formulas(formula(tex))) == ""


@settings(max_examples=30)  # each starts a process
@given(st.lists(st.sampled_from(WORDS), max_size=30))
def test_nothing_hostile_comes_out_of_any_mixture(words):
    html = render_formulas(formula("".join(words)))
    assert left_over(html) == ""
    assert "<math" in html or unescape(html) == unescape(formula("".join(words)))


@settings(max_examples=50)
@given(st.lists(st.one_of(st.sampled_from(SHAPES), st.sampled_from([r"\(", r"\)", r"\[", r"\]", "<code>", "</code>"]))))
def test_formulas_and_hostile_html_together_are_safe(parts):
    seen = Elements(sandboxed_document("".join(parts)).partition("</head>")[2])
    assert seen.names.isdisjoint({"script", "style", "iframe", "object", "svg", "form", "input", "annotation"})
    assert not any(name.startswith("on") or name == "srcdoc" for name in seen.attributes)


@pytest.mark.parametrize("tex", DEEP.values(), ids=DEEP)
def test_no_formula_takes_long(tex, monkeypatch):
    monkeypatch.setattr("studium.core.text.formulas._SECONDS", 1)
    began = time.monotonic()
    assert left_over(render_formulas(formula(tex))) == ""
    assert time.monotonic() - began < 8


def test_an_endless_formula_does_not_affect_earlier_ones(monkeypatch):
    monkeypatch.setattr("studium.core.text.formulas._SECONDS", 1.5)
    endless = formula("(" * 60)
    assert render_formulas(formula("x") + endless + formula("y")) == drawn("x") + endless + formula("y")
    assert render_formulas(endless) == endless, "it may have been a busy machine"
    began = time.monotonic()
    assert render_formulas(endless + formula("z")) == endless + drawn("z")
    assert time.monotonic() - began < 1.4, "nobody waits for it again"


@pytest.mark.parametrize(
    "html",
    [
        r"\(x\)" * 50_000,
        r"\(" * 100_000,
        r"\(\[[$][$$][latex]" * 20_000,
        r"<p>\(</p>" * 20_000,
        formula("x" + "'" * 3_900) * 50,
        "<" * 100_000 + r"\(x\)",
    ],
    ids=["many", "open", "brackets", "paragraphs", "long", "signs"],
)
def test_no_number_of_formulas_takes_long(html):
    began = time.monotonic()
    assert len(render_formulas(html)) >= len(html)
    assert time.monotonic() - began < 8


def test_a_formula_that_timed_out_once_is_drawn_the_next_time(monkeypatch):
    with monkeypatch.context() as busy:
        busy.setattr("studium.core.text.formulas._SECONDS", 0.001)
        assert render_formulas(formula("x^{41}")) == formula("x^{41}")
    assert "<msup>" in render_formulas(formula("x^{41}"))
