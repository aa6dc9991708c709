"""Content words, stems and word lists for the critique."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Any

from studium.core.text.normal_form import strip_accents
from studium.core.text.tokens import split_words
from studium.core.text.word_lists import load_word_table

_SHORTEST_STEM = 4


def word_lists() -> dict[str, Any]:
    """The word lists of `critique_words.yaml`."""
    return load_word_table(__package__, "critique_words.yaml")


@cache
def word_list(kind: str) -> frozenset[str]:
    """The words of one kind."""
    words = word_lists()[kind]
    return frozenset(words.split() if isinstance(words, str) else words)


@cache
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language; none for an unknown language."""
    return frozenset(str(word_lists()["stop"].get(language, "")).split())


def small_words(words: Iterable[str]) -> frozenset[str]:
    """The stop words of the language that these words seem to be in."""
    told = list(words)
    counts = {code: sum(word in stop_words(code) for word in told) for code in word_lists()["stop"]}
    return stop_words(max(counts, key=lambda code: counts[code]))


def words_of(text: str) -> list[str]:
    """The words of a text in their order, in small letters."""
    return [word.casefold() for word in split_words(unicodedata.normalize("NFC", text), unspaced="whole")]


def fold_text(text: str) -> str:
    """A text as it is compared: its words in small letters."""
    return " ".join(words_of(text))


@cache
def stem(word: str) -> str:
    """What the forms of a word share, as `habits` and `hábito` do; rough, and one way for all languages."""
    bare = strip_accents(word.casefold())
    for ending in word_lists()["endings"].split():
        if bare.endswith(ending) and len(bare) - len(ending) >= _SHORTEST_STEM:
            return bare[: -len(ending)]
    return bare[:-1] if bare.endswith("s") and len(bare) >= _SHORTEST_STEM else bare


def content_words(text: str) -> dict[str, str]:
    """The content words by stem, in the form they first appear in."""
    words = words_of(text)
    stop = small_words(words)
    found: dict[str, str] = {}
    for word in words:
        if word not in stop and (len(word) > 1 or not word.isascii()):
            found.setdefault(stem(word), word)
    return found


def join_with_and(items: Iterable[str]) -> str:
    """Items as a sentence lists them: `c1, c2 and c3`."""
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last


def in_quote_marks(text: str) -> str:
    """A text in quotation marks, which do not stand inside it."""
    return "“" + re.sub(r"[“”„\"«»]", "’", " ".join(text.split())) + "”"
