"""The stop words of eight languages: function words, negations and question words.

Each language has one file, with a section for each function; all words are in lower case, with ASCII apostrophes.
"""

from collections.abc import Iterable
from functools import cache

from studium.core.text.word_lists import load_word_sections

STOP_WORD_LANGUAGES = ("en", "de", "es", "fr", "it", "pt", "ru", "ja")


@cache
def stop_words(language: str) -> frozenset[str]:
    """All stop words of a language (`es`, `es-MX`), including negations and question words; empty if unknown."""
    return _section(language, "function_words") | negations(language) | question_words(language)


@cache
def function_words(language: str) -> frozenset[str]:
    """The stop words of a language without negations and question words."""
    return _section(language, "function_words")


@cache
def negations(language: str) -> frozenset[str]:
    """The words that negate a statement."""
    return _section(language, "negations")


@cache
def question_words(language: str) -> frozenset[str]:
    """The question words."""
    return _section(language, "question_words")


@cache
def spoken_words(language: str) -> frozenset[str]:
    """Filler words (`yeah`, `gonna`) and fragments of contractions; they are not stop words."""
    return _section(language, "spoken")


def is_stop_word(word: str, language: str) -> bool:
    """Whether a word is a stop word, in any spelling."""
    return _plain(word) in stop_words(language)


def is_negation(word: str, language: str) -> bool:
    """Whether a word negates a statement; `n't` always does."""
    plain = _plain(word)
    return plain in negations(language) or plain.endswith("n't")


def content_words(words: Iterable[str], language: str, *, keep: frozenset[str] = frozenset()) -> list[str]:
    """The words of a text without stop words, in order and as written; those in `keep` always stay."""
    stop = stop_words(language) - keep
    return [word for word in words if _plain(word) not in stop]


def _plain(word: str) -> str:
    return word.casefold().replace("\u2019", "'")


@cache
def _section(language: str, name: str) -> frozenset[str]:
    code = language.replace("_", "-").partition("-")[0].lower()
    if code not in STOP_WORD_LANGUAGES:
        return frozenset()
    return load_word_sections(__package__, f"data/stop_words/{code}.txt").get(name, frozenset())
