"""The HTML of an Anki field: its tags, clozes, sounds and formulas, and what a person reads of it."""

import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from typing import NamedTuple
from unicodedata import normalize

VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
BLOCKS = frozenset(
    re.findall(
        r"\w+",
        """address article aside blockquote center dd details dialog div dl dt fieldset figcaption figure footer form
        h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul""",
    )
)
_TAG = re.compile(r"""</?[a-zA-Z](?:[^<>"']|"[^"]*"|'[^']*')*+>""")
_SPECIAL = re.compile(
    rf"""(?P<comment><!--)
      | (?P<tag>{_TAG.pattern})
      | (?P<sound>\[sound:[^\]<\n]{{1,400}}+\])
      | (?P<span>\\\(|\\\[|\[\$\$?\]|\[latex\])
      | (?P<cloze>\{{\{{c[\d,]+::)
    """,
    re.VERBOSE,
)
_ENDS = {"<!--": "-->", "\\(": "\\)", "\\[": "\\]", "[$]": "[/$]", "[$$]": "[/$$]", "[latex]": "[/latex]"}
_DEEPEST_CLOZE = 8
_CLOZE_EDGE = re.compile(r"\{\{c[\d,]+::|\}\}")
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?""")
_CLOZE_FRAME = re.compile(r"\{\{c[\d,]+::|(?:::[^{}:]*+)?\}\}")


class Tag(NamedTuple):
    """A tag as it is read: `key` has its attributes in one order and one spelling."""

    name: str
    closing: bool
    key: str
    plain: bool


def visible_text(html: str) -> str:
    """What a person reads: no tags, no sounds, clozes uncovered, white space folded.

    >>> visible_text("<p>Paris is the {{c1::capital::role}} of&nbsp;<b>France</b></p>")
    'Paris is the capital of France'
    """
    if "{{c" in html:
        html = _CLOZE_FRAME.sub("", html)
    if "<" in html or "[sound:" in html:
        html = "".join(_seen(html))
    if "&" in html:
        html = unescape(html)
    return " ".join(normalize("NFC", html).split())


def tags(html: str) -> Iterator[Tag]:
    """Every tag of a field, those inside clozes and formulas too."""
    return (read_tag(found[0]) for found in _TAG.finditer(html))


def is_balanced(html: str) -> bool:
    """Whether every tag that is opened is closed, in order."""
    opened: list[str] = []
    for tag in tags(html):
        if tag.closing:
            if not opened or opened.pop() != tag.name:
                return False
        elif tag.name not in VOID:
            opened.append(tag.name)
    return not opened


def cloze_spans(html: str) -> list[tuple[int, int]]:
    """Where each cloze begins and ends, in order: nested ones too, as deep as Anki reads them."""
    opened: list[int] = []
    spans: list[tuple[int, int]] = []
    for edge in _CLOZE_EDGE.finditer(html):
        if edge[0] != "}}":
            opened.append(edge.start())
        elif opened:
            start = opened.pop()
            if len(opened) < _DEEPEST_CLOZE:
                spans.append((start, edge.end()))
    return sorted(spans)


@lru_cache(maxsize=4096)
def read_tag(text: str) -> Tag:
    """Read a tag: `<IMG  src=a.png />` is `<img src="a.png">`."""
    closing = text.startswith("</")
    name, *rest = text[1 + closing : -1].split(None, 1)
    name = name.rstrip("/").lower()
    if closing or not rest:
        return Tag(name, closing, f"</{name}>" if closing else f"<{name}>", plain=True)
    attributes = sorted({key.lower(): _value(key.lower(), value) for key, value in _ATTRIBUTE.findall(rest[0])}.items())
    spelled = "".join(f' {key}="{value}"' for key, value in attributes)
    return Tag(name, closing, f"<{name}{spelled}>", plain=not spelled)


def _value(name: str, value: str) -> str:
    bare = normalize("NFC", unescape(value[1:-1] if value[:1] in ('"', "'") else value))
    if name == "style":
        bare = ";".join(re.sub(r"\s*:\s*", ":", part.strip(), count=1) for part in bare.split(";") if part.strip())
    return bare.replace("&", "&amp;").replace('"', "&quot;")


def _seen(html: str) -> Iterator[str]:
    """What is left without tags and sounds: a block or a line's end parts words, `<b>` does not."""
    is_seen = True
    for piece in pieces(html, clozes=False):
        if piece.kind == "tag":
            tag = read_tag(piece.text)
            if tag.name in ("script", "style"):
                is_seen = tag.closing
            yield " " if tag.name in BLOCKS or tag.name == "br" else ""
        elif is_seen and piece.kind in ("text", "span"):
            yield piece.text


class Piece(NamedTuple):
    """A part of a field, by its kind: tag, comment, sound, span (a formula), cloze or text."""

    kind: str
    text: str


def pieces(html: str, *, clozes: bool) -> Iterator[Piece]:
    """Cut a field into its tags, clozes, sounds and formulas, and the text between them."""
    ends = dict(cloze_spans(html)) if clozes and "{{c" in html else {}
    endless: set[str] = set()
    start = at = 0
    while special := _SPECIAL.search(html, at):
        at = _end(html, special, ends, endless)
        if at < 0:
            at = special.end()
            continue
        if start < special.start():
            yield Piece("text", html[start : special.start()])
        yield Piece(special.lastgroup or "", html[special.start() : at])
        start = at
    if start < len(html):
        yield Piece("text", html[start:])


def _end(html: str, special: re.Match[str], ends: dict[int, int], endless: set[str]) -> int:
    """Where what begins here ends; -1 if it never does. `endless` spares looking for the same end again and again."""
    if special.lastgroup == "cloze":
        return ends.get(special.start(), -1)
    if special[0] not in _ENDS:
        return special.end()
    closer = _ENDS[special[0]]
    found = -1 if closer in endless else html.find(closer, special.end())
    if found < 0:
        endless.add(closer)
        return -1
    return found + len(closer)
