"""The HTML of an Anki field: its tags, clozes, sounds and formulas, and its visible text."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import unescape
from typing import NamedTuple
from unicodedata import normalize

from studium.core.text.locate import UNSPACED

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


class HtmlTag(NamedTuple):
    """A parsed tag; `key` has its attributes in normal order and spelling."""

    name: str
    closing: bool
    key: str
    plain: bool


def visible_text(html: str) -> str:
    """The visible text: no tags, no sounds, clozes revealed, white space folded.

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


def find_tags(html: str) -> Iterator[HtmlTag]:
    """Every tag of a field, including those inside clozes and formulas."""
    return (parse_tag(found[0]) for found in _TAG.finditer(html))


def is_balanced(html: str) -> bool:
    """Whether every open tag is closed, in order."""
    opened: list[str] = []
    for tag in find_tags(html):
        if tag.closing:
            if not opened or opened.pop() != tag.name:
                return False
        elif tag.name not in VOID:
            opened.append(tag.name)
    return not opened


def cloze_spans(html: str) -> list[tuple[int, int]]:
    """The spans of all clozes in order, including nested ones as deep as Anki reads them."""
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
def parse_tag(text: str) -> HtmlTag:
    """Read a tag: `<IMG  src=a.png />` is `<img src="a.png">`."""
    closing = text.startswith("</")
    name, *rest = text[1 + closing : -1].split(None, 1)
    name = name.rstrip("/").lower()
    if closing or not rest:
        return HtmlTag(name, closing, f"</{name}>" if closing else f"<{name}>", plain=True)
    attributes = sorted({key.lower(): _value(key.lower(), value) for key, value in _ATTRIBUTE.findall(rest[0])}.items())
    spelled = "".join(f' {key}="{value}"' for key, value in attributes)
    return HtmlTag(name, closing, f"<{name}{spelled}>", plain=not spelled)


def _value(name: str, value: str) -> str:
    bare = normalize("NFC", unescape(value[1:-1] if value[:1] in ('"', "'") else value))
    if name == "style":
        bare = ";".join(
            re.sub(r"(?<!\s)\s*:\s*", ":", part.strip(), count=1) for part in bare.split(";") if part.strip()
        )
    return bare.replace("&", "&amp;").replace('"', "&quot;")


def _seen(html: str) -> Iterator[str]:
    """The text without tags and sounds: a block or a line break separates words, `<b>` does not."""
    is_seen = True
    for piece in split_html(html, clozes=False):
        if piece.kind == "tag":
            tag = parse_tag(piece.text)
            if tag.name in ("script", "style"):
                is_seen = tag.closing
            yield " " if tag.name in BLOCKS or tag.name == "br" else ""
        elif is_seen and piece.kind in ("text", "span"):
            yield piece.text


class HtmlPiece(NamedTuple):
    """A part of a field, by its kind: tag, comment, sound, span (a formula), cloze or text."""

    kind: str
    text: str


def split_html(html: str, *, clozes: bool) -> Iterator[HtmlPiece]:
    """Split a field into its tags, clozes, sounds and formulas, and the text between them."""
    ends = dict(cloze_spans(html)) if clozes and "{{c" in html else {}
    endless: set[str] = set()
    start = at = 0
    while special := _SPECIAL.search(html, at):
        at = _end(html, special, ends, endless)
        if at < 0:
            at = special.end()
            continue
        if start < special.start():
            yield HtmlPiece("text", html[start : special.start()])
        yield HtmlPiece(special.lastgroup or "", html[special.start() : at])
        start = at
    if start < len(html):
        yield HtmlPiece("text", html[start:])


def _end(html: str, special: re.Match[str], ends: dict[int, int], endless: set[str]) -> int:
    """The end of what starts here, or -1. `endless` caches the ends that do not exist."""
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


BREAK = "<br>"
_NOTHING_WHEN_EMPTY = frozenset({"b", "em", "font", "i", "s", "small", "span", "strong", "sub", "sup", "u"})
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});")
_SPACE = r"(?:[ \t\n\r\f\xa0]|&nbsp;)+"
_WORD = re.compile(
    rf"(?P<space>{_SPACE})|&(?:amp|lt|gt|#\d+);|[{UNSPACED}]"
    rf"|[^\s!-/:-@\[-^`{{-~{UNSPACED}]+|.",
    re.DOTALL,
)
_SPELLED = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
# As entities these are plain characters; written out they are syntax of Anki or HTML.
_SYNTAX = dict.fromkeys(_SPELLED) | dict.fromkeys("{}[]\\:()$")


class HtmlToken(NamedTuple):
    """A token of a field: the key that it is compared by, and its original text."""

    key: str
    text: str


def same_html(one: str, other: str) -> bool:
    """Whether two fields differ only in what Anki's editor changes by itself."""
    return one == other or token_keys(tokenize_html(one)) == token_keys(tokenize_html(other))


def tokenize_html(html: str) -> list[HtmlToken]:
    """The normal form of a field."""
    return _NormalForm().read(html)


def token_keys(found: Sequence[HtmlToken]) -> list[str]:
    """The keys of tokens."""
    return [token.key for token in found]


