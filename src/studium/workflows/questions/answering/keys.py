"""The stems that texts are looked up by."""

from collections.abc import Iterator
from functools import lru_cache

from studium.workflows.questions.comparing.numbers import numbers_in
from studium.workflows.questions.comparing.words import Word, words_in


@lru_cache(maxsize=4096)
def keys_of(text: str, language: str) -> frozenset[str]:
    """The stems of the words that carry meaning; numbers by their value, however they are written."""
    return frozenset(word.key for word in valued_words(text, language) if word.telling)


def valued_words(text: str, language: str) -> Iterator[Word]:
    """The words, of numbers the last part with the value of the whole as its key."""
    values = {number.end: str(number.value) for number in numbers_in(text, language) if number.value is not None}
    for word in words_in(text, language):
        yield word._replace(key=values[word.end], telling=True) if word.end in values else word
