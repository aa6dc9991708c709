"""Texts as words: each with its place, its stem, and whether it carries a fact or a negation."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from studium.workflows.questions.comparing.language import is_function_word, language_of, negates
from studium.workflows.questions.comparing.stems import stem

# Han and katakana runs are words; hiragana mostly inflects and joins them.
_WORD = re.compile(
    r"[\u3400-\u9fff\u3005]+|[\u30a0-\u30ff]+|[\u3040-\u309f]+"
    r"|(?:(?![\u3040-\u30ff\u3400-\u9fff])[^\W_])+(?:['’](?:(?![\u3040-\u30ff\u3400-\u9fff])[^\W\d_])+)?"
)
_HIRAGANA = re.compile(r"[\u3040-\u309f]+")
_ELIDED = re.compile(r"^(?:[cdjlmnst]|qu)['’](?=\w)", re.IGNORECASE)


class Word(NamedTuple):
    """A word where it stands; `key` is what it is compared by."""

    text: str
    key: str
    telling: bool
    negation: bool
    start: int
    end: int

    @property
    def capital(self) -> bool:
        """Whether it is written with a capital or a digit, as names and codes are."""
        return self.text[:1].isupper() or any(char.isdigit() for char in self.text)


def words_in(text: str, language: str | None = None) -> list[Word]:
    """The words of a text, in order."""
    spoken = language or language_of(text)
    return list(_words(text, spoken))


def _words(text: str, language: str) -> Iterator[Word]:
    for match in _WORD.finditer(text):
        start, said = match.start(), match[0]
        if language == "fr" and (elided := _ELIDED.match(said)):
            start, said = start + elided.end(), said[elided.end() :]
        yield Word(said, *_judged(said, language), start, match.end())


@lru_cache(maxsize=100_000)
def _judged(said: str, language: str) -> tuple[str, bool, bool]:
    """The stem of a word, whether it carries a fact, and whether it negates."""
    folded = said.casefold()
    negation = negates(folded, language)
    empty = is_function_word(folded, language) or bool(_HIRAGANA.fullmatch(said))
    acronym = len(said) > 1 and said.isupper() and language != "de"
    return stem(said), (not empty or acronym) and not negation, negation
