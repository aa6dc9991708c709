"""Renders Obsidian's Markdown as HTML without active content, and its callouts and code.

Later steps finish the rest: formulas are `<span data-math-style>`, links into the vault `<a data-wikilink>` (embeds
begin with `EMBED`), callouts block quotes.
"""

import re
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from studium.core.text.html_policy import build_cleaner, is_deeply_nested

if TYPE_CHECKING:
    import comrak
    from nh3 import Cleaner


EMBED = "\U0010fffd"
"""Replaces the `!` of `![[…]]`, so that the parser, which knows what is code, reads embeds as links."""

_FENCED = r"(?:^|(?<=\n))[ \t>]*(?P<fence>`{3,}|~{3,}).*?(?:\n[ \t>]*(?P=fence)|$)"
_TICKED = r"(?<!`)(?P<ticks>`{1,4})(?!`).*?(?<!`)(?P=ticks)(?!`)"
_COMMENT_OR_MATHS = re.compile(rf"{_FENCED}|{_TICKED}|%%.*?%%|(?P<maths>\$\$.+?\$\$)", re.DOTALL)
# `^id` at the end of a block, or alone after one, is a link target, which Obsidian does not show.
_BLOCK_ID = re.compile(
    r"(?:(?:<br />\n| )\^[A-Za-z0-9-]{3,}(?=</(?:p|li|h[1-6]|td)>|\n<[uo]l>))|\n<p>\^[A-Za-z0-9-]{3,}</p>"
)
_BLANK_LINES = re.compile(r"\n\s*\n")
_TITLE_BEFORE_SIZE = re.compile(r"(!\[\[[^\]|\n]{1,300})\|[^\]\n]{0,300}(\|\d+(?:x\d+)?\]\])")

# Deep nesting takes a parser quadratic time; such a text is not a card, and is shown as plain text.
_LONG = 50_000
# Later steps recognise these tags by their attributes.
_UNFORMED = {"a", "br", "code", "details", "ol"}
_ATTRIBUTES = {"a": {"data-wikilink"}, "code": {"class"}, "span": {"data-math-style"}}
_CLASSES = {"section": {"footnotes"}, "li": {"task-list-item"}}
_EMPTY_BOX = '<input type="checkbox" class="task-list-item-checkbox" disabled="" />'
_TICKED_BOX = '<input type="checkbox" class="task-list-item-checkbox" checked="" disabled="" />'


def safe_html(markdown: str, *, clozes: bool) -> str:
    """Render Markdown as HTML without scripts, handlers, frames and styles."""
    from comrak import render_markdown

    extensions, rendering = _options(clozes)
    text = _prepared(markdown)
    html = render_markdown(text, extension_options=extensions, render_options=rendering)
    if "^" in html:
        html = _BLOCK_ID.sub("", html)
    if "<input" in html:
        html = html.replace(_EMPTY_BOX, "☐").replace(_TICKED_BOX, "☑")
    if len(html) > _LONG and is_deeply_nested(html):
        html = f"<pre>{escape(markdown)}</pre>"
    return _cleaner().clean(html)


def _prepared(markdown: str) -> str:
    """The text without comments and with marked embeds, for the parser."""
    text = markdown.replace(EMBED, "\ufffd") if EMBED in markdown else markdown
    if "%%" in text or "$$" in text:
        text = _COMMENT_OR_MATHS.sub(_kept, text)
    if "![[" in text:
        text = _TITLE_BEFORE_SIZE.sub(r"\1\2", text).replace("![[", f"[[{EMBED}")
    return text


def _kept(found: re.Match[str]) -> str:
    if found["maths"]:
        return _BLANK_LINES.sub("\n", found[0])  # an empty line would end the paragraph and the formula
    return "" if found[0].startswith("%%") else found[0]


@cache
def _options(clozes: bool) -> "tuple[comrak.ExtensionOptions, comrak.RenderOptions]":
    from comrak import ExtensionOptions, RenderOptions

    extensions = ExtensionOptions()
    extensions.table = extensions.strikethrough = extensions.tasklist = extensions.footnotes = True
    extensions.math_dollars = extensions.wikilinks_title_after_pipe = extensions.cjk_friendly_emphasis = True
    # In a cloze `==` is a mark of its own, and a bare URL would swallow the `}}` after it.
    extensions.highlight = extensions.autolink = not clozes
    rendering = RenderOptions()
    rendering.unsafe_ = True  # unsafe HTML is removed afterwards, by a parser that sees what a browser sees
    rendering.hardbreaks = rendering.tasklist_classes = True
    return extensions, rendering


@cache
def _cleaner() -> "Cleaner":
    return build_cleaner(extra_attributes=_ATTRIBUTES, unformed_tags=_UNFORMED, classes=_CLASSES)


