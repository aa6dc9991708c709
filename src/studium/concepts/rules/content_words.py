"""Content words and word lists for the critique."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Any

from studium.core.text.language_detection import guess_language
from studium.core.text.stems import stem
from studium.core.text.stop_words import stop_words
from studium.core.text.tokens import split_words
from studium.core.text.word_lists import load_word_table

LANGUAGES = ("en", "es", "fr", "de", "it", "pt", "ru")


def word_lists() -> dict[str, Any]:
    """The word lists of `critique_words.yaml`."""
    return load_word_table(__package__, "critique_words.yaml")


@cache
def word_list(kind: str) -> frozenset[str]:
    """The words of one kind."""
    words = word_lists()[kind]
    return frozenset(words.split() if isinstance(words, str) else words)


def words_of(text: str) -> list[str]:
    """The words of a text in order, in lower case."""
    return [word.casefold() for word in split_words(unicodedata.normalize("NFC", text), unspaced="whole")]


def fold_text(text: str) -> str:
    """A text as it is compared: its words in lower case."""
    return " ".join(words_of(text))


def language_of(*texts: str) -> str:
    """The language that some texts seem to be in, taken together; their stems agree only in one language."""
    return guess_language("\n".join(texts), LANGUAGES)


def content_words(text: str, language: str) -> dict[str, str]:
    """The content words by stem, in the form they first appear in."""
    stop = stop_words(language)
    found: dict[str, str] = {}
    for word in words_of(text):
        if word not in stop and (len(word) > 1 or not word.isascii()):
            found.setdefault(stem(word, language), word)
    return found


def join_with_and(items: Iterable[str]) -> str:
    """Items as a sentence lists them: `c1, c2 and c3`."""
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last


def in_quote_marks(text: str) -> str:
    """A text in quotation marks, with those inside it replaced."""
    return "“" + re.sub(r"[“”„\"«»]", "’", " ".join(text.split())) + "”"
