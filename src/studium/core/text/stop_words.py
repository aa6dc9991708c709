"""The small words of eight languages: they join a sentence, deny or ask, and carry nothing of what it is about.

Every list is in small letters, with the typewriter's apostrophe; a file a language has them by what they do.
"""

from collections.abc import Iterable
from functools import cache

from studium.core.text.word_lists import load_word_sections

STOP_WORD_LANGUAGES = ("en", "de", "es", "fr", "it", "pt", "ru", "ja")


@cache
def stop_words(language: str) -> frozenset[str]:
    """All small words of a language (`es`, `es-MX`), negations and question words too; none where we know none."""
    return _section(language, "function_words") | negations(language) | question_words(language)


@cache
def function_words(language: str) -> frozenset[str]:
    """The small words of a language that neither deny nor ask."""
    return _section(language, "function_words")


@cache
def negations(language: str) -> frozenset[str]:
    """The words that turn a statement into its opposite."""
    return _section(language, "negations")


@cache
def question_words(language: str) -> frozenset[str]:
    """The words that ask."""
    return _section(language, "question_words")


@cache
def spoken_words(language: str) -> frozenset[str]:
    """What is said and sung and says nothing (`yeah`, `gonna`), and rests of shortened words; no stop words."""
    return _section(language, "spoken")


def is_stop_word(word: str, language: str) -> bool:
    """Whether a word carries nothing of what a sentence is about, however it is written."""
    return _plain(word) in stop_words(language)


def is_negation(word: str, language: str) -> bool:
    """Whether a word turns a statement into its opposite; `n't` always does."""
    plain = _plain(word)
    return plain in negations(language) or plain.endswith("n't")


def content_words(words: Iterable[str], language: str, *, keep: frozenset[str] = frozenset()) -> list[str]:
    """The words that carry what a text is about, in order and as they stand; those to `keep` stay in any case."""
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
