r"""Find a quote in a text, exactly or ignoring typesetting.

    text   …a “well-\nknown” exam-\nple of ﬁne print…
    quote  "well-known" example of fine print      -> the span in the original text

Both are reduced to their *ink* (letters, digits and symbols in one normal form). Where the ink is equal, the gaps
(spaces, line ends, hyphens) must be compatible, and neither edge may cut a word or a number.
"""

import re
from array import array
from collections.abc import Callable, Iterator
from functools import cache, cached_property, lru_cache
from typing import NamedTuple
from unicodedata import category, decomposition, is_normalized, normalize

SINGLE_QUOTES = "'\u2018\u2019\u201a\u201b\u2032\u2039\u203a"
DOUBLE_QUOTES = '"\u201c\u201d\u201e\u201f\u2033\xab\xbb'
SOFT_HYPHEN = "\u00ad"
HYPHENS = "-\u2010\u2011"
DASHES = HYPHENS + "\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
ZERO_WIDTH = SOFT_HYPHEN + "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
LINE_ENDS = "\n\r\x0b\x0c\x85\u2028\u2029"

# Thai, Lao, Tibetan, Burmese, Khmer, kana, Han: scripts that put no space between words.
UNSPACED = (
    "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"
    "\u3005-\u3007\u3040-\u31ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)

LETTER = r"[^\W\d_]"
SPACED = rf"[^\W_{UNSPACED}]"
ELISIONS = "[cdjlmnstv]|qu|(?:jus|lors|puis|quoi)qu|un|gl|bell|sant|quest|quell|[dns]ell|all|sull|dall"
_QUOTE_MARKER = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_FOLDED = str.maketrans(
    dict.fromkeys(SINGLE_QUOTES, "'") | dict.fromkeys(DOUBLE_QUOTES, '"') | dict.fromkeys(DASHES, "-")
)
_NO_ZERO_WIDTH = str.maketrans(dict.fromkeys(ZERO_WIDTH))
_UNSPACED_PAIR = re.compile(f"[{UNSPACED}]{{2}}")
JOINER, GROUPING = "\u200d", "\xa0\u2009\u202f"
_WINDOW = 24


class Span(NamedTuple):
    """From `start` up to `end` in the original text."""

    start: int
    end: int


def locate(text: str, quote: str) -> Span | None:
    """The span of the quote in the text, or `None` if it is not there."""
    return Searchable(text).locate(quote)


class Searchable:
    """A text that caches its normal form, which only quotes that do not occur verbatim need."""

    def __init__(self, text: str) -> None:
        self.text = text

    def locate(self, quote: str) -> Span | None:
        """The span of the quote: verbatim, else normalised, else without Markdown's `> ` markers."""
        quote = quote.strip().strip(ZERO_WIDTH).strip()
        if not quote:
            return None
        if span := _verbatim(self.text, quote):
            return span
        wanted = _VisibleText(quote)
        return self._inked.find(wanted) or (self._unmarked.find(wanted) if self._unmarked else None)

    @cached_property
    def _inked(self) -> "_VisibleText":
        return _VisibleText(self.text)

    @cached_property
    def _unmarked(self) -> "_VisibleText | None":
        """The text with spaces for its block-quote markers, so positions stay; `None` if it has no markers."""
        blank = _QUOTE_MARKER.sub(lambda marker: " " * len(marker[0]), self.text)
        return _VisibleText(blank) if blank != self.text else None


def _verbatim(text: str, quote: str) -> Span | None:
    start = text.find(quote)
    while start >= 0:
        end = start + len(quote)
        if _stands_free(text, start, end):
            return Span(start, end)
        start = text.find(quote, start + 1)
    return None


class _VisibleText:
    """The ink of a text, and the start and end of each of its characters in the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts, self.ends = array("I"), array("I")
        pieces = []
        for piece, start, end in _pieces(text):
            pieces.append(piece)
            if len(piece) == end - start:
                self.starts.extend(range(start, end))
                self.ends.extend(range(start + 1, end + 1))
            else:
                self.starts.extend([start] * len(piece))
                self.ends.extend([end] * len(piece))
        self.ink = "".join(pieces)

    def find(self, wanted: "_VisibleText") -> Span | None:
        """The first place where ink, gaps and edges all match."""
        at = self.ink.find(wanted.ink) if wanted.ink else -1
        while at >= 0:
            span = Span(self.starts[at], self.ends[at + len(wanted.ink) - 1])
            if (
                self._whole_signs(at, at + len(wanted.ink))
                and _stands_free(self.text, *span)
                and self._same_gaps(at, wanted)
            ):
                return span
            at = self.ink.find(wanted.ink, at + 1)
        return None

    def _whole_signs(self, first: int, past: int) -> bool:
        """Whether a match neither starts nor ends inside one character of the text, as `f` would in `ﬁ`."""
        starts = self.starts
        return (first == 0 or starts[first] != starts[first - 1]) and (
            past == len(starts) or starts[past] != starts[past - 1]
        )

    def _same_gaps(self, at: int, wanted: "_VisibleText") -> bool:
        for k in range(1, len(wanted.ink)):
            mine, other = self.gap(at + k), wanted.gap(k)
            if mine != other:
                around = wanted.ink[k - 1 : k + 1]
                if _gap_readings(mine, around).isdisjoint(_gap_readings(other, around)):
                    return False
        return True

    def gap(self, at: int) -> str:
        """The gap in the text before a character of the ink: spaces, line ends, a hyphen."""
        return self.text[self.ends[at - 1] : self.starts[at]]


@lru_cache(maxsize=4096)
def _gap_readings(gap: str, around: str) -> frozenset[str]:
    """All possible meanings of the gap between two characters: nothing, a space, a hyphen."""
    visible = gap.translate(_NO_ZERO_WIDTH)
    dash = visible[:1] if visible[:1] in DASHES else ""
    space = " " if visible[len(dash) :] else ""
    readings = {"-" + space if dash else space}
    if any(char in LINE_ENDS for char in gap):
        if dash in HYPHENS and (dash or SOFT_HYPHEN in gap):
            readings |= {"-", ""}
        elif dash:
            readings.add("-")
        elif around[0] == "-" or _UNSPACED_PAIR.fullmatch(around):
            readings.add("")
    return frozenset(readings)


def _pieces(text: str) -> Iterator[tuple[str, int, int]]:
    """The pieces of a text between its gaps, in normal form, with their positions."""
    for match in _signs().finditer(text):
        if match.lastgroup == "plain":
            yield match[0], match.start(), match.end()
        elif match.lastgroup == "cluster":
            yield _normal(match[0]), match.start(), match.end()


@lru_cache(maxsize=4096)
def _normal(cluster: str) -> str:
    """One character with its marks in normal form; `10²` and `½` stay, since `102` and `1/2` differ from them."""
    kept = decomposition(cluster[0]).startswith(("<super>", "<sub>", "<fraction>", "<circle>"))
    folded = normalize("NFKC", cluster.translate(_FOLDED))
    return normalize("NFC", cluster) if kept or any(char.isspace() for char in folded) else folded


@cache
def _marks() -> str:
    """A character class of what belongs to the character before: combining marks, Hangul medials and finals."""
    jamo = "\u1160-\u11ff\ud7b0-\ud7fb"
    return jamo + "\uff9e\uff9f\U0001f3fb-\U0001f3ff" + _ranges(lambda char: category(char)[0] == "M")


@cache
def _signs() -> re.Pattern[str]:
    marks = _marks()
    special = set(SINGLE_QUOTES[1:] + DOUBLE_QUOTES[1:] + DASHES + ZERO_WIDTH)
    is_mark = re.compile(f"[{marks}]").match
    plain = _ranges(
        lambda char: is_normalized("NFKC", char) and not (char.isspace() or char in special or is_mark(char))
    )
    gap = rf"[\s{ZERO_WIDTH}]|(?<=[^\W\d_]|[{marks}])[{DASHES}](?=[\s{ZERO_WIDTH}]*{LETTER})"
    return re.compile(rf"(?P<plain>[{plain}]+(?![{marks}]))|(?P<gap>(?:{gap})+)|(?P<cluster>.[{marks}]*)", re.DOTALL)


def _ranges(belongs: Callable[[str], object]) -> str:
    """The characters that satisfy a test, as the ranges of a character class."""
    found: list[list[int]] = []
    for code in (*range(0x20000), *range(0x2F800, 0x2FA20), *range(0xE0100, 0xE01F0)):
        if belongs(chr(code)):
            if found and found[-1][1] == code - 1:
                found[-1][1] = code
            else:
                found.append([code, code])
    return "".join(f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in found)


def _stands_free(text: str, start: int, end: int) -> bool:
    """Whether a span cuts no word, number or character at either edge."""
    signed = text[start] in DASHES and text[start + 1 : start + 2].isdigit() and text[start - 1 : start].isalnum()
    return not (signed or _inside(text, start) or _inside(text, end))


def _inside(text: str, at: int) -> bool:
    """Whether a position is inside a word, a number or a character."""
    if at in (0, len(text)) or text[at] in " \n":
        return False
    left, right = text[at - 1], text[at]
    if left.isascii() and right.isascii() and left.isalnum() and right.isalnum():
        return True
    if left in ZERO_WIDTH or right in ZERO_WIDTH:
        return _inside_but_for_zero_width(text, at)
    if _cut_ahead().match(text, at):
        return True
    return right.isalnum() and not left.isalnum() and bool(_CUT_BEHIND.search(text[max(0, at - _WINDOW) : at]))


def _inside_but_for_zero_width(text: str, at: int) -> bool:
    left, right = text[max(0, at - _WINDOW) : at], text[at : at + _WINDOW]
    before, after = left.translate(_NO_ZERO_WIDTH), right.translate(_NO_ZERO_WIDTH)
    joined = left.endswith(JOINER) or right.startswith(JOINER)
    return (joined and category(before[-1:] or " ") == "So") or _inside(before + after, len(before))


@cache
def _cut_ahead() -> re.Pattern[str]:
    """A pattern for everything after a position that continues what is before it."""
    alnum, marks, mark = r"[^\W_]", _marks(), "['\u2019]"
    return re.compile(
        rf"""
          (?<={SPACED}){SPACED} | (?<=\d)\d                         # con|cat, 1|7
        | [{marks}]                                                # e and its accent
        | (?<={alnum})_+{alnum}                                    # snake|_case
        | (?<=\d)[.,'\u2019]\d | (?<=\d[.,'\u2019])\d             # 7|.5, 1,|700
        | (?<=\d)[{GROUPING}]\d{{3}}\b | (?<=\d[{GROUPING}])\d{{3}}\b
        | (?<=[-\u2212])(?<![\w)\]][-\u2212])\d                    # -|5
        | (?<={LETTER}){mark}(?!s\b){LETTER}                       # don|'t, but Ohm|'s
        | (?<={LETTER})[{HYPHENS}][ \t]*[{LINE_ENDS}][\s>]*{LETTER}  # exam|-⏎ple
        """,
        re.VERBOSE,
    )


# What joins a letter or digit to the text before it: snake_|case, exam-⏎|ple, don'|t but l'|eau.
_CUT_BEHIND = re.compile(
    rf"""[^\W_]_+\Z
    | (?<={LETTER})[{HYPHENS}][ \t]*[{LINE_ENDS}][\s>]*\Z
    | (?<!{LETTER})(?!(?i:{ELISIONS})['\u2019]\Z){LETTER}+['\u2019]\Z
    """,
    re.VERBOSE,
)
