"""The HTML of an Anki field in a normal form, so that what Anki's editor changes by itself is no change.

    a<div>b&nbsp;</div>   and   a<br />b   are the same to a person, and have the same keys here

A field is cut into tokens that are never split: a tag, a word, a cloze `{{c1::…}}`, a `[sound:…]`, a formula. Each has
the key it is compared by and the text as it stands in the field.
"""

import re
from collections.abc import Sequence
from html import unescape
from typing import NamedTuple
from unicodedata import normalize

from studium.domain.locating import UNSPACED
from studium.domain.markup import BLOCKS, VOID, Tag, pieces, read_tag

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
# Written as entities these are mere signs; written out they are the syntax of Anki or of HTML.
_SYNTAX = dict.fromkeys(_SPELLED) | dict.fromkeys("{}[]\\:()$")


class Token(NamedTuple):
    """What belongs together in a field: the key it is compared by, and the text as it stands."""

    key: str
    text: str


def same_html(one: str, other: str) -> bool:
    """Whether two fields differ in nothing but what Anki's editor changes by itself."""
    return one == other or keys(tokens(one)) == keys(tokens(other))


def tokens(html: str) -> list[Token]:
    """The normal form of a field."""
    return _NormalForm().read(html)


def keys(found: Sequence[Token]) -> list[str]:
    """What tokens are compared by."""
    return [token.key for token in found]


class _NormalForm:
    """Builds the normal form piece by piece.

    Lines that Anki wraps in `<div>` become lines that end in `<br>`: a plain `<div>` or `</div>` after some content
    ends the line, once something follows.
    """

    def __init__(self, *, in_pre: bool = False, nested: bool = False) -> None:
        self.tokens: list[Token] = []
        self._opened: dict[str, list[bool]] = {"div": [], "span": []}
        self._in_pre = int(in_pre)
        self._nested = nested
        self._line_is_empty = True
        self._line_ended = False

    def read(self, html: str) -> list[Token]:
        """Read a whole field."""
        for piece in pieces(html, clozes=not self._nested):
            match piece.kind:
                case "text":
                    self._text(piece.text)
                case "tag":
                    self._tag(read_tag(piece.text), piece.text)
                case "cloze":
                    self._ink(Token(self._cloze_key(piece.text), piece.text))
                case _:
                    self._ink(Token(" ".join(_plain(piece.text).split()), piece.text))
        self._drop_space()
        while self.tokens and self.tokens[-1].key == BREAK:
            self.tokens.pop()
            self._drop_space()
        return self.tokens

    def _cloze_key(self, text: str) -> str:
        frame = text.index("::") + 2
        inside = _NormalForm(in_pre=bool(self._in_pre), nested=True).read(text[frame:-2])
        return "".join([text[:frame], *keys(inside), "}}"])

    def _text(self, text: str) -> None:
        for word in _WORD.finditer(_plain(text)):
            if word["space"]:
                self._space(word[0])
            else:
                self._ink(Token(_SPELLED.get(word[0], word[0]), word[0]))

    def _space(self, text: str) -> None:
        if self._in_pre:
            self.tokens.append(Token(re.sub("\r\n?", "\n", text.replace("&nbsp;", " ").replace("\xa0", " ")), text))
        elif not (self._line_is_empty or self._line_ended or self.tokens[-1].key == " "):
            self.tokens.append(Token(" ", text))
        elif self.tokens:
            self.tokens[-1] = Token(self.tokens[-1].key, self.tokens[-1].text + text)

    def _ink(self, token: Token) -> None:
        self._begin_line()
        self.tokens.append(token)
        self._line_is_empty = False

    def _tag(self, tag: Tag, text: str) -> None:
        kept = self._is_kept(tag)
        if tag.name == "br":
            self._break(text)
        elif tag.name == "div" and not kept:
            self._drop_space()
            self._line_ended = self._line_ended or not self._line_is_empty
        elif tag.name in BLOCKS:
            self._block(tag, text)
        elif tag.name in VOID:
            self._ink(Token(tag.key, text))
        elif kept and not self._closes_nothing(tag):
            self._begin_line()
            self.tokens.append(Token(tag.key, text))

    def _is_kept(self, tag: Tag) -> bool:
        """Whether a `div` or `span` says something: one without attributes does not, nor does what closes it."""
        if tag.name not in self._opened:
            return True
        opened = self._opened[tag.name]
        if tag.closing:
            return bool(opened) and opened.pop()
        opened.append(not tag.plain)
        return not tag.plain

    def _break(self, text: str) -> None:
        if self._in_pre:
            self.tokens.append(Token("\n", text))
            return
        self._drop_space()
        self._begin_line()
        self.tokens.append(Token(BREAK, text))
        self._line_is_empty = True

    def _block(self, tag: Tag, text: str) -> None:
        self._drop_space()
        if tag.closing and self.tokens and self.tokens[-1].key == BREAK:
            self.tokens.pop()
        self.tokens.append(Token(tag.key, text))
        self._line_is_empty, self._line_ended = True, False
        if tag.name == "pre":
            self._in_pre = max(0, self._in_pre + (-1 if tag.closing else 1))

    def _closes_nothing(self, tag: Tag) -> bool:
        """Take back `<b>` when `</b>` follows at once."""
        if not tag.closing or tag.name not in _NOTHING_WHEN_EMPTY or not self.tokens:
            return False
        last = self.tokens[-1].key
        if last != f"<{tag.name}>" and not last.startswith(f"<{tag.name} "):
            return False
        self.tokens.pop()
        return True

    def _begin_line(self) -> None:
        if self._line_ended:
            self.tokens.append(Token(BREAK, BREAK))
            self._line_ended, self._line_is_empty = False, True

    def _drop_space(self) -> None:
        if self.tokens and self.tokens[-1].key == " " and not self._in_pre:
            self.tokens.pop()


def _plain(text: str) -> str:
    """Text with its entities written out, but for those that would become syntax, in NFC."""
    return normalize("NFC", _ENTITY.sub(_written_out, text) if "&" in text else text)


def _written_out(entity: re.Match[str]) -> str:
    char = unescape(entity[0])
    if char == "\xa0":
        return "&nbsp;"
    if char in _SYNTAX:
        return _SPELLED.get(char) or f"&#{ord(char)};"
    return char
