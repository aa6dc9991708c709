"""Japanese text cut into words by SudachiPy, each with its dictionary form and the reading of its word alone."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from studium.core.domain.errors import MissingExtra
from studium.languages.japanese.kana import hiragana

JAPANESE_EXTRA = "pip install 'studium[japanese]'"

# Sudachi takes kana in round brackets for the reading of the word before them, and drops it.
_PLAIN_BRACKETS = str.maketrans("()", "〔〕")


@dataclass(frozen=True, slots=True)
class Segment:
    """A word as Sudachi cuts it; `classes` are its part of speech and inflection, from coarse to fine."""

    surface: str
    dictionary_form: str
    normalized_form: str
    reading: str
    classes: tuple[str, ...]
    start: int
    end: int
    is_unknown: bool = False


class Segmenter:
    """Cuts sentences into the longest words that Sudachi knows; safe to share between threads."""

    def __init__(self) -> None:
        self._of_thread = threading.local()

    def segments(self, sentence: str) -> list[Segment]:
        """The words of a sentence, punctuation and all."""
        return list(self._segments(sentence, "C"))

    def shortest(self, word: str) -> list[Segment]:
        """A word cut into the shortest words that it is made of."""
        return list(self._segments(word, "A"))

    def _segments(self, sentence: str, mode: str) -> Iterator[Segment]:
        for found in self._tokenizer.tokenize(sentence.translate(_PLAIN_BRACKETS), mode=mode):
            yield Segment(
                sentence[found.begin() : found.end()],
                found.dictionary_form(),
                found.normalized_form(),
                _in_hiragana(found.reading_form()),
                found.part_of_speech(),
                found.begin(),
                found.end(),
                found.is_oov(),
            )

    @property
    def _tokenizer(self) -> Any:
        # A tokenizer refuses to be used by two threads at once; the dictionary behind it is shared.
        if not hasattr(self._of_thread, "tokenizer"):
            self._of_thread.tokenizer = _dictionary().tokenizer()
        return self._of_thread.tokenizer


@cache
def _dictionary() -> Any:
    try:
        return import_module("sudachipy").Dictionary(dict="core")
    except ModuleNotFoundError as error:
        raise MissingExtra("Japanese words need SudachiPy: not installed.", remedy=JAPANESE_EXTRA) from error


@lru_cache(20_000)
def _in_hiragana(kana: str) -> str:
    return hiragana(kana)
