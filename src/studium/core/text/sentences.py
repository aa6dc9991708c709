"""Split prose in any language into sentences.

"It uses TCP, e.g. port 179. It is slow."  →  "It uses TCP, e.g. port 179." · "It is slow."

The point of an abbreviation, an initial, an ordinal or a list number ends none; a blank line always does.
"""

import re
from collections.abc import Iterator
from functools import cache

from studium.core.text.normal_form import blank_quote_marks, mask_markdown
from studium.core.text.word_lists import load_word_sections

CJK_END_MARKS = "\u3002\uff01\uff1f\uff61"

_CLOSING = "\"'\xbb\u203a\u201d\u2019\u201c)\\]*_}"
_NOTE = r"\[\^?\w{1,4}\]|[\xb9\xb2\xb3\u2070-\u2079]"
_CJK_CLOSING = "\u300d\u300f\uff09\u3011\u201d\u2019)"
# The look-ahead keeps the search fast: it skips nearly all characters.
_END = re.compile(
    rf"(?=[.!?\u2026\n{CJK_END_MARKS}])(?:"
    rf"(?P<mark>(?<![.!?\u2026])[.!?\u2026]++)(?P<closing>(?:{_NOTE}|[{_CLOSING}])*+)\s++(?=\S)"
    rf"|(?<![{CJK_END_MARKS}])[{CJK_END_MARKS}]++(?:[{_CJK_CLOSING}]++(?![\u3068\u3063\u306e\u3001\u306f\u304c\u3092\u306b\u3082]))?"
    rf"(?![{_CJK_CLOSING}])\s*+(?=\S)"
    r"|\n[^\S\n]*+\n\s*+)"
)
_BLOCK = re.compile(r"\n(?=[ \t]*(?:[-*+•]|#{1,6}|\|)[ \t])|^[ \t]*#{1,6}[ \t][^\n]*\n", re.MULTILINE)
_ITEM = re.compile(r"\n(?=[ \t]*(?:[-*+•]|#{1,6}|\||\d{1,3}[.)])[ \t])|^[ \t]*#{1,6}[ \t][^\n]*\n", re.MULTILINE)
_FIRST_ITEM = re.compile(r"^[ \t]*[01][.)][ \t]", re.MULTILINE)
_OPENING = "\"'\xab\u2039\u201c\u201e\u2018([*_{\xbf\xa1\u2014\u2013-"
_BEFORE_WORD = re.compile(r"[\s(\"'\u201c\u201e\xab\u2018\[*_\xbf\xa1\u2014\u2013/\uff08\u300c\u300e]")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.-?)+[^\W\d_]{1,3}")
_CHAINED = re.compile(r"(?:^|[\s(])[^\W\d_]{1,2}\.\s?\Z")
_NUMBER_AHEAD = re.compile(r"[([#]?(?:\d|[IVXLC]+\b|[A-Z]\b)")
_WORD_AHEAD = re.compile(r"[^\W\d_]+")
_ORDINAL = re.compile(r"\d{1,3}|[IVX]{2,5}")
_SHORTENED_AHEAD = re.compile(r"[^\W\d_]{1,3}\.")
_STARTING = frozenset("`!$[")
_SHORT = 3
_LONGEST = 24

Span = tuple[int, int]


def split_sentences(
    text: str,
    language: str | None = None,
    *,
    markdown: bool = False,
    any_start: bool = False,
    keep_spaces: bool = False,
) -> list[str]:
    """The sentences of a text in order, without surrounding spaces; see `sentence_spans` for the parameters.

    With `keep_spaces`, joining them gives the original text.
    """
    pieces = [text[start:end] for start, end in sentence_spans(text, language, markdown=markdown, any_start=any_start)]
    return pieces if keep_spaces else [said for piece in pieces if (said := piece.strip())]


def sentence_spans(
    text: str, language: str | None = None, *, markdown: bool = False, any_start: bool = False
) -> list[Span]:
    """The span of each sentence with the space after it; together they cover the whole text.

    In `markdown`, code, formulas and link targets end no sentence, and every item, heading and table row starts one.
    With `any_start` a sentence may start with a lower-case letter, as in chat messages.
    """
    shown = blank_quote_marks(mask_markdown(text)) if markdown else text
    ends = list(_Reader(shown, language, any_start=any_start).ends())
    if markdown:
        items = _ITEM if _FIRST_ITEM.search(shown) else _BLOCK
        if ">" in text:
            ends = [_before_quote_marks(text, end) for end in ends]
        ends = sorted({*ends, *(found.end() for found in items.finditer(shown))})
    spans: list[Span] = []
    start = 0
    for end in ends:
        if shown[start:end].strip():
            spans.append((start, end))
            start = end
    if shown[start:].strip() or not spans:
        spans.append((start, len(text)))
    else:
        spans[-1] = (spans[-1][0], len(text))
    return spans if text else []


def first_sentence(text: str, language: str | None = None, *, markdown: bool = False) -> str:
    """The first sentence of a text; empty if it has none."""
    return next(iter(split_sentences(text, language, markdown=markdown)), "")


