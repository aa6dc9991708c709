"""Callouts: `> [!tip]- Title` becomes a box with a title, which unfolds if it is written with `-` or `+`."""

import re

_QUOTE = re.compile(r"<blockquote>\s*|</blockquote>")
_HEAD = re.compile(
    r"<p>\[!(?P<kind>[\w -]+)(?:\|[^\]\n]*)?\](?P<fold>[+-]?)[ \t]*(?P<title>.*?)(?P<end><br>\n?|</p>\s*)"
)
# Obsidian has several names for one look.
_LOOKS = {
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
_KNOWN = frozenset(_LOOKS.values()) | {"note", "example"}


def with_callouts(html: str) -> str:
    """The HTML with its callouts as boxes; other block quotes stay as they are."""
    written: list[str] = []
    closers: list[str] = []
    at = 0
    while found := _QUOTE.search(html, at):
        written.append(html[at : found.start()])
        at = found.end()
        if found[0].startswith("</"):
            written.append(closers.pop() if closers else "</blockquote>")
            continue
        head = _HEAD.match(html, at)
        opening, closer = _box(head) if head else (found[0], "</blockquote>")
        written.append(opening)
        closers.append(closer)
        at = head.end() if head else at
    return "".join([*written, html[at:]])


def _box(head: re.Match[str]) -> tuple[str, str]:
    kind = head["kind"].strip().lower()
    look = _LOOKS.get(kind, kind)
    style = f"callout callout-{look}" if look in _KNOWN else "callout callout-note"
    title = head["title"].strip() or kind.capitalize()
    rest = "<p>" if head["end"].startswith("<br>") else ""
    if head["fold"]:
        shown = " open" if head["fold"] == "+" else ""
        return f'<details class="{style}"{shown}><summary>{title}</summary>\n{rest}', "</details>"
    return f'<div class="{style}"><p class="callout-title">{title}</p>\n{rest}', "</div>"
