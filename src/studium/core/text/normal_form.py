"""Texts as they are compared, ignoring case, accents and spaces; and Markdown as plain text.

Stored keys are made elsewhere, so that they never change.
"""

import re
from functools import lru_cache
from unicodedata import normalize

from studium.core.text.locate import DASHES, DOUBLE_QUOTES, SINGLE_QUOTES, ZERO_WIDTH

_TYPED = str.maketrans(
    dict.fromkeys(SINGLE_QUOTES, "'")
    | dict.fromkeys(DOUBLE_QUOTES, '"')
    | dict.fromkeys(DASHES, "-")
    | dict.fromkeys(ZERO_WIDTH)
)
_OWN_LETTERS = "йїґў"


class _Bare(dict[int, str]):
    """Each character without its accents; each is looked up once."""

    def __missing__(self, code: int) -> str:
        sign = chr(code)
        parts = normalize("NFD", sign)
        is_accented = len(parts) > 1 and all("\u0300" <= mark <= "\u036f" for mark in parts[1:])
        bare = parts[0] if is_accented and sign.lower() not in _OWN_LETTERS else sign
        self[code] = "" if "\u0300" <= sign <= "\u036f" else bare
        return self[code]


_BARE = _Bare()


def fold(text: str, *, accents: bool = True, marks: bool = True) -> str:
    """A text in lower case and Unicode normal form, with single spaces.

    Without `accents`, `É` is `e`; without `marks`, quotation marks and dashes are in ASCII.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    plain = text if marks else text.translate(_TYPED)
    # What is folded may decompose again: `ǰ`, or the Turkish `İ`.
    folded = normalize("NFKC", normalize("NFKC", plain).casefold())
    return " ".join((folded if accents else strip_accents(folded)).split())


def strip_accents(text: str) -> str:
    """A text without accents; separate letters (`й`, `ї`, `が`) stay."""
    return text if text.isascii() else normalize("NFC", text).translate(_BARE)


@lru_cache(maxsize=10_000)
def fold_to_letters(text: str) -> str:
    """Only the letters and digits of a text, in lower case: `O'Brien, J.` and `obrien j` are equal."""
    return "".join(filter(str.isalnum, fold(text)))


def collapse_spaces(text: str) -> str:
    """A text on one line with single spaces."""
    return " ".join(text.split())


_CODE = (
    r"(?<![`~])(?P<fence>`{3,}+|~{3,}+)[^`\n]*+(?:\n(?:.*?\n)??[ \t>]*(?P=fence)[`~]*|\n.*\Z)"
    r"|(?<!`)(?P<ticks>`++).{0,2000}?(?<!`)(?P=ticks)(?!`)"
)
# Every alternative has a length limit, so that no text takes long.
_HIDDEN = re.compile(
    rf"(?=[`~$<%\]\[])(?:{_CODE}|\$\$.{{1,2000}}?\$\$|\$(?=[^\s$])[^$\n]{{1,500}}(?<=\S)\$(?!\d)|<!--.{{0,2000}}?-->|%%.{{0,2000}}?%%"
    r"|\]\([^)\s]{0,2000}+(?:\s\"[^\"\n]{0,500}+\")?\)|\[\[[^\]\n]{1,300}\]\]|<[/a-zA-Z][^<>\n]{0,300}>)",
    re.DOTALL,
)
_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_LINE_MARK = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|(?:[-*+•]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*+(?:(?:[-*_=][ \t]*+){3,}+|\|?[ \t]*+:?-{2,}+:?[ \t|:-]*+)$", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,}).*$", re.MULTILINE)
_INLINE = (
    ("](", re.compile(r"!\[[^\]\n]{0,1000}\]\([^)\n]{0,2000}\)"), ""),
    ("[[", re.compile(r"!\[\[[^\]\n]{0,1000}\]\]"), ""),
    ("[[", re.compile(r"\[\[(?:[^\]|\n]{0,500}\|)?([^\]|\n]{0,500})\]\]"), r"\1"),
    ("](", re.compile(r"\[([^\]\n]{0,1000})\]\([^)\n]{0,2000}\)"), r"\1"),
    ("[^", re.compile(r"\[\^[^\]\s]{1,40}\]:?"), ""),
    ("`", re.compile(r"(?<!`)(`++)([^`]+)\1"), r"\2"),
    ("**", re.compile(r"\*\*(?=\S)(.{1,1000}?)(?<=\S)\*\*"), r"\1"),
    ("__", re.compile(r"(?<!\w)__(?=\S)(.{1,1000}?)(?<=\S)__(?!\w)"), r"\1"),
    ("*", re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])"), r"\1"),
    ("_", re.compile(r"(?<![\w_])_(?=\S)([^_\n]+?)(?<=\S)_(?![\w_])"), r"\1"),
    ("~~", re.compile(r"~~(?=\S)(.{1,1000}?)(?<=\S)~~"), r"\1"),
    ("==", re.compile(r"==(?=\S)(.{1,1000}?)(?<=\S)=="), r"\1"),
    ("<", re.compile(r"<!--.{0,5000}?-->|</?[a-zA-Z][^<>]{0,300}>", re.DOTALL), ""),
    ("%%", re.compile(r"%%.{0,5000}?%%", re.DOTALL), ""),
    ("\\", re.compile(r"\\(?=[^\w\s])"), ""),
)


def mask_markdown(text: str, mask: str = "X") -> str:
    """The text with code, formulas, comments, tags and link targets masked; positions stay the same."""
    if not any(sign in text for sign in ("`", "~~~", "$", "](", "[[", "<", "%%")):
        return text
    return _HIDDEN.sub(lambda found: mask * len(found[0]), text)


def blank_quote_marks(text: str) -> str:
    """The text with Markdown's `> ` markers replaced by spaces; positions stay the same."""
    return _QUOTED.sub(lambda found: " " * len(found[0]), text) if ">" in text else text


def markdown_to_text(markdown: str, *, one_line: bool = False) -> str:
    """A Markdown text without its markup; of links and code the text stays, pictures and comments are dropped.

    Line breaks stay unless the text is wanted on one line.
    """
    text = _QUOTED.sub("", markdown) if ">" in markdown else markdown
    text = _LINE_MARK.sub("", _FENCE.sub("", _RULE.sub("", text)))
    for sign, pattern, kept in _INLINE:
        if sign in text:
            text = pattern.sub(kept, text)
    return " ".join(text.split()) if one_line else text.strip()