def leading_sentences(text: str, limit: int, language: str | None = None, *, markdown: bool = False) -> str:
    """As many whole sentences from the start of a text as fit into a number of characters."""
    fitting = 0
    for _, end in sentence_spans(text, language, markdown=markdown):
        if len(text[:end].rstrip()) > limit:
            break
        fitting = end
    return text[:fitting].rstrip()


def _before_quote_marks(text: str, end: int) -> int:
    """The end of a sentence, or the start of its line if only Markdown's `> ` is before it."""
    line = text.rfind("\n", 0, end) + 1
    while line and ">" in text[line:end] and not text[line:end].strip("> \t\n"):
        end, line = line, text.rfind("\n", 0, line - 1) + 1
    return end


class _Reader:
    """Finds the ends of the sentences of a text."""

    def __init__(self, text: str, language: str | None, *, any_start: bool) -> None:
        self.text = text
        self.language = language
        self.any_start = any_start
        self.start = 0
        self.is_numbered = bool(_FIRST_ITEM.search(text))

    def ends(self) -> Iterator[int]:
        """The position after each sentence and the space that follows it."""
        for found in _END.finditer(self.text):
            if found["mark"] is None or self._is_end(found):
                self.start = found.end()
                yield self.start

    def _is_end(self, found: re.Match[str]) -> bool:
        """Whether a mark ends a sentence, by the text before and after it."""
        text, after = self.text, found.end()
        if text.count("\n", found.end("closing"), after) > 1:
            return True
        while text[after] in _OPENING and after + 1 < len(text):
            after += 1
        begins = text[after]
        if not self.any_start and (
            begins.islower() or not (begins.isalnum() or begins in _STARTING or begins > "\u2000")
        ):
            return False
        return found["mark"] != "." or not self._goes_on(found.start(), after, is_closed=bool(found["closing"]))

    def _goes_on(self, point: int, after: int, *, is_closed: bool) -> bool:
        """Whether the sentence continues after this point."""
        window = self.text[max(self.start, point - _LONGEST) : point]
        word = _BEFORE_WORD.split(window)[-1]
        if not word or (len(word) > _longest_listed() and word.isalpha()):
            return False
        before = window[: -len(word)]
        if _ORDINAL.fullmatch(word):
            return (len(word) <= _SHORT and self._stands_first(before)) or self._is_ordinal(after)
        if len(word) == 1 and word.isalpha():
            return not is_closed and self._letter_goes_on(word, before, after)
        return self._abbreviation_goes_on(word, before, after)

    def _abbreviation_goes_on(self, word: str, before: str, after: int) -> bool:
        never_end, before_number, may_end = _abbreviations()
        # `An elected DR. It …`: an acronym in capitals is not a title.
        folded = word if word.isupper() else word.casefold()
        if folded in never_end or word in never_end:
            return True
        if folded in before_number and _NUMBER_AHEAD.match(self.text, after):
            return True
        is_part = len(word) <= _SHORT and word.islower() and _CHAINED.search(before)
        return bool(folded in may_end or is_part or _DOTTED.fullmatch(word)) and not self._starts_sentence(after)

    def _letter_goes_on(self, letter: str, before: str, after: int) -> bool:
        """Whether a letter is an initial (`J. Doe`), numbers a list (`a. One`), or is part of a word (`z. B.`)."""
        if self._stands_first(before):
            return True
        if letter.isupper():
            return not before.endswith("°") and not self._starts_sentence(after, particles=False)
        if _SHORTENED_AHEAD.match(self.text, after) or self.text[after].isdigit():
            return True
        is_known = letter in _abbreviations()[2] or bool(_CHAINED.search(before))
        return is_known and not self._starts_sentence(after)

    def _is_ordinal(self, after: int) -> bool:
        """Whether the sentence continues after a number with a point: `am 3. Oktober`."""
        ahead = _WORD_AHEAD.match(self.text, after)
        if ahead is None or ahead[0] in _lists()["after_ordinal"]:
            return ahead is not None
        return self.language == "de" and not self._starts_sentence(after)

    def _starts_sentence(self, at: int, *, particles: bool = True) -> bool:
        """Whether a word that can start a sentence is here; a particle of a name (`von`) cannot."""
        ahead = _WORD_AHEAD.match(self.text, at)
        if ahead is None or not ahead[0][0].isupper() or self.text[ahead.end() : ahead.end() + 1] == ".":
            return False
        word, lists = ahead[0].casefold(), _lists()
        return word in lists["starters"] and (particles or word not in lists["particles"])

    def _stands_first(self, before: str) -> bool:
        """Whether a number here starts a sentence or a line of a numbered text, so that it numbers what follows."""
        said = before.rstrip(" \t(*_")
        return not said.strip() or (self.is_numbered and said.endswith("\n"))


@cache
def _abbreviations() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    lists = _lists()
    return lists["never_end"], lists["before_number"], lists["may_end"]


@cache
def _longest_listed() -> int:
    return max(len(word) for listed in _abbreviations() for word in listed)


@cache
def _lists() -> dict[str, frozenset[str]]:
    return load_word_sections(__package__, "data/abbreviations.txt")