_QUOTE = re.compile(r"<blockquote>\s*|</blockquote>")
_CALLOUT_HEAD = re.compile(
    r"<p>\[!(?P<kind>[\w -]+)(?:\|[^\]\n]*)?\](?P<fold>[+-]?)[ \t]*+(?P<title>.*?)(?P<end><br>\n?|</p>\s*)"
)
# Obsidian has several names for one style.
_CALLOUT_STYLES = {
    "abstract": "info",
    "attention": "warning",
    "bug": "danger",
    "caution": "warning",
    "check": "success",
    "cite": "quote",
    "done": "success",
    "error": "danger",
    "fail": "danger",
    "failure": "danger",
    "faq": "question",
    "help": "question",
    "hint": "tip",
    "important": "tip",
    "missing": "danger",
    "summary": "info",
    "tldr": "info",
    "todo": "info",
}
_KNOWN_CALLOUT_STYLES = frozenset(_CALLOUT_STYLES.values()) | {"note", "example"}


def render_callouts(html: str) -> str:
    """Render callouts as boxes; other block quotes stay."""
    written: list[str] = []
    closers: list[str] = []
    at = 0
    while found := _QUOTE.search(html, at):
        written.append(html[at : found.start()])
        at = found.end()
        if found[0].startswith("</"):
            written.append(closers.pop() if closers else "</blockquote>")
            continue
        head = _CALLOUT_HEAD.match(html, at)
        opening, closer = _callout_box(head) if head else (found[0], "</blockquote>")
        written.append(opening)
        closers.append(closer)
        at = head.end() if head else at
    return "".join([*written, html[at:]])


def _callout_box(head: re.Match[str]) -> tuple[str, str]:
    kind = head["kind"].strip().lower()
    look = _CALLOUT_STYLES.get(kind, kind)
    style = f"callout callout-{look}" if look in _KNOWN_CALLOUT_STYLES else "callout callout-note"
    title = head["title"].strip() or kind.capitalize()
    rest = "<p>" if head["end"].startswith("<br>") else ""
    if head["fold"]:
        shown = " open" if head["fold"] == "+" else ""
        return f'<details class="{style}"{shown}><summary>{title}</summary>\n{rest}', "</details>"
    return f'<div class="{style}"><p class="callout-title">{title}</p>\n{rest}', "</div>"


_MAX_HIGHLIGHTED = 10_000
"""Longer code is not highlighted."""

_QUOTES = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
_STRINGS = {
    "quotes": _QUOTES,
    "long": r'"""[\s\S]*?(?:"""|\Z)|\'\'\'[\s\S]*?(?:\'\'\'|\Z)|' + _QUOTES,
    "backticks": _QUOTES + r"|`(?:\\.|[^`\\])*(?:`|\Z)",
    "rust": r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\\n])\'',  # a lifetime (`'a`) does not open a string
}
_COMMENTS = {
    "hash": r"(?<![\w$&{])#[^\n]*",
    "slashes": r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)",
    "dashes": r"--[^\n]*|/\*[\s\S]*?(?:\*/|\Z)",
}
_NUMBER = r"\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\w*"
_WORD = r"(?<!&)[^\W\d][\w$]*"  # but not the `lt` of `&lt;`


@dataclass(frozen=True)
class HighlightGrammar:
    """What to highlight in a language."""

    pattern: re.Pattern[str]
    keywords: frozenset[str]


def highlight_code(code: str, language: str) -> str:
    """Highlight code, which is escaped HTML text; an unknown language stays plain."""
    grammar = _grammars().get(language.lower())
    if grammar is None or len(code) > _MAX_HIGHLIGHTED:
        return code

    def mark(found: re.Match[str]) -> str:
        kind = found.lastgroup
        if kind == "word":
            called = "fn" if code.startswith("(", found.end()) else None
            kind = "kw" if found[0] in grammar.keywords else called
        return f'<span class="{kind}">{found[0]}</span>' if kind else found[0]

    return grammar.pattern.sub(mark, code)


@cache
def _grammars() -> dict[str, HighlightGrammar]:
    """Every grammar by each name of its language."""
    import tomllib

    languages = tomllib.loads(files("studium.anki").joinpath("languages.toml").read_text(encoding="utf-8"))
    return {
        each: grammar
        for name, written in languages.items()
        for grammar in [_grammar(written["comments"], written["strings"], written["words"].split())]
        for each in (name, *written.get("names", ()))
    }


def _grammar(comments: str, strings: str, words: list[str]) -> HighlightGrammar:
    kinds = {"cm": _COMMENTS[comments], "st": _STRINGS[strings], "nu": _NUMBER, "word": _WORD}
    pattern = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in kinds.items()))
    return HighlightGrammar(pattern, frozenset(words))