class _NormalForm:
    """Builds the normal form piece by piece.

    Lines that Anki wraps in `<div>` become lines that end in `<br>`: a plain `<div>` or `</div>` after some content
    ends the line, once something follows.
    """

    def __init__(self, *, in_pre: bool = False, nested: bool = False) -> None:
        self.tokens: list[HtmlToken] = []
        self._opened: dict[str, list[bool]] = {"div": [], "span": []}
        self._in_pre = int(in_pre)
        self._nested = nested
        self._line_is_empty = True
        self._line_ended = False

    def read(self, html: str) -> list[HtmlToken]:
        """Read a whole field."""
        for piece in split_html(html, clozes=not self._nested):
            match piece.kind:
                case "text":
                    self._text(piece.text)
                case "tag":
                    self._tag(parse_tag(piece.text), piece.text)
                case "cloze":
                    self._ink(HtmlToken(self._cloze_key(piece.text), piece.text))
                case _:
                    self._ink(HtmlToken(" ".join(_plain(piece.text).split()), piece.text))
        self._drop_space()
        while self.tokens and self.tokens[-1].key == BREAK:
            self.tokens.pop()
            self._drop_space()
        return self.tokens

    def _cloze_key(self, text: str) -> str:
        frame = text.index("::") + 2
        inside = _NormalForm(in_pre=bool(self._in_pre), nested=True).read(text[frame:-2])
        return "".join([text[:frame], *token_keys(inside), "}}"])

    def _text(self, text: str) -> None:
        for word in _WORD.finditer(_plain(text)):
            if word["space"]:
                self._space(word[0])
            else:
                self._ink(HtmlToken(_SPELLED.get(word[0], word[0]), word[0]))

    def _space(self, text: str) -> None:
        if self._in_pre:
            self.tokens.append(HtmlToken(re.sub("\r\n?", "\n", text.replace("&nbsp;", " ").replace("\xa0", " ")), text))
        elif not (self._line_is_empty or self._line_ended or self.tokens[-1].key == " "):
            self.tokens.append(HtmlToken(" ", text))
        elif self.tokens:
            self.tokens[-1] = HtmlToken(self.tokens[-1].key, self.tokens[-1].text + text)

    def _ink(self, token: HtmlToken) -> None:
        self._begin_line()
        self.tokens.append(token)
        self._line_is_empty = False

    def _tag(self, tag: HtmlTag, text: str) -> None:
        kept = self._is_kept(tag)
        if tag.name == "br":
            self._break(text)
        elif tag.name == "div" and not kept:
            self._drop_space()
            self._line_ended = self._line_ended or not self._line_is_empty
        elif tag.name in BLOCKS:
            self._block(tag, text)
        elif tag.name in VOID:
            self._ink(HtmlToken(tag.key, text))
        elif kept and not self._closes_nothing(tag):
            self._begin_line()
            self.tokens.append(HtmlToken(tag.key, text))

    def _is_kept(self, tag: HtmlTag) -> bool:
        """Whether a `div` or `span` matters: one without attributes does not, and neither does its end tag."""
        if tag.name not in self._opened:
            return True
        opened = self._opened[tag.name]
        if tag.closing:
            return bool(opened) and opened.pop()
        opened.append(not tag.plain)
        return not tag.plain

    def _break(self, text: str) -> None:
        if self._in_pre:
            self.tokens.append(HtmlToken("\n", text))
            return
        self._drop_space()
        self._begin_line()
        self.tokens.append(HtmlToken(BREAK, text))
        self._line_is_empty = True

    def _block(self, tag: HtmlTag, text: str) -> None:
        self._drop_space()
        if tag.closing and self.tokens and self.tokens[-1].key == BREAK:
            self.tokens.pop()
        self.tokens.append(HtmlToken(tag.key, text))
        self._line_is_empty, self._line_ended = True, False
        if tag.name == "pre":
            self._in_pre = max(0, self._in_pre + (-1 if tag.closing else 1))

    def _closes_nothing(self, tag: HtmlTag) -> bool:
        """Drop `<b>` if `</b>` follows immediately."""
        if not tag.closing or tag.name not in _NOTHING_WHEN_EMPTY or not self.tokens:
            return False
        last = self.tokens[-1].key
        if last != f"<{tag.name}>" and not last.startswith(f"<{tag.name} "):
            return False
        self.tokens.pop()
        return True

    def _begin_line(self) -> None:
        if self._line_ended:
            self.tokens.append(HtmlToken(BREAK, BREAK))
            self._line_ended, self._line_is_empty = False, True

    def _drop_space(self) -> None:
        if self.tokens and self.tokens[-1].key == " " and not self._in_pre:
            self.tokens.pop()


def _plain(text: str) -> str:
    """Text in NFC with its entities decoded, except those that would become syntax."""
    return normalize("NFC", _ENTITY.sub(_written_out, text) if "&" in text else text)


def _written_out(entity: re.Match[str]) -> str:
    char = unescape(entity[0])
    if char == "\xa0":
        return "&nbsp;"
    if char in _SYNTAX:
        return _SPELLED.get(char) or f"&#{ord(char)};"
    return char
