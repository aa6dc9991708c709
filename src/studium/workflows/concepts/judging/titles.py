"""Titles: what is left of one when marks and control signs are taken away."""

import re
import unicodedata
from html import unescape

LONGEST_TITLE = 120

_MARKS = (
    (re.compile(r"!?\[\[(?:[^\]|]*\|)?([^\]|]+)\]\]"), r"\1"),
    (re.compile(r"!?\[([^\]]+)\]\([^)]*\)"), r"\1"),
    (re.compile(r"</?[a-zA-Z][^<>]*>"), ""),
    (re.compile(r"(\*\*|__|~~|==)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<!\w)([*_])(?=\S)([^*_]+?)(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"`+([^`]+)`+"), r"\1"),
    (re.compile(r"^\s*(?:#{1,6}\s+|>\s*|[-*+•]\s+)+"), ""),
)
_JOINERS = "\u200c\u200d"  # part of some scripts' words and of some pictures


def plain_title(title: str) -> str:
    """A title without Markdown, HTML, control signs and needless space."""
    signs = (_sign(sign) for sign in title)
    plain = unescape("".join(signs)) if re.search(r"&(?:[a-zA-Z]+|#\d+);", title) else "".join(signs)
    for pattern, kept in _MARKS:
        plain = pattern.sub(kept, plain)
    return " ".join(plain.split())


def short_title(title: str) -> str:
    """A title of no more than the longest length, cut after a word."""
    if len(title) <= LONGEST_TITLE:
        return title
    cut = title[:LONGEST_TITLE]
    at_word = cut.rsplit(maxsplit=1)[0] if " " in cut.strip() else cut[:-1]
    return at_word.rstrip(" ,;:.–—-") + "…"


def _sign(sign: str) -> str:
    kind = unicodedata.category(sign)
    if kind == "Cc" or sign in "\u2028\u2029":
        return " " if sign.isspace() else ""
    return "" if kind == "Cf" and sign not in _JOINERS else sign
