"""Finds bad titles and texts, and titles that join two ideas."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from typing import NamedTuple

from studium.concepts.rules.content_words import (
    content_words,
    fold_text,
    in_quote_marks,
    language_of,
    word_list,
    word_lists,
    words_of,
)
from studium.concepts.skills import ConceptView, CritiqueInput, Remark
from studium.core.text.sentences import split_sentences
from studium.core.text.stems import stem
from studium.core.text.stop_words import stop_words

MAX_TITLE = 120

_MARKS = (
    (re.compile(r"!?\[\[(?:[^\]|]{0,500}\|)?([^\]|]{1,500})\]\]"), r"\1"),
    (re.compile(r"!?\[([^\]]{1,500})\]\([^)]{0,1000}\)"), r"\1"),
    (re.compile(r"</?[a-zA-Z][^<>]*>"), ""),
    (re.compile(r"(\*\*|__|~~|==)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<!\w)([*_])(?=\S)([^*_]+?)(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"(?<!`)`++([^`]+)`+"), r"\1"),
    (re.compile(r"^\s*(?:#{1,6}\s+|>\s*|[-*+•]\s+)+"), ""),
)
_JOINERS = "\u200c\u200d"  # part of some scripts' words and of some pictures


def strip_title_markup(title: str) -> str:
    """A title without Markdown, HTML, control characters and extra spaces."""
    signs = (_sign(sign) for sign in title)
    plain = unescape("".join(signs)) if re.search(r"&(?:[a-zA-Z]+|#\d+);", title) else "".join(signs)
    for pattern, kept in _MARKS:
        plain = pattern.sub(kept, plain)
    return " ".join(plain.split())


def truncate_title(title: str) -> str:
    """A title of no more than the longest length, cut after a word."""
    if len(title) <= MAX_TITLE:
        return title
    cut = title[:MAX_TITLE]
    at_word = cut.rsplit(maxsplit=1)[0] if " " in cut.strip() else cut[:-1]
    return at_word.rstrip(" ,;:.–—-") + "…"


def _sign(sign: str) -> str:
    kind = unicodedata.category(sign)
    if kind == "Cc" or sign in "\u2028\u2029":
        return " " if sign.isspace() else ""
    return "" if kind == "Cf" and sign not in _JOINERS else sign


MAX_SENTENCES = 3
MIN_SAYING_WORDS = 5

_TODO = re.compile(r"\W*(?:TODO|FIXME|XXX)\W*|(?:TODO|FIXME|XXX)\s*[:(].*", re.DOTALL)
_NUMERAL = re.compile(r"[\dIVXLCivxlc]+")


def check_edge_cases(given: CritiqueInput) -> Iterator[Remark]:
    """The concepts whose title or text is empty, a placeholder, a place in the book, or not plain text."""
    texts = {quote.key: quote.text for quote in given.quotes}
    for idea in given.concepts:
        own = [texts[key] for key in idea.quotes if key in texts]
        for message in filter(
            None, (_title_fault(idea, given.language[:2]), _marks_fault(idea), _text_fault(idea, own))
        ):
            yield Remark(message=message, concepts=(idea.key,))


def _title_fault(idea: ConceptView, language: str) -> str:
    title = strip_title_markup(idea.title)
    if not words_of(title):
        fault = "is empty"
    elif _is_placeholder(title):
        fault = f"{in_quote_marks(title)} is a placeholder"
    elif _is_leftover(title):
        fault = f"{in_quote_marks(title)} is left over from a model's answer"
    elif _only_small_words(title, language) or _is_place(title):
        fault = f"{in_quote_marks(title)} names no idea"
    else:
        return ""
    return f"The title of {idea.key} {fault}: name the idea."


def _marks_fault(idea: ConceptView) -> str:
    plain = strip_title_markup(idea.title)
    short = truncate_title(plain)
    if not words_of(plain) or short == idea.title:
        return ""
    fault = "contains markup or control characters" if short == plain else f"has more than {MAX_TITLE} characters"
    return f"The title of {idea.key} {fault}. Rename {idea.key} to {in_quote_marks(short)}."


def _text_fault(idea: ConceptView, quotes: list[str]) -> str:
    text = fold_text(idea.concept)
    if not text:
        fault = f"{idea.key} says nothing"
    elif text == fold_text(idea.title) and not _is_saying(text, quotes):
        fault = f"{idea.key} only repeats its title"
    elif _is_placeholder(idea.concept) or _is_leftover(idea.concept):
        fault = f"The text of {idea.key} is a placeholder or left over from a model's answer"
    else:
        return ""
    said = next((quote for quote in quotes if _says_more(quote, idea.title)), None)
    return (
        f"{fault}. {idea.key} should say {in_quote_marks(said)}." if said else f"{fault}: say the idea in a sentence."
    )


def _is_saying(text: str, quotes: list[str]) -> bool:
    """Whether a text is a sentence that is a whole quote: a saying is its own title."""
    return len(text.split()) >= MIN_SAYING_WORDS and any(fold_text(quote) == text for quote in quotes)


def _says_more(quote: str, title: str) -> bool:
    return fold_text(quote) != fold_text(title) and len(split_sentences(quote)) <= MAX_SENTENCES


def _is_placeholder(text: str) -> bool:
    bare = text.strip().strip("[](){}<>*_\"'“”.").strip().casefold()
    numbered = re.fullmatch(r"(?:concept|concepto|title|título|idea)\s*\d*", bare)
    return bool(_TODO.fullmatch(text.strip()) or numbered) or bare in word_list("placeholders")


def _is_leftover(text: str) -> bool:
    start = " ".join(text.replace("’", "'").casefold().split()).lstrip("\"'“*_ ")
    return any(start.startswith(leftover) for leftover in word_lists()["leftovers"])


def _only_small_words(title: str, language: str) -> bool:
    return "?" not in title and (stop_words(language) - word_list("nameable")).issuperset(words_of(title))


def _is_place(title: str) -> bool:
    """Whether a title is a number or a place in the book: `12`, `p. 33`, `Chapter IV`."""
    words = words_of(title)
    if len(words) == 1 and not any(sign.isdigit() for sign in title):
        return words[0] in word_list("places")
    numbers = [word for word in words if _NUMERAL.fullmatch(word)]
    return len(numbers) + sum(word in word_list("places") for word in words) == len(words) and any(
        sign.isdigit() or word in word_list("places") for word in words for sign in word
    )


MAX_PART_WORDS = 6


class CompoundTitle(NamedTuple):
    """What a title joins."""

    left: str
    right: str


def split_compound_title(title: str) -> CompoundTitle | None:
    """The two things that a title joins; none for a statement, a comparison of two things, or a pair in common use."""
    joining = "|".join(re.escape(word) for word in word_list("joining"))
    found = re.split(rf"\s+(?:{joining})\s+", title.strip().rstrip("."), flags=re.IGNORECASE)
    if len(found) != len(CompoundTitle._fields) or re.search(r"[:;?!,—]|\s[-–]\s", title):
        return None
    words = set(words_of(title))
    if words & word_list("saying") or words & word_list("pairing"):
        return None
    parts = CompoundTitle(*found)
    language = language_of(title)
    carried = [content_words(part, language) for part in parts]
    too_long = any(len(words_of(part)) > MAX_PART_WORDS for part in parts)
    if too_long or not all(carried) or _is_pair(carried, language) or set(carried[0]) & set(carried[1]):
        return None
    return parts


def find_two_ideas(title: str, quotes: Sequence[str]) -> CompoundTitle | None:
    """The two ideas of a title, unless a quote speaks of both at once.

    Single words may be one idea (`slow and deep reading`): then only quotes that divide between them tell two.
    """
    parts = split_compound_title(title)
    if parts is None:
        return None
    spoken = [tuple(mentions(quote, part) for part in parts) for quote in quotes]
    if (True, True) in spoken:
        return None
    language = language_of(title)
    brief = min(len(content_words(part, language)) for part in parts) == 1
    divided = (True, False) in spoken and (False, True) in spoken
    return parts if divided or not brief else None


def mentions(text: str, part: str) -> bool:
    """Whether a text is about something: it has at least half of its words."""
    language = language_of(text, part)
    wanted = content_words(part, language)
    return 2 * len(wanted.keys() & content_words(text, language).keys()) >= len(wanted) > 0


def assign_quotes(quotes: Mapping[str, str], titles: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The quotes (by key) of each of several titles, by shared words; the first title gets the rest."""
    language = language_of(*titles, *quotes.values())
    wanted = [content_words(title, language).keys() for title in titles]
    common = set.intersection(*(set(each) for each in wanted)) if wanted else set()
    taken: list[list[str]] = [[] for _ in titles]
    for key, text in quotes.items():
        have = content_words(text, language).keys()
        weights = [len((each - common) & have) / max(1, len(each - common)) for each in wanted]
        taken[weights.index(max(weights))].append(key)
    return tuple(tuple(keys) for keys in taken)


def _is_pair(carried: Sequence[Mapping[str, str]], language: str) -> bool:
    left, right = (set(each) for each in carried)
    pairs = ({stem(word, language) for word in pair} for pair in word_lists()["pairs"])
    return any(left | right == pair for pair in pairs)
